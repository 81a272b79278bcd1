"""Shows the attached files as chips in as many rows as they need."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QWidget

from specchat.domain.conversations import Attached, Attachment
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.ui.documents.document_text import document_icon, document_length
from specchat.ui.pictures.thumbnails import Thumbnails, paint_thumbnail
from specchat.ui.recordings.recording_text import RECORDING_ICON, recording_length, recording_name
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.theme import GRID, RADIUS, SMALL_PX, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.number_format import SEPARATOR, format_number

_HEIGHT, _PICTURE_HEIGHT = 28, 56
_GAP = GRID // 2
_MOST = 2 * (_PICTURE_HEIGHT + _GAP)
_WIDEST_NAME = 20 * GRID
_ICON = QSize(2 * GRID, 2 * GRID)


class RemoveButton(IconButton):
    """Delete works as well as a click."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.click()
        else:
            super().keyPressEvent(event)


class _Thumbnail(QWidget):
    def __init__(self, picture: Picture, thumbnails: Thumbnails, parent: QWidget) -> None:
        super().__init__(parent)
        self._picture, self._thumbnails = picture, thumbnails
        self.setFixedSize(_PICTURE_HEIGHT - GRID, _PICTURE_HEIGHT - GRID)
        thumbnails.loaded.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        image = self._thumbnails.image(self._picture)
        paint_thumbnail(painter, image, QRectF(self.rect()), current_theme(), RADIUS - 4)


