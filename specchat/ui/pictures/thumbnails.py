"""Small images of pictures, decoded in the background and kept for a while."""

from functools import partial

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath, QPen

from specchat.domain.errors import UserError
from specchat.domain.pictures import Picture
from specchat.ui.pictures.decoding import decode_picture
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.lru_cache import LruCache
from specchat.ui.widgets.theme import RADIUS, Theme

_KEPT = 96
"""More than a screen shows, as one that is dropped while it is seen would be decoded again and again: at most 75 MB."""
_SIZE = QSize(640, 320)
"""Twice as large as they are shown, for dense screens."""
_ICON = 20


class Thumbnails(QObject):
    loaded = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks: TaskQueue | None = None
        """None: what is wanted is decoded at once."""
        self._images: LruCache[str, QImage] = LruCache(_KEPT, lambda _: None)
        self._loading: set[str] = set()

    @property
    def is_loading(self) -> bool:
        return bool(self._loading)

    def image(self, picture: Picture) -> QImage | None:
        """None: it comes later. A null image: it is damaged."""
        if self._images.get(picture.digest) is None and picture.digest not in self._loading:
            self._load(picture)
        return self._images.peek(picture.digest)

    def _load(self, picture: Picture) -> None:
        work = partial(decode_picture, picture.content, _SIZE)
        if self.tasks is None:
            self._keep(picture.digest, work())
            return
        self._loading.add(picture.digest)
        self.tasks.run(work, partial(self._finish, picture.digest), partial(self._fail, picture.digest))

    def _finish(self, digest: str, image: QImage) -> None:
        self._loading.discard(digest)
        self._keep(digest, image)
        self.loaded.emit()

    def _fail(self, digest: str, _: UserError) -> None:
        self._finish(digest, QImage())

    def _keep(self, digest: str, image: QImage) -> None:
        self._images.put(digest, image)
        self._images.trim((digest,))


def paint_thumbnail(
    painter: QPainter, image: QImage | None, area: QRectF, theme: Theme, radius: float = RADIUS
) -> None:
    """Fills the area; what does not fit is cut off at both sides alike."""
    painter.save()
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    edge = area.adjusted(0.5, 0.5, -0.5, -0.5)
    outline = QPainterPath()
    outline.addRoundedRect(edge, radius, radius)
    painter.fillPath(outline, theme.sunken)
    if image is not None and not image.isNull():
        painter.save()
        painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
        painter.drawImage(area, image, _centred(image, area))
        painter.restore()
    elif image is not None:
        draw_icon(painter, "picture", theme.text_muted, _icon_area(area))
    painter.setPen(QPen(theme.line, 1))
    painter.drawPath(outline)
    painter.restore()


def _centred(image: QImage, area: QRectF) -> QRectF:
    shown = area.size().scaled(image.size().toSizeF(), Qt.AspectRatioMode.KeepAspectRatio)
    return QRectF(
        (image.width() - shown.width()) / 2, (image.height() - shown.height()) / 2, shown.width(), shown.height()
    )


def _icon_area(area: QRectF) -> QRectF:
    side = min(_ICON, area.width(), area.height())
    return QRectF(area.center().x() - side / 2, area.center().y() - side / 2, side, side)
