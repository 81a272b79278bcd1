"""Reports how the last run ended and records the state of this run for the next one."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from specchat.domain.conversations import Conversation
from specchat.domain.errors import MemoryShortageError, UserError
from specchat.services.program.run_tracker import RunTracker
from specchat.ui.app_controller import AppController
from specchat.ui.desktop_services import open_folder
from specchat.ui.widgets.documents_folder import documents_folder
from specchat.ui.words.joined_names import join_names

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.run_ending import RunEnding

_FILE = "specchat-crash.txt"


class LastRunReporter(QObject):
    def __init__(self, controller: AppController, runs: RunTracker, last: "RunEnding | None") -> None:
        super().__init__(controller)
        self._app, self._runs, self._last = controller, runs, last
        controller.notifications.gpu_disable_requested.connect(self._do_without_graphics)
        controller.pair.load_progressed.connect(lambda name, _: runs.note_loading(name))
        controller.session.pair_changed.connect(self._note_idle)
        controller.chat_files.importing_changed.connect(lambda wanted: runs.note_importing(is_importing=wanted))

    def _note_idle(self) -> None:
        if not self._app.pair.is_loading:
            self._runs.note_idle()

    def start(self) -> None:
        """After the first paint."""
        self._runs.note_window()
        crash = self._last if self._last is not None and self._last.reason else None
        self._tell_what_is_kept(has_reason=crash is not None)
        if crash is not None:
            self._tell_of_crash(crash)
        elif self._last is not None and self._last.loading:
            message = self.tr("specchat quit unexpectedly while loading {name}. It may have run out of memory.")
            hint = self.tr("{name} wasn't loaded this time.")
            error = MemoryShortageError(message, hint, name=self._last.loading)
            self._app.pair.show_problem(error, self._app.pair.load_last, self.tr("Load anyway"))
        if self._last is not None and self._last.was_importing:
            self._tell_of_import()
        self._tell_of_settings()

    def save_report(self, path: Path) -> None:
        from specchat.services.program.crash_report import build_crash_report, save_report
        from specchat.ui.about.system_details import collect_details, format_report

        assert self._last is not None
        try:
            save_report(path, build_crash_report(format_report(collect_details()), self._last))
        except UserError as error:
            self._app.notifications.show_error(error, self._ask_where_to_save)
        else:
            self._app.notifications.show_notice(self.tr("Saved as {name}").format(name=path.name))

    def _tell_what_is_kept(self, *, has_reason: bool) -> None:
        """`has_reason`: why the program ended is told beside it."""
        cut_off = self._app.services.conversations.find_interrupted()
        show = self.tr("Show")
        if cut_off is not None and has_reason:
            words = self.tr("The interrupted answer was kept.")
            self._app.notifications.show_action_notice(words, show, lambda: self._app.chat.open(cut_off.id))
        elif cut_off is not None:
            message = self.tr("specchat quit unexpectedly during an answer.")
            error = UserError(message, self.tr("Your message was kept, and the answer as far as it was written."))
            self._app.notifications.queue_error(error, lambda: self._app.chat.open(cut_off.id), show)
            self._app.session.conversation_changed.connect(partial(self._seen, cut_off, error))
        elif not self._runs.graphics.is_enabled:
            words = self.tr("specchat is running without the GPU.")
            self._app.notifications.show_action_notice(words, self.tr("Use GPU again"), self._use_graphics_again)

    def _seen(self, told_of: Conversation, error: UserError) -> None:
        if self._app.session.is_open(told_of.id):
            self._app.notifications.dismiss_error(error)

    def _tell_of_import(self) -> None:
        message = self.tr("specchat quit unexpectedly during an import of chats.")
        error = UserError(message, self.tr("None of its chats were added. Import the file again."))
        self._app.notifications.queue_error(error, self._app.chat_files.import_file, self.tr("Import chats…"))

    def _tell_of_settings(self) -> None:
        settings = self._app.services.ui_settings
        name, names = settings.damaged_file_name, settings.reset_names
        if not (name or names):
            return
        message = self.tr("The settings couldn't be read, so they were reset.")
        if names:
            message = self.tr("These settings couldn't be read, so they were reset: {names}.")
        hint = self.tr("The old file was kept as {name} in {folder}.") if name else ""
        folder = self._app.services.config
        self._app.notifications.queue_error(UserError(message, hint, names=join_names(names), name=name, folder=folder))

    def _tell_of_crash(self, run: "RunEnding") -> None:
        actions = (
            (self.tr("Save crash report…"), self._ask_where_to_save),
            (self.tr("Open logs folder"), self._open_logs),
        )
        if run.used_gpu:
            words = self.tr("Continue without the GPU")
            self._app.notifications.queue_error(run.error, self._do_without_graphics, words, actions)
        else:
            self._app.notifications.queue_error(run.error, others=actions)

    def _ask_where_to_save(self) -> None:
        kinds = self.tr("Text (*.txt)")
        chosen, _ = QFileDialog.getSaveFileName(
            self._app.window, self.tr("Save crash report"), str(documents_folder() / _FILE), kinds
        )
        if chosen:
            self.save_report(Path(chosen))

    def _open_logs(self) -> None:
        if not open_folder(self._runs.logs):
            words, hint = self.tr("Couldn't open a file manager."), self.tr("The logs are in {folder}.")
            self._app.notifications.show_error(UserError(words, hint, folder=self._runs.logs))

    def _do_without_graphics(self) -> None:
        try:
            self._runs.graphics.disable()
        except UserError as error:
            self._app.notifications.show_error(error)
        else:
            self._app.pair.reload()

    def _use_graphics_again(self) -> None:
        try:
            self._runs.graphics.enable_on_restart()
        except UserError as error:
            self._app.notifications.show_error(error)
        else:
            self._app.notifications.show_notice(self.tr("specchat will use the GPU again after you restart it."))
