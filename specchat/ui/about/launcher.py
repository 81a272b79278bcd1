"""Opens the About dialog, which is created on first use."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

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
        self._about: AboutController | None = None

    def open(self) -> "AboutDialog":
        if self._about is None:
            from specchat.ui.about.controller import AboutController

            self._about = AboutController(self._updates, self._licences, self._logs, self._window)
        self._about.dialog.open_first_page()
        return self._about.dialog

    def close(self) -> None:
        if self._about is not None:
            self._about.close()
