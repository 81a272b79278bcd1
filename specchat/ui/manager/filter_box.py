"""A search box that filters a list and is cleared with Escape."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from specchat.ui.sidebar.search_box import SearchBox


class FilterBox(SearchBox):
    """Escape empties it; only then it means the window."""

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
