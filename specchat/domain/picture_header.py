"""Reads format and size of a picture from its first bytes, without decoding it."""

import struct
from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.pictures import Picture

MAX_PICTURE_BYTES = 20 << 20
MAX_PIXELS = 40_000_000
MOST_PICTURES, MOST_BYTES = 64, 100 << 20
"""In one message."""
_MOST_RATIO = 100
"""Of the longer side to the shorter one: models cut long strips into too many pieces, or into none."""
_LONGEST_SIDE = 1 << 16
_MOST_SEGMENTS = 10_000
"""Of a JPEG, before its size."""
_FRAMES = (0xC0, 0xC1, 0xC2)
"""The markers of a JPEG after which its size follows, of the kinds that llama.cpp reads."""
_WITHOUT_LENGTH = frozenset((0x01, *range(0xD0, 0xDA)))
_PIXELS_PER_TOKEN = 28 * 28
_MOST_TOKENS = 1280


class PictureFormat(StrEnum):
    """The formats that llama.cpp reads, by their media types."""

    PNG = "image/png"
    JPEG = "image/jpeg"
    GIF = "image/gif"
    BMP = "image/bmp"


@dataclass(frozen=True, slots=True)
class PictureHeader:
    format: PictureFormat
    width: int
    height: int


class PictureRefusal(StrEnum):
    UNKNOWN = "unknown"
    """Not of a format that is read, or damaged."""
    TOO_LARGE = "too large"
    TOO_MANY_PIXELS = "too many pixels"
    TOO_NARROW = "too narrow"


def check_picture(content: bytes) -> PictureHeader | PictureRefusal:
    if len(content) > MAX_PICTURE_BYTES:
        return PictureRefusal.TOO_LARGE
    header = read_picture_header(content)
    if header is None:
        return PictureRefusal.UNKNOWN
    if header.width * header.height > MAX_PIXELS:
        return PictureRefusal.TOO_MANY_PIXELS
    sides = header.width, header.height
    return header if max(sides) <= _MOST_RATIO * min(sides) else PictureRefusal.TOO_NARROW


def read_picture_header(content: bytes) -> PictureHeader | None:
    """None: another format, or one that is damaged."""
    try:
        header = _read(content)
    except (struct.error, ValueError):
        return None
    if header is None or not (0 < header.width < _LONGEST_SIDE and 0 < header.height < _LONGEST_SIDE):
        return None
    return header


def estimate_picture_tokens(picture: Picture) -> int:
    """Encoders differ: about a token for each tile of 28 x 28 pixels, as most of the newer ones have."""
    header = read_picture_header(picture.content)
    if header is None:
        return _MOST_TOKENS
    return max(1, min(_MOST_TOKENS, header.width * header.height // _PIXELS_PER_TOKEN))


def _read(content: bytes) -> PictureHeader | None:
    if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR":
        return PictureHeader(PictureFormat.PNG, *struct.unpack_from(">II", content, 16))
    if content.startswith((b"GIF87a", b"GIF89a")):
        return PictureHeader(PictureFormat.GIF, *struct.unpack_from("<HH", content, 6))
    if content.startswith(b"\xff\xd8\xff"):
        return _read_jpeg(content)
    if content.startswith(b"BM"):
        return _read_bmp(content)
    return None


def _read_bmp(content: bytes) -> PictureHeader | None:
    (size,) = struct.unpack_from("<I", content, 14)
    if size == 12:
        return PictureHeader(PictureFormat.BMP, *struct.unpack_from("<HH", content, 18))
    if not 40 <= size <= 124:
        return None
    width, height = struct.unpack_from("<ii", content, 18)
    return PictureHeader(PictureFormat.BMP, width, abs(height))  # negative: its lines begin at the top


def _read_jpeg(content: bytes) -> PictureHeader | None:
    at = 2
    for _ in range(_MOST_SEGMENTS):
        start, marker = content[at : at + 2]
        if start != 0xFF:
            break
        if marker == 0xFF:  # fills up
            at += 1
        elif marker in _FRAMES:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return PictureHeader(PictureFormat.JPEG, width, height)
        elif marker in _WITHOUT_LENGTH:
            at += 2
        else:
            (length,) = struct.unpack_from(">H", content, at + 2)
            at += 2 + max(2, length)
    return None
