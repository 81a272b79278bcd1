"""The dialog that lists all keyboard shortcuts."""

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QDialog, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import Separator, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.window_geometry import fit_on_screen
from specchat.ui.window.shortcuts import GROUPS, Shortcut, translate_shortcut

_COLUMNS = ((0, 2), (1, 3))
"""The groups in each column, from top to bottom."""
_SIDE = 3 * GRID
_LINES_APART = GRID * 3 // 4
_GROUPS_APART = 2 * GRID
_COLUMNS_APART = 5 * GRID


class ShortcutsDialog(QDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutsDialog")
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAccessibleName(self.tr("Keyboard shortcuts"))
        self._close = TextButton(self.tr("Close"), self)
        self._close.setObjectName("shortcutsClose")
        self._close.clicked.connect(self.accept)
        self._list = QWidget(self)
        self._columns = QHBoxLayout(self._list)
        self._arrange()
        follow_theme(self._apply_theme)
        fit_on_screen(self)

    def _apply_theme(self) -> None:
        theme = current_theme()
        small = scaled_px(SMALL_PX)
        self.setStyleSheet(
            f"""
            QLabel[part="heading"] {{ color: {theme.text_muted.name()}; font-size: {small}px; font-weight: 600; }}
            QLabel[part="keys"] {{
                color: {theme.text.name()}; background: {theme.sunken.name()}; border: 1px solid {theme.line.name()};
                border-radius: {GRID // 2}px; padding: 1px {GRID * 3 // 4}px; font-size: {small}px;
            }}
            """
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room beside one another, below one another."""
        super().resizeEvent(event)
        if self.isVisible():  # Qt's own first size is narrower than what is asked for
            self._stand_beside(True)
            self._stand_beside(self.width() >= self._view.sizeHint().width())

    def _stand_beside(self, wanted: bool) -> None:
        direction = QBoxLayout.Direction
        self._columns.setDirection(direction.LeftToRight if wanted else direction.TopToBottom)
        self._columns.setSpacing(_COLUMNS_APART if wanted else _GROUPS_APART + _LINES_APART)

    def _arrange(self) -> None:
        self._columns.setContentsMargins(0, _SIDE, 0, _SIDE)
        self._stand_beside(True)
        for places in _COLUMNS:
            self._columns.addLayout(self._column(places))
        self._view = view = ContentScrollArea(self._list, QMargins(_SIDE, 0, _SIDE, 0), self)
        view.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # arrow keys scroll
        view.setAccessibleName(self.windowTitle())
        foot = QHBoxLayout()
        foot.setContentsMargins(_SIDE, 2 * GRID, _SIDE, 2 * GRID)
        foot.addWidget(muted_label(self.tr("Anything you type goes into the message box."), self), 1)
        foot.addWidget(self._close, 0, Qt.AlignmentFlag.AlignRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(view, 1)
        layout.addWidget(Separator(self))
        layout.addLayout(foot)

    def _column(self, places: tuple[int, ...]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * GRID)
        grid.setVerticalSpacing(_LINES_APART)
        grid.setColumnStretch(0, 1)
        for place in places:
            words, shortcuts = GROUPS[place]
            if grid.count():
                grid.setRowMinimumHeight(grid.rowCount(), _GROUPS_APART)
            grid.addWidget(self._label(translate_shortcut(words), "heading"), grid.rowCount(), 0, 1, 2)
            for shortcut in shortcuts:
                self._add(grid, shortcut)
        grid.setRowStretch(grid.rowCount(), 1)
        return grid

    def _add(self, grid: QGridLayout, shortcut: Shortcut) -> None:
        row = grid.rowCount()
        keys = [sequence.toString(QKeySequence.SequenceFormat.NativeText) for sequence in shortcut.key_sequences()]
        words = self._label(translate_shortcut(shortcut.explanation or shortcut.text), "words")
        words.setAccessibleName(f"{words.text()}: {', '.join(keys)}")
        caps = QHBoxLayout()
        caps.setSpacing(GRID // 2)
        caps.addStretch()
        for key in keys:
            caps.addWidget(self._label(key, "keys"))
        grid.addWidget(words, row, 0)
        grid.addLayout(caps, row, 1)

    def _label(self, words: str, part: str) -> QLabel:
        label = QLabel(words, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("part", part)
        return label
