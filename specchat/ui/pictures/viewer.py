"""The dialog that shows a message's pictures as large as there is room, one at a time."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.picture_header import read_picture_header
from specchat.domain.pictures import Picture
from specchat.services.atomic_write import write_bytes
from specchat.ui.pictures.decoding import decode_picture
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.copy_button import CopyButton
from specchat.ui.widgets.form_dialog import message_label
from specchat.ui.widgets.last_folder import FolderPurpose, open_in_last_folder
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme
from specchat.ui.widgets.window_geometry import fit_on_screen
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number

_SIZE = QSize(110 * GRID, 80 * GRID)
_SUFFIXES = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/gif": (".gif",),
    "image/bmp": (".bmp",),
}


class _PictureView(QWidget):
    """A picture, scaled down to fit."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pictureView")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(20 * GRID, 15 * GRID)
        self._image = QImage()
        self._full = QSize()
        self._words = ""

    def show_image(self, image: QImage, full: QSize) -> None:
        """`full`: its size, of which the image may be scaled down already."""
        self._image, self._full, self._words = image, full, ""
        self.update()

    def show_words(self, words: str) -> None:
        self._image, self._words = QImage(), words
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if not self._image.isNull():
            painter.drawImage(self._area(), self._image)
        if self.hasFocus():
            painter.setPen(QPen(current_theme().accent, 1.5))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.setPen(current_theme().text_muted)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._words)

    def _area(self) -> QRectF:
        size = QSizeF(self._full)
        if self._full.width() > self.width() or self._full.height() > self.height():
            size = size.scaled(QSizeF(self.size()), Qt.AspectRatioMode.KeepAspectRatio)
        corner = QPointF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2)
        return QRectF(corner, size)


class PictureViewer(QDialog):
    def __init__(
        self, pictures: Sequence[Picture], index: int, parent: QWidget, tasks: TaskQueue | None = None
    ) -> None:
        """`tasks`: to decode them in the background."""
        super().__init__(parent)
        self.setObjectName("pictureViewer")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fit_on_screen(self, _SIZE)
        self._pictures, self._index, self._tasks = pictures, index, tasks
        self._cancel = CancelToken()
        self._view = _PictureView(self)
        self._problem = message_label("danger", "pictureProblem", self)
        self._problem.hide()
        self._back = IconButton("chevron-left", self.tr("Previous picture (Left)"), self)
        self._back.clicked.connect(lambda: self._step(-1))
        self._forward = IconButton("chevron-right", self.tr("Next picture (Right)"), self)
        self._forward.clicked.connect(lambda: self._step(1))
        self._copy = CopyButton(self)
        self._copy.setObjectName("copyPicture")
        self._copy.clicked.connect(self._copy_it)
        save = TextButton(self.tr("Save as…"), self)
        save.setObjectName("savePicture")
        save.clicked.connect(self._ask_where)
        close = TextButton(self.tr("Close"), self, primary=True)
        close.setObjectName("closePicture")
        close.clicked.connect(self.accept)
        self._arrange(self._copy, save, close)
        for key, by in ((Qt.Key.Key_Left, -1), (Qt.Key.Key_Right, 1)):  # buttons would move the focus
            QShortcut(QKeySequence(key), self).activated.connect(partial(self._step, by))
        self._show()
        close.setFocus()

    @property
    def _picture(self) -> Picture:
        return self._pictures[self._index]

    def _arrange(self, *buttons: QWidget) -> None:
        below = QHBoxLayout()
        below.setSpacing(GRID)
        below.addWidget(self._back)
        below.addWidget(self._forward)
        below.addStretch()
        for button in buttons:
            below.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        layout.addWidget(self._view, 1)
        layout.addWidget(self._problem)
        layout.addLayout(below)

    def _show(self) -> None:
        name, n_pictures = self._picture.name or self.tr("Picture"), len(self._pictures)
        place = self.tr("{name} ({n} of {count})").format(name=name, n=self._index + 1, count=n_pictures)
        self.setWindowTitle(place if n_pictures > 1 else name)
        for button, is_last in ((self._back, self._index == 0), (self._forward, self._index == n_pictures - 1)):
            button.setVisible(n_pictures > 1)
            button.setEnabled(not is_last)
        self._problem.hide()
        header = read_picture_header(self._picture.content)
        size = QSize(header.width, header.height) if header is not None else QSize()
        self._view.setAccessibleName(name)
        words = self.tr("{width} × {height} pixels")
        self._view.setAccessibleDescription(
            words.format(width=format_number(size.width()), height=format_number(size.height())) if header else ""
        )
        self._load(size)

    def _load(self, size: QSize) -> None:
        self._cancel.cancel()
        self._cancel = CancelToken()
        room = self.screen().size() * self.devicePixelRatio()
        work, done = partial(decode_picture, self._picture.content, room), partial(self._show_image, size)
        if self._tasks is None:
            done(work())
        else:
            self._view.show_words("")
            self._tasks.run(work, done, lambda _: done(QImage()), self._cancel)

    def _show_image(self, size: QSize, image: QImage) -> None:
        if image.isNull():
            self._view.show_words(self.tr("This picture is damaged."))
        else:
            self._view.show_image(image, size if size.isValid() else image.size())

    def _step(self, by: int) -> None:
        if 0 <= self._index + by < len(self._pictures):
            self._index += by
            self._show()

    def _copy_it(self) -> None:
        shown = self._cancel

        def confirm() -> None:
            if not shown.cancelled:  # else it is about another picture, or closed
                self._copy.confirm()

        copy_picture(self._picture, self._tasks, confirm)

    def _ask_where(self) -> None:
        dialog = QFileDialog(self, self.tr("Save picture"))
        dialog.setObjectName("savePictureDialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        open_in_last_folder(dialog, FolderPurpose.PICTURES)
        dialog.selectFile(suggested_name(self._picture, self.tr("Picture")))
        dialog.fileSelected.connect(self._save)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _save(self, path: str) -> None:
        try:
            write_bytes(Path(path), self._picture.content)
        except UserError as error:
            self._problem.setText(f"{translate_text(error.message)} {translate_text(error.hint)}")
            self._problem.show()
        else:
            self._problem.hide()

    def done(self, result: int) -> None:
        self._cancel.cancel()
        super().done(result)


def copy_picture(picture: Picture, tasks: TaskQueue | None, copied: Callable[[], None] = lambda: None) -> None:
    """`tasks`: to decode it in the background; None: at once."""

    def put_on_clipboard(image: QImage) -> None:
        if not image.isNull():
            QGuiApplication.clipboard().setImage(image)
            copied()

    work = partial(decode_picture, picture.content)
    if tasks is None:
        put_on_clipboard(work())
    else:
        tasks.run(work, put_on_clipboard, lambda _: None)


def suggested_name(picture: Picture, otherwise: str) -> str:
    """Without a folder, which a name from elsewhere may have, and with the right end."""
    header = read_picture_header(picture.content)
    suffixes = _SUFFIXES[header.format] if header is not None else ("",)
    name = picture.name.replace("\\", "/").rpartition("/")[2].strip(". \0") or otherwise
    return name if name.lower().endswith(suffixes) else f"{Path(name).stem}{suffixes[0]}"
