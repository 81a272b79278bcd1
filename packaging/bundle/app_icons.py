"""The icon as Windows and macOS want it: a PNG for each size, in a file of their own kind."""

from __future__ import annotations

import struct
from pathlib import Path

from linux_tree import drawn_icon
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter, QPainter
from shell import SetupError

ICO_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)
ICNS_SIZES = {
    b"ic11": 32,
    b"ic12": 64,
    b"ic07": 128,
    b"ic13": 256,
    b"ic08": 256,
    b"ic14": 512,
    b"ic09": 512,
    b"ic10": 1024,
}
"""Apple's name for each; half of them are for screens with twice the pixels, 16 to 512 points wide."""
_SIDE_SIZE, _SIDE_COLOUR = (328, 628), QColor("#eef2fc")
_SMALLEST_COMPRESSION = 100


def write_ico(file: Path) -> None:
    images = [_png(size) for size in ICO_SIZES]
    header = struct.pack("<HHH", 0, 1, len(images))
    place = len(header) + 16 * len(images)
    entries = []
    for size, image in zip(ICO_SIZES, images, strict=True):
        side = size % 256  # 0 stands for 256
        entries.append(struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(image), place))
        place += len(image)
    file.write_bytes(b"".join([header, *entries, *images]))


def write_icns(file: Path) -> None:
    images = {size: _png(size) for size in set(ICNS_SIZES.values())}
    body = b"".join(_chunk(name, images[size]) for name, size in ICNS_SIZES.items())
    file.write_bytes(_chunk(b"icns", body))


def write_side_picture(file: Path) -> None:
    """For the last page of the Windows installer, at twice its usual size."""
    picture = QImage(*_SIDE_SIZE, QImage.Format.Format_RGB888)
    picture.fill(_SIDE_COLOUR)
    icon = drawn_icon(_SIDE_SIZE[0] // 2)
    painter = QPainter(picture)
    painter.drawImage((picture.width() - icon.width()) // 2, icon.height() // 2, icon)
    painter.end()
    file.write_bytes(_written(picture, b"bmp"))


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack(">I", len(content) + 8) + content


def _png(size: int) -> bytes:
    return _written(drawn_icon(size), b"png")


def _written(image: QImage, kind: bytes) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, kind)
    writer.setCompression(_SMALLEST_COMPRESSION)
    if not writer.write(image):
        raise SetupError(f"The icon could not be drawn: {writer.errorString()}")
    return bytes(content.data())
