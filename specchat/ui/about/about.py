"""Does what the dialog about specchat asks for."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import UserError
from specchat.services.program.licences import Licences, Part
from specchat.services.program.updates import Updates
from specchat.ui.about.dialog import AboutDialog
from specchat.ui.opened_outside import open_address, open_folder
from specchat.ui.threads.newest import Newest, Tell
from specchat.ui.threads.tasks import Tasks
from specchat.ui.widgets.link_question import asked_to_open
from specchat.ui.widgets.theme import Theme
from specchat.ui.words.said import in_words


class About(QObject):
    def __init__(self, updates: Updates, licences: Licences, logs: Path, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._updates, self._licences, self._logs = updates, licences, logs
        self.dialog = AboutDialog(updates.host, theme, parent)
        self._tasks = Tasks(logs, self), Tasks(logs, self)
        self._asking, self._reading = (Newest(tasks, parent=self) for tasks in self._tasks)
        self._page, self._shown = self.dialog.specchat, self.dialog.licences
        self._page.logsWanted.connect(self._open_logs)
        self._page.updates.asked.connect(self._ask)
        self._page.updates.stopped.connect(self._stop_asking)
        self._page.updates.pageWanted.connect(self._offer)
        self._shown.partsWanted.connect(self._list)
        self._shown.textWanted.connect(self._read)
        self._shown.homepageWanted.connect(self._offer)
        self.dialog.finished.connect(self._left)

    def close(self) -> None:
        """Nobody waits for answers any more."""
        self._asking.stop()
        self._reading.stop()
        for tasks in self._tasks:
            tasks.close()

    def _ask(self) -> None:
        def ask(cancel: CancelToken, tell: Tell) -> None:
            tell(partial(self._page.updates.show_update, self._updates.newer(cancel)))

        self._page.updates.show_asking()
        self._asking.begin(ask, self._page.updates.show_error)

    def _stop_asking(self) -> None:
        self._asking.stop()
        self._page.updates.show_idle()

    def _left(self) -> None:
        self._stop_asking()
        self._page.tell("")

    def _list(self) -> None:
        def read(_: CancelToken, tell: Tell) -> None:
            tell(partial(self._shown.show_parts, self._licences.parts()))

        self._reading.begin(read, self._shown.show_problem)

    def _read(self, part: Part) -> None:
        def read(_: CancelToken, tell: Tell) -> None:
            tell(partial(self._shown.show_text, self._licences.text(part)))

        self._reading.begin(read, self._show_unread)

    def _show_unread(self, error: UserError) -> None:
        self._shown.show_text(f"{in_words(error.message)}\n{in_words(error.hint)}")

    def _open_logs(self) -> None:
        if open_folder(self._logs):
            self._page.tell("")
        else:
            words = self.tr("No program here shows folders. The logs are in {folder}.")
            self._page.tell(words.format(folder=self._logs))

    def _offer(self, address: str) -> None:
        if asked_to_open(address, self.dialog):
            open_address(address)
