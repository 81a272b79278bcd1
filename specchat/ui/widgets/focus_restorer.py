"""Returns the keyboard focus to the widget that had it before."""

import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget


class FocusRestorer(QObject):
    """Knows who had the keyboard before it came into `place`, to hand it back."""

    def __init__(self, place: QWidget) -> None:
        super().__init__(place)
        self._place = place
        self._before: QWidget | None = None
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._remember)

    def restore_focus(self) -> None:
        before = self._before
        if before is not None and shiboken6.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._place.clearFocus()

    def _remember(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and self._holds(now) and not self._holds(before):
            self._before = before

    def _holds(self, widget: QWidget | None) -> bool:
        return widget is not None and (widget is self._place or self._place.isAncestorOf(widget))
