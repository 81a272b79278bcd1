"""The list of prompts above the composer."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from specchat.domain.stored_prompt import StoredPrompt
from specchat.services.chat.titles import one_line
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.theme import GRID, RADIUS, SMALL_PX, body_font, scaled_px
from specchat.ui.widgets.theme_service import current_theme

_MOST_ROWS = 8
_ROW = 4 * GRID
_WIDEST = 60 * GRID
_SHARE_OF_NAME = 0.6
_PREVIEW = Qt.ItemDataRole.UserRole
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class PromptPopup(QFrame):
    """Never has the keyboard: who types goes on typing."""

    chosen = Signal(int)
    """The number of a prompt."""
    library_requested = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("promptPopup")
        self.setAccessibleName(self.tr("Prompts"))
        self._list = QListWidget(self)
        self._list.setObjectName("promptList")
        self._list.setAccessibleName(self.tr("Prompts"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setItemDelegate(_PromptDelegate(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setStyleSheet("QListWidget { border: none; background: transparent; padding: 0; }")
        self._list.itemClicked.connect(lambda item: self.chosen.emit(self._list.row(item)))
        self._words = QLabel(self.tr("Your prompt library is empty."), self)
        self._words.setProperty("muted", True)
        self._manage = TextButton("", self)
        self._manage.setObjectName("managePromptsButton")
        self._manage.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._manage.clicked.connect(self.library_requested)
        below = QHBoxLayout()
        below.setContentsMargins(GRID, 0, 0, 0)
        below.addWidget(self._words)
        below.addStretch(1)
        below.addWidget(self._manage)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._list)
        layout.addLayout(below)
        self.hide()

    @property
    def current(self) -> int:
        """-1: the library is empty."""
        return self._list.currentRow()

    def show_prompts(self, prompts: Sequence[StoredPrompt], above: QWidget) -> None:
        """None at all: the library is empty."""
        self._list.clear()
        for prompt in prompts:
            item = QListWidgetItem(prompt.name, self._list)
            item.setData(_PREVIEW, one_line(prompt.text))
        self._list.setVisible(bool(prompts))
        self._words.setVisible(not prompts)
        self._manage.setText(self.tr("Manage prompts…") if prompts else self.tr("Add a prompt…"))
        self._list.setFixedHeight(min(len(prompts), _MOST_ROWS) * scaled_px(_ROW))
        self._list.setCurrentRow(0 if prompts else -1)
        self.place(above)
        self.show()
        self.raise_()
        announce(self, self._words.text() if not prompts else prompts[0].name)

    def step(self, by: int) -> None:
        """From the last one to the first, and back."""
        if self._list.count():
            self._list.setCurrentRow((self._list.currentRow() + by) % self._list.count())
            announce(self, self._list.currentItem().text(), at_once=True)

    def place(self, above: QWidget) -> None:
        self.setFixedWidth(min(above.width(), scaled_px(_WIDEST)))
        self.adjustSize()
        corner = above.mapTo(self.window(), QPoint(0, 0))
        self.move(corner.x(), max(0, corner.y() - self.height() - GRID // 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.line, 1))
        painter.setBrush(theme.surface)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)


class _PromptDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, scaled_px(_ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, font = current_theme(), body_font(SMALL_PX)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            is_current = bool(option.state & QStyle.StateFlag.State_Selected)
            painter.setBrush(theme.selected if is_current else theme.hover)
            painter.drawRoundedRect(QRectF(option.rect), RADIUS - 2, RADIUS - 2)
        painter.setFont(font)
        metrics, text = QFontMetrics(font), option.rect.adjusted(GRID, 0, -GRID, 0)
        name = metrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, int(text.width() * _SHARE_OF_NAME))
        painter.setPen(theme.text)
        painter.drawText(text, _LEFT, name)
        preview = QRect(text)
        preview.setLeft(text.left() + metrics.horizontalAdvance(name) + 2 * GRID)
        painter.setPen(theme.text_muted)
        words = metrics.elidedText(index.data(_PREVIEW), Qt.TextElideMode.ElideRight, preview.width())
        painter.drawText(preview, _LEFT, words)
        painter.restore()
