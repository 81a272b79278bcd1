"""Opens the About dialog, which is created on first use."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from specchat.services.lazy import Lazy
from specchat.services.program.licences import Licences
from specchat.services.program.update_checker import UpdateChecker

if TYPE_CHECKING:
    from specchat.ui.about.controller import AboutController
    from specchat.ui.about.dialog import AboutDialog


class AboutLauncher(QObject):
    def __init__(self, updates: UpdateChecker, licences: Licences, logs: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self._updates, self._licences, self._logs = updates, licences, logs
        self._window = parent
        self._controller = Lazy(self._make)

    def open(self) -> "AboutDialog":
        dialog = self._controller().dialog
        dialog.open_first_page()
        return dialog

    def close(self) -> None:
        if controller := self._controller.created_value:
            controller.close()

    def _make(self) -> "AboutController":
        from specchat.ui.about.controller import AboutController

        return AboutController(self._updates, self._licences, self._logs, self._window)
