"""Decodes and encodes pictures within limits."""

from typing import Self

from PySide6.QtCore import QBuffer, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageIOHandler, QImageReader

from specchat.domain.picture_header import (
    MAX_PIXELS,
    PictureFormat,
    PictureHeader,
    PictureRefusal,
    check_picture,
)
from specchat.domain.pictures import Picture
from specchat.services.chat.binary_file_kinds import HEAD_BYTES, PICTURE, detect_binary_kind

_MOST_MB = 256
"""Of memory for one picture."""
_QUALITY = 92
_ONE = QSize(1, 1)


def decode_picture(content: bytes, room: QSize | None = None) -> QImage:
    """Null if it is damaged. `room`: a larger one is scaled down to it."""
    with _Content(content) as source:
        return source.read(room) if source.is_bounded else QImage()


def prepare_picture(content: bytes, name: str) -> Picture | PictureRefusal:
    """As llama.cpp reads it: other formats are converted, and so are photos that are stored sideways."""
    found = check_picture(content)
    if isinstance(found, PictureRefusal) and found is not PictureRefusal.UNKNOWN:
        return found
    is_known = isinstance(found, PictureHeader)
    if not is_known and detect_binary_kind(content[:HEAD_BYTES]) is not PICTURE:
        return PictureRefusal.UNKNOWN
    with _Content(content) as source:
        if not source.is_bounded:
            return PictureRefusal.TOO_MANY_PIXELS
        converts = not is_known or source.is_turned
        image = source.read(upright=converts)
    if image.isNull():
        return PictureRefusal.UNKNOWN
    if not converts:
        return Picture(content, name)
    is_photo = isinstance(found, PictureHeader) and found.format is PictureFormat.JPEG
    return encode_picture(image, name, is_photo=is_photo)


def encode_picture(image: QImage, name: str, *, is_photo: bool = False) -> Picture | PictureRefusal:
    """As a PNG, unless it is a photo or too large for that. Its name stays, by which the user knows it."""
    if image.isNull():
        return PictureRefusal.UNKNOWN
    if image.width() * image.height() > MAX_PIXELS:
        return PictureRefusal.TOO_MANY_PIXELS
    refusal = PictureRefusal.TOO_LARGE
    for kind, quality in (_JPEG,) if is_photo else (_PNG, _JPEG):
        content = _encoded(image, kind, quality)
        found = check_picture(content)
        if isinstance(found, PictureHeader):
            return Picture(content, name)
        refusal = found
    return refusal


_PNG, _JPEG = ("PNG", -1), ("JPEG", _QUALITY)


class _Content:
    """What Qt reads of a picture."""

    def __init__(self, content: bytes) -> None:
        self._buffer = QBuffer()
        self._buffer.setData(content)
        self._buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        QImageReader.setAllocationLimit(_MOST_MB)
        self._reader = QImageReader(self._buffer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        del self._reader  # before the buffer: TIFF's decoder reads from it until the end, and crashes if it is gone

    @property
    def is_bounded(self) -> bool:
        size = self._reader.size()
        return not size.isValid() or size.width() * size.height() <= MAX_PIXELS

    @property
    def is_turned(self) -> bool:
        return self._reader.transformation() != QImageIOHandler.Transformation.TransformationNone

    def read(self, room: QSize | None = None, *, upright: bool = False) -> QImage:
        self._reader.setAutoTransform(upright)
        size = self._reader.size()
        if room is not None and size.isValid() and size != size.boundedTo(room):
            self._reader.setScaledSize(size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(_ONE))
        return self._reader.read()


def _encoded(image: QImage, kind: str, quality: int) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind, quality)  # type: ignore[call-overload]
    return bytes(buffer.data().data())
