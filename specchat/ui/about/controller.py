"""Handles the requests of the About dialog."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.services.program.licences import LicenceEntry, Licences
from specchat.services.program.update_checker import UpdateChecker
from specchat.ui.about.dialog import AboutDialog
from specchat.ui.desktop_services import open_folder
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.link_confirmation import open_link_after_question
from specchat.ui.words.message_translation import translate_text


class AboutController(QObject):
    def __init__(self, updates: UpdateChecker, licences: Licences, logs: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self._updates, self._licences, self._logs = updates, licences, logs
        self.dialog = AboutDialog(updates.host, parent)
        self._tasks = TaskQueue(logs, self), TaskQueue(logs, self)
        self._asking, self._reading = (LatestTask(tasks, parent=self) for tasks in self._tasks)
        self._page, self._shown = self.dialog.specchat_page, self.dialog.licence_page
        self._page.logs_requested.connect(self._open_logs)
        self._page.update_box.check_requested.connect(self._ask)
        self._page.update_box.stop_requested.connect(self._stop_asking)
        self._page.update_box.page_requested.connect(self._offer)
        self._shown.entries_requested.connect(self._list)
        self._shown.text_requested.connect(self._read)
        self._shown.homepage_requested.connect(self._offer)
        self.dialog.finished.connect(self._left)

    def close(self) -> None:
        """Nobody waits for answers any more."""
        self._asking.stop()
        self._reading.stop()
        for tasks in self._tasks:
            tasks.close()

    def _ask(self) -> None:
        def ask(cancel: CancelToken, post: PostCallback) -> None:
            post(partial(self._page.update_box.show_update, self._updates.find_newer(cancel)))

        self._page.update_box.show_checking()
        self._asking.start(ask, self._page.update_box.show_error)

    def _stop_asking(self) -> None:
        self._asking.stop()
        self._page.update_box.show_idle()

    def _left(self) -> None:
        self._stop_asking()
        self._page.show_message("")

    def _list(self) -> None:
        def read(_: CancelToken, post: PostCallback) -> None:
            post(partial(self._shown.show_entries, self._licences.list_entries()))

        self._reading.start(read, self._shown.show_problem)

    def _read(self, part: LicenceEntry) -> None:
        def read(_: CancelToken, post: PostCallback) -> None:
            post(partial(self._shown.show_text, self._licences.text(part)))

        self._reading.start(read, self._show_unread)

    def _show_unread(self, error: UserError) -> None:
        self._shown.show_text(f"{translate_text(error.message)}\n{translate_text(error.hint)}")

    def _open_logs(self) -> None:
        if open_folder(self._logs):
            self._page.show_message("")
        else:
            words = self.tr("Couldn't open a file manager. The logs are in {folder}.")
            self._page.show_message(words.format(folder=self._logs))

    def _offer(self, address: str) -> None:
        open_link_after_question(address, self.dialog)
