"""Small pictures to test with, made without a library."""

import struct
import zlib

from specchat.domain.pictures import Picture

_PNG = b"\x89PNG\r\n\x1a\n"


def png(width: int = 4, height: int = 3, colour: tuple[int, int, int] = (200, 30, 30)) -> bytes:
    lines = (b"\0" + bytes(colour) * width) * height
    return png_of(width, height, zlib.compress(lines))


def png_of(width: int, height: int, *data: bytes, between: bytes = b"") -> bytes:
    """`data`: whatever its pixels are said to be, in parts. `between`: chunks before them."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (_chunk(b"IDAT", each) for each in data)
    return b"".join((_PNG, _chunk(b"IHDR", header), between, *chunks, _chunk(b"IEND", b"")))


def picture(name: str = "red.png", width: int = 4, height: int = 3, red: int = 200) -> Picture:
    return Picture(png(width, height, (red, 30, 30)), name)


def jpeg_header(width: int, height: int) -> bytes:
    """Up to its size, after a segment that has to be skipped."""
    app = b"\xff\xe0" + struct.pack(">H", 16) + bytes(14)
    return b"\xff\xd8" + app + b"\xff\xc0" + struct.pack(">HBHHB", 17, 8, height, width, 3) + bytes(9)


def gif_header(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + bytes(3)


def bmp(width: int, height: int) -> bytes:
    line = bytes(3 * width + -3 * width % 4)
    size = 54 + len(line) * abs(height)
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", size, 0, 0, 54) + info + line * abs(height)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
