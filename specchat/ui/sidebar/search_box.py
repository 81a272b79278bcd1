"""Boxes for words to search for: one for conversations, and one that filters a list."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_PAUSE_MS = 120


class SearchBox(QLineEdit):
    search_changed = Signal(str)
    """Emitted after a pause in typing; immediately if the field is empty."""
    list_focus_requested = Signal()
    first_hit_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("searchBox")
        self.setAccessibleName(self.tr("Search all chats"))
        self.setPlaceholderText(self.tr("Search chats"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self._lens = QAction(self)
        self._clear = QAction(self.tr("Clear search"), self)
        self._clear.triggered.connect(self.clear)
        self._clear.setVisible(False)
        self.addAction(self._lens, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self.textChanged.connect(self._text_changed)
        self.returnPressed.connect(self.first_hit_requested)
        follow_theme(self._apply_theme)

    @property
    def query(self) -> str:
        return self.text().strip()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._lens.setIcon(icon("search", theme.text_muted, theme.line))
        self._clear.setIcon(icon("close", theme.text_muted, theme.line))

    def _text_changed(self) -> None:
        self._clear.setVisible(bool(self.text()))
        if self.query:
            self._pause.start()
        else:
            self._search()

    def _search(self) -> None:
        self._pause.stop()
        self.search_changed.emit(self.query)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.list_focus_requested.emit()
        else:
            super().keyPressEvent(event)


class FilterBox(SearchBox):
    """Escape clears the field first."""

    def focus_and_select(self) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._empties(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._empties(event):
            self.clear()
        else:
            super().keyPressEvent(event)

    def _empties(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Escape and bool(self.text())