class AttachmentChip(QFrame):
    remove_requested = Signal(QFrame)
    opened = Signal(object)
    """With what it stands for."""

    def __init__(self, attachment: Attached, thumbnails: Thumbnails, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("attachmentChip")
        self.setToolTip(tooltip_text(attachment.name))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.attachment = attachment
        is_picture = isinstance(attachment, Picture)
        self.full_height = _PICTURE_HEIGHT if is_picture else _HEIGHT
        self._file = QLabel(self)
        if is_picture:
            self._file.hide()
        self._name = QLabel(self)
        self._name.setProperty("small", True)
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._tokens = QLabel(self)
        self._tokens.setProperty("muted", True)
        self._tokens.setFont(tabular_figures(body_font(SMALL_PX)))
        self._length = _length(attachment)
        self._tokens.setText(self._length)
        self._tokens.setVisible(bool(self._length))
        name = recording_name(attachment) if isinstance(attachment, Recording) else attachment.name
        name = name or self.tr("Picture")
        self._full_name = name
        self.remove = RemoveButton("close", self.tr("Remove {name}").format(name=name), self)
        self.remove.setObjectName("removeAttachment")
        self.remove.setIconSize(_ICON)
        self.remove.setFixedSize(3 * GRID, 3 * GRID)
        self.remove.setCursor(Qt.CursorShape.ArrowCursor)
        self.remove.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # who clicks goes on typing
        self.remove.clicked.connect(self._removed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID // 2 if is_picture else GRID, 0, 2, 0)
        layout.setSpacing(GRID * 3 // 4)
        if isinstance(attachment, Picture):
            layout.addWidget(_Thumbnail(attachment, thumbnails, self))
        for widget in (self._file, self._name, self._tokens, self.remove):
            layout.addWidget(widget)
        follow_theme(self._apply_theme)

    def set_tokens(self, tokens: int, *, searched: bool, is_estimate: bool) -> None:
        """`searched`: only passages of it are read."""
        template = self.tr("1 token") if tokens == 1 else self.tr("{n} tokens")
        if is_estimate or not isinstance(self.attachment, Attachment):
            template = self.tr("about 1 token") if tokens == 1 else self.tr("about {n} tokens")
        words = self.tr("searched") if searched else template.format(n=format_number(tokens))
        words = SEPARATOR.join(filter(None, (self._length, words)))
        self._tokens.setText(words)
        self._tokens.show()
        self.remove.setAccessibleDescription(words)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._file.setPixmap(
            icon(_icon(self.attachment), theme.text_muted, theme.line).pixmap(_ICON, self.devicePixelRatio())
        )

    def fit_to_width(self, room: int) -> QSize:
        """Shortens the name to what the room allows."""
        self._name.setText(self._full_name)
        too_wide = self.sizeHint().width() - room
        width = min(_WIDEST_NAME, self._name.sizeHint().width() - max(0, too_wide))
        self._name.setText(self._name.fontMetrics().elidedText(self._full_name, Qt.TextElideMode.ElideMiddle, width))
        return QSize(min(self.sizeHint().width(), room), self.full_height)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # else its release would go elsewhere

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.opened.emit(self.attachment)

    def _removed(self) -> None:
        self.remove_requested.emit(self)


def _icon(attachment: Attached) -> str:
    return RECORDING_ICON if isinstance(attachment, Recording) else document_icon(attachment.name)


def _length(attachment: Attached) -> str:
    if isinstance(attachment, Recording):
        return recording_length(attachment)
    return document_length(attachment.name, attachment.text) if isinstance(attachment, Attachment) else ""


class AttachmentChips(QScrollArea):
    changed = Signal()
    emptied = Signal()
    """By the keyboard or a click: nothing here can have the focus any more."""
    opened = Signal(object)

    def __init__(self, parent: QWidget, thumbnails: Thumbnails) -> None:
        super().__init__(parent)
        self.setObjectName("attachments")
        self.setAccessibleName(self.tr("Attachments"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._thumbnails = thumbnails
        self._chips: list[AttachmentChip] = []
        self._inside = QWidget(self)
        self.setWidget(self._inside)
        self.viewport().setAutoFillBackground(False)
        self._inside.setAutoFillBackground(False)
        self.hide()
        follow_theme(self._apply_theme)

    @property
    def attachments(self) -> tuple[Attached, ...]:
        return tuple(chip.attachment for chip in self._chips)

    @property
    def tab_stops(self) -> list[QWidget]:
        return [chip.remove for chip in self._chips]

    def set_attachments(self, attachments: Sequence[Attached]) -> None:
        if tuple(attachments) == self.attachments:
            return
        before = {chip.attachment: chip for chip in self._chips}
        self._chips = [
            before.pop(attachment) if attachment in before else self._chip(attachment) for attachment in attachments
        ]
        for chip in before.values():
            chip.hide()
            chip.deleteLater()
        self._arrange()
        self.changed.emit()

    def set_tokens(self, index: int, tokens: int, *, searched: bool, is_estimate: bool) -> None:
        if index < len(self._chips):
            self._chips[index].set_tokens(tokens, searched=searched, is_estimate=is_estimate)
            self._arrange()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(f"#attachmentChip {{ background: {theme.sunken.name()}; border-radius: {RADIUS - 2}px; }}")
        self._arrange()

    def _chip(self, attachment: Attached) -> AttachmentChip:
        chip = AttachmentChip(attachment, self._thumbnails, self._inside)
        chip.remove_requested.connect(self._remove)
        chip.opened.connect(self.opened)
        chip.show()
        return chip

    def _remove(self, chip: AttachmentChip) -> None:
        index = self._chips.index(chip)
        del self._chips[index]
        if self._chips and chip.remove.hasFocus():
            self._chips[min(index, len(self._chips) - 1)].remove.setFocus(Qt.FocusReason.OtherFocusReason)
        elif not self._chips:
            self.emptied.emit()
        chip.hide()
        chip.deleteLater()
        self._arrange()
        self.changed.emit()

    def _arrange(self) -> None:
        room = self.viewport().width()
        x = y = height = 0
        for chip in self._chips:  # pictures come first: no chip is higher than the first one of its row
            size = chip.fit_to_width(room)
            if x and x + size.width() > room:
                x, y, height = 0, y + height + _GAP, 0
            height = height or size.height()
            chip.setGeometry(x, y + (height - size.height()) // 2, size.width(), size.height())
            x += size.width() + _GAP
        self._inside.resize(room, y + height)
        self.setFixedHeight(min(y + height, _MOST))
        self.setVisible(bool(self._chips))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
