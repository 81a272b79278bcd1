"""Exports chats to files and imports chats from files, in the background."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Conversation, DamagedChat
from specchat.domain.errors import Cancelled, DamagedChatsError, UserError
from specchat.services.chat.chat_salvage import ChatSalvage
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.stored_chats import StoredChats
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.documents_folder import documents_folder
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.damage_texts import damaged_chat_names, salvage_hint
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number

if TYPE_CHECKING:  # most never import any
    from specchat.services.chat.chat_import import ImportReport

T = TypeVar("T")

_EXPORT_ENDINGS = (".json", ".jsonl", ".zip")
_TOLD_AT_MOST = 3
PROGRESS_DELAY_MS = 500
"""A job that finishes sooner shows no progress, only its result."""


@dataclass(slots=True)
class _Work:
    words: str
    """That it is going on."""
    cancel: CancelToken
    is_import: bool = False
    is_long: bool = False


class ChatFiles(QObject):
    importing_changed = Signal(bool)
    """Whether chats are being imported, or wait to be."""

    def __init__(
        self,
        conversations: ConversationService,
        kept_chats: Callable[[], AbstractContextManager[StoredChats]],
        damaged_chats: ChatSalvage,
        notifications: NotificationController,
        chat: ChatController,
        logs: Path,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._conversations, self._kept_chats, self._damaged_chats = conversations, kept_chats, damaged_chats
        self._notifications, self._chat, self._window = notifications, chat, window
        self._tasks = TaskQueue(logs, self)
        self._going: list[_Work] = []
        """The first one runs, the others wait."""
        self._last_folder: Path | None = None
        self._saved = ""
        """What was told last; it would stand beside news of the next file."""
        self._failed: UserError | None = None
        """What was told last of what went wrong."""
        self._patience = QTimer(self, singleShot=True, interval=PROGRESS_DELAY_MS)
        self._patience.timeout.connect(self._tell_going)
        window.sidebar.list.export_requested.connect(self.export)

    @property
    def is_busy(self) -> bool:
        return bool(self._going)

    def export(self, conversations: Sequence[int] | None) -> None:
        """None: all of them."""
        chosen_chats = None if conversations is None else self._without_empty(conversations)
        if chosen_chats == []:
            is_one = conversations is not None and len(conversations) == 1
            words = self.tr("This chat is empty") if is_one else self.tr("These chats are empty")
            self._notifications.show_notice(words)
            return
        chat = chosen_chats[0] if chosen_chats is not None and len(chosen_chats) == 1 else None
        suggested = str(self._folder() / ("specchat.json" if chat is None else f"{_file_name(chat)}.md"))
        kinds = self.tr("Markdown, for reading (*.md);;JSON, complete (*.json)")
        usual = kinds.split(";;")[1 if chat is None else 0]
        chosen, kind = QFileDialog.getSaveFileName(self._window, self.tr("Export"), suggested, kinds, usual)
        if chosen:
            path = Path(chosen)
            self._last_folder = path.parent
            wanted = None if chosen_chats is None else [each.id for each in chosen_chats]
            self.export_to(path if path.suffix else path.with_suffix(".json" if "json" in kind else ".md"), wanted)

    def _without_empty(self, conversations: Sequence[int]) -> list[Conversation]:
        return [chat for chat in map(self._conversations.get, conversations) if chat.leaf is not None]

    def export_to(self, path: Path, wanted: Sequence[int] | None) -> None:
        """None: all of them."""

        def write(cancel: CancelToken) -> tuple[list[int], Sequence[DamagedChat]]:
            try:
                self._damaged_chats.require_intact()
                with self._kept_chats() as kept:
                    return kept.files.write(path, wanted, cancel), ()
            except DamagedChatsError:
                with self._damaged_chats.open_readable() as kept:
                    return kept.files.write(path, wanted, cancel), kept.damaged or ()

        def report(written: tuple[list[int], Sequence[DamagedChat]]) -> None:
            too_large, damaged = written
            words = self.tr("Saved as {name} in {folder}")
            if too_large:
                words = self.tr("Saved as {name} in {folder}, but one of the chats is too large to be imported again.")
            self._saved = words.format(name=path.name, folder=path.parent)
            self._notifications.show_notice(self._saved)
            self._tell_damaged(path.name, [each for each in damaged if wanted is None or each.id in wanted])

        work = _Work(self.tr("Exporting to {name}…").format(name=path.name), CancelToken())
        self._begin(work, write, report)

    def _tell_damaged(self, name: str, chats: Sequence[DamagedChat]) -> None:
        if chats:
            message = self.tr("Exported to {name}, but parts of these chats couldn't be read: {chats}.")
            self._failed = DamagedChatsError(message, salvage_hint(), name=name, chats=damaged_chat_names(chats))
            self._notifications.show_error(self._failed)

    def import_file(self) -> None:
        kinds = self.tr("Exported chats (*.json *.jsonl *.zip *.md)")
        chosen, _ = QFileDialog.getOpenFileNames(self._window, self.tr("Import"), str(self._folder()), kinds)
        if chosen:
            self._last_folder = Path(chosen[0]).parent
            self.import_from(*map(Path, chosen))

    def import_from(self, *paths: Path, opens: bool = True) -> None:
        """`opens`: shows the first chat when it has been imported, unless that took long."""

        def read(cancel: CancelToken) -> "ImportReport":
            with self._kept_chats() as kept:
                return kept.files.import_files(paths, cancel)

        names = ", ".join(path.name for path in paths)
        work = _Work(self.tr("Importing {name}…").format(name=names), CancelToken(), is_import=True)
        self._begin(work, read, partial(self._show, work, names, opens))

    def take_dropped(self, files: Sequence[Path], attach: Callable[[Sequence[Path]], None]) -> None:
        """Exports of chats are imported, other files attached. The chat with the attachments stays open."""
        candidates = [file for file in files if file.suffix.lower() in _EXPORT_ENDINGS]
        if rest := [file for file in files if file not in candidates]:
            attach(rest)

        def sort_out(exports: list[Path]) -> None:
            others = [file for file in candidates if file not in exports]
            if others:
                attach(others)
            if exports:
                self.import_from(*exports, opens=not (rest or others))

        def find() -> list[Path]:
            from specchat.services.chat.chat_import import contains_chats

            return list(filter(contains_chats, candidates))

        if candidates:
            self._tasks.run(find, sort_out, self._notifications.show_error)

    def close(self) -> None:
        """What is not done by now leaves nothing behind."""
        self._patience.stop()
        for work in self._going:
            work.cancel.cancel()
        self._tasks.close()

    def _folder(self) -> Path:
        return self._last_folder or documents_folder()

    def _show(self, work: _Work, names: str, opens: bool, report: "ImportReport") -> None:
        """Who has had to wait may be writing somewhere else by now."""
        self._chat.list_changed.emit()
        added, words = report.added, self._imported_text(report)
        if added and (work.is_long or not opens):
            self._notifications.show_action_notice(words, self.tr("Show"), lambda: self._chat.open(added[0]))
        else:
            if added:
                self._chat.open(added[0])
            self._notifications.show_notice(words)
        self._tell_skipped(names, report)

    def _imported_text(self, report: "ImportReport") -> str:
        words = self.tr("1 chat imported") if len(report.added) == 1 else self.tr("{n} chats imported")
        words = words.format(n=format_number(len(report.added)))
        if report.n_existing:
            more = self.tr("{imported}, {n} already existed")
            return more.format(imported=words, n=format_number(report.n_existing))
        return words

    def _tell_skipped(self, names: str, report: "ImportReport") -> None:
        if not report.skipped:
            return
        unnamed = self.tr("A chat")
        reasons = dict.fromkeys(
            f"{skipped.title or unnamed}: {translate_text(skipped.reason)}" for skipped in report.skipped
        )
        told = " ".join(list(reasons)[:_TOLD_AT_MOST])
        n_skipped = len(report.skipped)
        message = self.tr("1 chat in {name} couldn't be imported.")
        if n_skipped > 1:
            message = self.tr("{n} chats in {name} couldn't be imported.")
        self._failed = UserError(message.format(n=format_number(n_skipped), name=names), told)
        self._notifications.show_error(self._failed)

    def _begin(self, work: _Work, do: Callable[[CancelToken], T], done: Callable[[T], None]) -> None:
        def run() -> Callable[[], None]:
            try:
                work.cancel.check()
                return partial(done, do(work.cancel))
            except Cancelled:
                return _nothing_to_tell

        def end(report: Callable[[], None]) -> None:
            self._end(work)
            report()

        def fail(error: UserError) -> None:
            self._end(work)
            if not work.cancel.cancelled:
                self._failed = error
                self._notifications.show_error(error)

        self._notifications.dismiss_notice(self._saved)
        self._notifications.dismiss_error(self._failed)
        if self._going:
            work.is_long = True
        else:
            self._patience.start()
        self._going.append(work)
        self._tell_importing()
        self._tasks.run(run, end, fail)

    def _end(self, work: _Work) -> None:
        self._going.remove(work)
        self._tell_importing()
        self._notifications.dismiss_notice(work.words)
        self._patience.stop()
        if self._going:
            self._patience.start()

    def _tell_importing(self) -> None:
        self.importing_changed.emit(any(work.is_import for work in self._going))

    def _tell_going(self) -> None:
        work = self._going[0]
        work.is_long = True
        if not work.cancel.cancelled:
            self._notifications.show_progress(work.words, self.tr("Stop"), work.cancel.cancel)


def _nothing_to_tell() -> None:
    """It was stopped."""


def _file_name(conversation: Conversation) -> str:
    kept = "".join(character if character.isalnum() or character in " -_" else " " for character in conversation.title)
    return " ".join(kept.split()) or "chat"
