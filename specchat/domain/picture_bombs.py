"""Tells pictures that are small, and made to keep whoever decodes them busy, or to fill the memory.

llama.cpp unpacks all that is packed in a PNG, and reads every scan of a JPEG, whatever the size of the picture is.
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


def is_bomb(content: bytes, header: PictureHeader) -> bool:
    match header.format:
        case PictureFormat.PNG:
            return _unpacks_to_more(content, header)
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
