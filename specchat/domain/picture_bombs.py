"""Tells pictures that are small, and made to keep whoever decodes them busy, or to fill the memory.

llama.cpp unpacks all that is packed in a PNG or GIF, and reads every scan of a JPEG, whatever the size of the picture
is.
"""

import struct
import zlib
from collections.abc import Iterator

from specchat.domain.picture_header import PictureFormat, PictureHeader

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""By the colour types of a PNG."""
_SPARE = 1 << 20
_PIECE = 1 << 16
_SCAN = b"\xff\xda"
_SCANS, _BYTES_PER_SCAN = 100, 1 << 15
"""Programs make a dozen scans. In other bytes, their sign stands by chance: in every 65536th place."""

_EXTENSION, _IMAGE = b"!,"
_MOST_OF_GIF = 2 << 20
"""Bytes of its first picture, the only one that is read: as many can take 20 seconds, and few have half of it."""


def is_bomb(content: bytes, header: PictureHeader) -> bool:
    match header.format:
        case PictureFormat.PNG:
            return _unpacks_to_more(content, header)
        case PictureFormat.GIF:
            return _is_first_too_long(content)
        case PictureFormat.JPEG:
            return content.count(_SCAN) > _SCANS + len(content) // _BYTES_PER_SCAN
    return False


def _unpacks_to_more(content: bytes, header: PictureHeader) -> bool:
    depth, colours = (*content[24:26], 8, 6)[:2]
    line = 2 + header.width * min(depth, 16) * _CHANNELS.get(colours, 4) // 8
    most = 2 * header.height * line + _SPARE  # twice: interlaced ones have more lines
    size, unpacker, skipped = 0, zlib.decompressobj(-zlib.MAX_WBITS), 2
    try:
        for part in _packed(content):
            packed = bytes(part[skipped:])
            skipped = max(0, skipped - len(part))
            while packed and not unpacker.eof:
                size += len(unpacker.decompress(packed, _PIECE))
                packed = unpacker.unconsumed_tail
                if size > most:
                    return True
    except zlib.error:
        return True
    return False


def _packed(content: bytes) -> Iterator[memoryview]:
    at, view = 8, memoryview(content)
    while at + 8 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        if kind == b"IDAT":
            for begin in range(at + 8, min(at + 8 + length, len(content)), _PIECE):
                yield view[begin : min(begin + _PIECE, at + 8 + length)]
        elif kind == b"IEND":
            return
        at += 12 + length


def _is_first_too_long(content: bytes) -> bool:
    at = 13 + _table_size(content[10]) if len(content) > 10 else 13
    while at + 10 <= len(content) and content[at] in (_EXTENSION, _IMAGE):
        is_image = content[at] == _IMAGE
        at += 11 + _table_size(content[at + 9]) if is_image else 2
        size = 0
        while at < len(content) and (length := content[at]):
            size, at = size + length, at + 1 + length
            if is_image and size > _MOST_OF_GIF:
                return True
        if is_image:
            return False
        at += 1
    return False


def _table_size(flags: int) -> int:
    """Of the colours that follow, in bytes."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0
