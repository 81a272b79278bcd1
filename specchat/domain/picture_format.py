"""Reads the size of a picture from the beginning of its file, before anything decodes it."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

from specchat.domain.errors import PictureError
from specchat.domain.pictures import Picture
from specchat.domain.translatable_text import TranslatableText

MAX_BYTES = 32 << 20
MAX_PIXELS = 64_000_000
MAX_RATIO = 100
"""Of the longer side to the shorter one: models cut long strips into too many pieces, or into none."""

_UNNAMED = TranslatableText("The picture")
_READABLE = TranslatableText("Use PNG, JPEG, GIF or BMP.")
_ANOTHER = TranslatableText("Save the picture again, or choose another one.")
_SMALLER = TranslatableText("Make the picture smaller.")
_STANDALONE = frozenset((0x01, *range(0xD0, 0xDA)))
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


@dataclass(frozen=True, slots=True)
class PictureFormat:
    name: str
    width: int
    height: int


def read_picture_format(picture: Picture) -> PictureFormat:
    """Raises a PictureError for all that models must not get to see."""
    content = picture.content
    if not content:
        raise _error(picture, TranslatableText("{name} is empty."), TranslatableText("Choose another picture."))
    if len(content) > MAX_BYTES:
        raise _error(
            picture,
            TranslatableText("{name} has {n} MB. A picture can have at most {most} MB."),
            _SMALLER,
            n=len(content) >> 20,
        )
    kind, size = _size(picture)
    width, height = size
    if not (width and height):
        raise _damaged(picture)
    if width * height > MAX_PIXELS:
        raise _error(
            picture,
            TranslatableText("{name} has {width} x {height} pixels. A picture can have at most {n} million."),
            _SMALLER,
            width=width,
            height=height,
            n=MAX_PIXELS // 1_000_000,
        )
    if max(size) > MAX_RATIO * min(size):
        raise _error(
            picture,
            TranslatableText("{name} is too narrow: {width} x {height} pixels."),
            _ANOTHER,
            width=width,
            height=height,
        )
    return PictureFormat(kind, width, height)


def undecodable_error(picture: Picture) -> PictureError:
    return _error(picture, TranslatableText("{name} is damaged: it can't be decoded."), _ANOTHER)


def _size(picture: Picture) -> tuple[str, tuple[int, int]]:
    content = picture.content
    for start, kind, read in _KINDS:
        if content.startswith(start):
            try:
                return kind, read(content)
            except (struct.error, IndexError, ValueError):
                raise _damaged(picture) from None
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        raise _error(picture, TranslatableText("{name} is a WebP picture, which llama.cpp can't read."), _READABLE)
    raise _error(picture, TranslatableText("{name} is not a picture that llama.cpp can read."), _READABLE)


def _damaged(picture: Picture) -> PictureError:
    return _error(picture, TranslatableText("{name} is damaged: its size can't be read."), _ANOTHER)


def _error(picture: Picture, message: TranslatableText, hint: TranslatableText, **values: object) -> PictureError:
    values = {"most": MAX_BYTES >> 20, **values}
    return PictureError(message, hint, name=picture.name or _UNNAMED, **values)


def _png(content: bytes) -> tuple[int, int]:
    if content[12:16] not in (b"IHDR", b"CgBI"):
        raise ValueError
    at = 16 if content[12:16] == b"IHDR" else 32
    width, height = struct.unpack_from(">II", content, at)
    return width, height


def _gif(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", content, 6)
    return width, height


def _bmp(content: bytes) -> tuple[int, int]:
    (header,) = struct.unpack_from("<I", content, 14)
    if header == 12:
        width, height = struct.unpack_from("<HH", content, 18)
        return width, height
    width, height = struct.unpack_from("<ii", content, 18)
    if width < 0:
        raise ValueError
    return width, abs(height)


def _jpeg(content: bytes) -> tuple[int, int]:
    """Its first frame. Before it there are segments with lengths."""
    at = 2
    while True:
        if content[at] != 0xFF:
            raise ValueError
        while content[at] == 0xFF:
            at += 1
        marker = content[at]
        at += 1
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", content, at + 3)
            return width, height
        if marker not in _STANDALONE:
            (length,) = struct.unpack_from(">H", content, at)
            at += max(2, length)


_KINDS: tuple[tuple[bytes, str, Callable[[bytes], tuple[int, int]]], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG", _png),
    (b"\xff\xd8\xff", "JPEG", _jpeg),
    (b"GIF87a", "GIF", _gif),
    (b"GIF89a", "GIF", _gif),
    (b"BM", "BMP", _bmp),
)
