"""How the last run ended is told once the window is there; what the next start should know of this one is noted."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from specchat.domain.conversations import Conversation
from specchat.domain.errors import UserError
from specchat.services.program.runs import Runs
from specchat.ui.desk import Desk
from specchat.ui.opened_outside import open_folder
from specchat.ui.widgets.documents import documents

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.last_run import LastRun

_FILE = "specchat-crash.txt"


class Aftermath(QObject):
    def __init__(self, desk: Desk, runs: Runs, last: "LastRun | None") -> None:
        super().__init__(desk)
        self._desk, self._runs, self._last = desk, runs, last
        desk.notices.without_graphics = self._do_without_graphics
        desk.pair.loading.connect(lambda name, _: runs.note_loading(name))
        for ended in (desk.pair.loaded, desk.pair.gone):
            ended.connect(lambda *_: runs.note_rest())

    def begin(self) -> None:
        """After the first paint."""
        self._runs.note_window()
        crash = self._last if self._last is not None and self._last.reason else None
        self._tell_what_is_kept(has_reason=crash is not None)
        if crash is not None:
            self._tell_of_crash(crash)
        elif self._last is not None and self._last.loading:
            words = self.tr("Perhaps memory ran out while {name} was loading.")
            again = self.tr("Load it again")
            self._desk.notices.offer(words.format(name=self._last.loading), again, self._desk.pair.load_last)
        self._tell_of_settings()

    def save_report(self, path: Path) -> None:
        from specchat.services.program.crash_report import crash_report, save_report
        from specchat.ui.about.details import details, report

        assert self._last is not None
        try:
            save_report(path, crash_report(report(details()), self._last))
        except UserError as error:
            self._desk.notices.tell(error, self._ask_where_to_save)
        else:
            self._desk.notices.notice(self.tr("Saved as {name}").format(name=path.name))

    def _tell_what_is_kept(self, *, has_reason: bool) -> None:
        """`has_reason`: why the program ended is told beside it."""
        cut_off = self._desk.services.conversations.cut_off()
        show = self.tr("Show it")
        if cut_off is not None and has_reason:
            words = self.tr("The answer that was cut off is kept.")
            self._desk.notices.offer(words, show, lambda: self._desk.chat.open(cut_off.id))
        elif cut_off is not None:
            message = self.tr("specchat ended unexpectedly while it was answering.")
            error = UserError(message, self.tr("What was written is kept."))
            self._desk.notices.tell_unasked(error, lambda: self._desk.chat.open(cut_off.id), show)
            self._desk.chat.opened.connect(partial(self._seen, cut_off, error))
        elif not self._runs.graphics.is_wanted:
            words = self.tr("specchat goes on without the graphics card.")
            self._desk.notices.offer(words, self.tr("Use it again"), self._use_graphics_again)

    def _seen(self, told_of: Conversation, error: UserError, opened: Conversation) -> None:
        if opened.id == told_of.id:
            self._desk.notices.tell_settled(error)

    def _tell_of_settings(self) -> None:
        if name := self._desk.services.ui_settings.damaged:
            message = self.tr("The settings could not be read and are as at first.")
            hint = self.tr("What was in the file is kept as {name} in {folder}.")
            self._desk.notices.tell_unasked(UserError(message, hint, name=name, folder=self._desk.services.config))

    def _tell_of_crash(self, run: "LastRun") -> None:
        ways = (
            (self.tr("Save report…"), self._ask_where_to_save),
            (self.tr("Open logs folder"), self._open_logs),
        )
        if run.used_gpu:
            words = self.tr("Go on without graphics card")
            self._desk.notices.tell_unasked(run.error, self._do_without_graphics, words, ways)
        else:
            self._desk.notices.tell_unasked(run.error, others=ways)

    def _ask_where_to_save(self) -> None:
        kinds = self.tr("Text (*.txt)")
        chosen, _ = QFileDialog.getSaveFileName(
            self._desk.window, self.tr("Save report"), str(documents() / _FILE), kinds
        )
        if chosen:
            self.save_report(Path(chosen))

    def _open_logs(self) -> None:
        if not open_folder(self._runs.logs):
            words, hint = self.tr("No program here shows folders."), self.tr("The logs are in {folder}.")
            self._desk.notices.tell(UserError(words, hint, folder=self._runs.logs))

    def _do_without_graphics(self) -> None:
        try:
            self._runs.graphics.do_without()
        except UserError as error:
            self._desk.notices.tell(error)
        else:
            self._desk.pair.load_again()

    def _use_graphics_again(self) -> None:
        try:
            self._runs.graphics.use_again()
        except UserError as error:
            self._desk.notices.tell(error)
        else:
            self._desk.notices.notice(self.tr("The graphics card is used again from the next start on."))
