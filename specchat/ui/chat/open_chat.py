"""The conversation that is shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import dropwhile, takewhile

from PySide6.QtCore import QObject, Signal

from specchat.domain.conversations import Attachment, Conversation, ConversationSettings, StoredMessage
from specchat.domain.errors import DamagedChatsError, StillAnsweringError, UserError
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.messages import DeletedMessage, Messages
from specchat.ui.chat.answers import Answers, RunningAnswer
from specchat.ui.chat.entries import Entries
from specchat.ui.composer.composer import Composer
from specchat.ui.transcript.values import Entry
from specchat.ui.transcript.view import TranscriptView
from specchat.ui.words.damage import salvage_hint
from specchat.ui.words.titles import shown_title


class OpenChat(QObject):
    opened = Signal(Conversation)
    """Or it has another title or settings now."""
    left = Signal()
    """For another one."""
    list_changed = Signal()
    path_changed = Signal()
    """Other messages are shown, or the last one is complete."""
    failed = Signal(UserError, object, str)
    """What went wrong, and what may help with the words for it; without words: to try again."""
    kept = Signal()
    """What is typed here."""
    deleted = Signal(int, DeletedMessage, int)
    """In which conversation, what, and how many messages were seen to go."""

    def __init__(
        self,
        conversations: Conversations,
        messages: Messages,
        answers: Answers,
        entries: Entries,
        transcript: TranscriptView,
        composer: Composer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._conversations, self._messages = conversations, messages
        self._answers, self._entries = answers, entries
        self._transcript, self._composer = transcript, composer
        self._kept_files: tuple[Attachment, ...] = ()
        """Of what is not sent in the open chat."""
        self._unkept_files: dict[int, tuple[Attachment, ...]] = {}
        """Of other chats, where they could not be stored."""
        self._shown: list[Entry] = []
        self.conversation: Conversation | None = None
        self.path: list[StoredMessage] = []
        self._connect()

    def open(self, conversation: int, message: int | None = None) -> None:
        """`message`: scroll there, on another path if need be."""
        with self.telling():
            wanted = self._conversations.get(conversation)
            if wanted.trashed is not None:
                raise UserError(self.tr("This chat is in the trash."), self.tr("Restore it from there first."))
            self._leave()
            path, files = self._read(wanted, message)
            if not self.is_open(conversation):
                self.left.emit()
            self._kept_files = files
            self.conversation = self._conversations.get(conversation)
            self._composer.set_text(self.conversation.draft)
            self._composer.set_attachments(self._unkept_files.pop(conversation, self._kept_files))
            self.show(path)
            self.opened.emit(self.conversation)
            if message is not None:
                self._transcript.scroll_to(message)

    def _read(self, wanted: Conversation, message: int | None) -> tuple[list[StoredMessage], tuple[Attachment, ...]]:
        """Before anything of it is shown."""
        try:
            path = self._messages.shown(wanted.id)
            if message is not None and all(shown.id != message for shown in path):
                path = self._messages.show(message)
            return path, self._conversations.unsent_files(wanted.id)
        except DamagedChatsError as error:
            words = self.tr("“{title}” cannot be shown: the file that keeps the chats is damaged.")
            raise DamagedChatsError(words, salvage_hint(), title=shown_title(wanted)) from error

    def new(self, settings: ConversationSettings) -> None:
        with self.telling():
            self.begin(settings)

    def begin(self, settings: ConversationSettings) -> None:
        """What was typed where no chat could be opened belongs to this one."""
        self._leave()
        typed = None if self.conversation else (self._composer.text, self._composer.attachments)
        conversation = self._conversations.new(settings)
        self.list_changed.emit()
        self.open(conversation.id)
        if typed is not None and any(typed):
            self._composer.set_text(typed[0])
            self._composer.set_attachments(typed[1])
            self.keep_draft()

    def chosen(self) -> ConversationSettings | None:
        """For this chat, in which nothing was asked yet; None: something was, or it was deleted."""
        shown = self.conversation
        if shown is None or self.path:
            return None
        return next((each.settings for each in self._conversations.listed() if each.id == shown.id), None)

    def show(self, path: list[StoredMessage]) -> None:
        """Of this conversation. What is on the screen already stays where it is."""
        self.path = path
        before, self._shown = self._shown, [self._entries.entry(message) for message in path]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, self._shown, strict=False)))
        if same == 0:
            self._transcript.show_thread(self._shown)
        else:
            self._transcript.truncate_after(self._shown[same - 1].id)
            for entry in self._shown[same:]:
                self._transcript.append(entry)
        if path:
            self._grow(path[-1].id)
        self._update_composer()
        self.path_changed.emit()

    def show_leaf(self) -> None:
        """What is stored as shown."""
        if self.conversation is not None:
            self.show(self._messages.shown(self.conversation.id))
            self.refresh()

    def change_settings(self, settings: ConversationSettings) -> None:
        if self.conversation is not None:
            with self.telling():
                self._conversations.change_settings(self.conversation.id, settings)
                self.refresh()

    def keep_draft(self) -> None:
        """Once more: the same as `draftChanged` tells, which may have failed."""
        if self.conversation is not None:
            id_ = self.conversation.id
            self._keep(self._conversations.get(id_).draft if self._composer.editing else self._composer.text)

    def refresh(self) -> None:
        """What is known of the conversation has changed."""
        if self.conversation is not None:
            self.conversation = self._conversations.get(self.conversation.id)
            self.opened.emit(self.conversation)

    def was_deleted(self) -> bool:
        """By another program."""
        shown = self.conversation
        return shown is not None and all(each.id != shown.id for each in self._conversations.listed())

    def let_go(self) -> None:
        """Of a conversation that is gone. What is typed goes on in the next one that begins."""
        self._composer.cancel_edit()
        self.conversation = None

    def look_again(self) -> None:
        """Another program may have changed what is shown. An answer or an edit goes on undisturbed."""
        shown = self.conversation
        if shown is None or self._running is not None or self._composer.editing:
            return
        path = self._messages.shown(shown.id)
        if path != self.path:
            self.show(path)
        stored = self._conversations.get(shown.id)
        if (stored.title, stored.pinned, stored.settings) != (shown.title, shown.pinned, shown.settings):
            self.refresh()

    def require_quiet(self) -> int:
        """The conversation, if nothing is being written in it."""
        if self.conversation is None:
            raise UserError(self.tr("No chat is open."), self.tr("Choose one, or begin a new one."))
        running = self._running
        if running is not None and running.unsaved is not None and running.end is not None:
            raise running.unsaved
        if running is not None:
            message, hint = self.tr("An answer is being written here."), self.tr("Wait for it, or stop it first.")
            raise StillAnsweringError(message, hint)
        return self.conversation.id

    def shows(self, message: int) -> bool:
        return bool(self.path) and self.path[-1].id == message

    def is_open(self, conversation: int) -> bool:
        return self.conversation is not None and self.conversation.id == conversation

    @property
    def is_answering(self) -> bool:
        running = self._running
        return running is not None and running.end is None

    @property
    def is_waiting(self) -> bool:
        """For its turn."""
        running = self._running
        return running is not None and not running.growing.has_begun

    @property
    def _running(self) -> RunningAnswer | None:
        return self._answers.of_conversation(self.conversation.id) if self.conversation is not None else None

    @contextmanager
    def telling(self) -> Iterator[None]:
        try:
            yield
        except UserError as error:
            self.failed.emit(error, None, "")

    def _connect(self) -> None:
        self._transcript.branchRequested.connect(self._branch)
        self._transcript.deleteRequested.connect(self._delete)
        self._transcript.versionRequested.connect(self._show_version)
        self._composer.draftChanged.connect(self._save_draft)
        self._composer.attachmentsChanged.connect(self._save_attachments)
        self._answers.grew.connect(self._grow)
        self._answers.ended.connect(self._end)
        self._answers.changed.connect(self._update_composer)

    def _leave(self) -> None:
        self._composer.cancel_edit()
        self._composer.flush()
        if self.conversation is not None and self._composer.attachments != self._kept_files:
            self._unkept_files[self.conversation.id] = self._composer.attachments

    def _update_composer(self) -> None:
        self._composer.set_answering(self.is_answering)

    def _grow(self, message: int) -> None:
        running = self._answers.of_message(message)
        if running is not None and self.shows(message):
            self._transcript.grow(message, running.growing.text, running.growing.marks)

    def _end(self, message: int) -> None:
        self.list_changed.emit()
        if self.shows(message):
            with self.telling():
                *before, last = self._messages.up_to(message)
                self.path = [*before, last]
                self._shown[-1] = self._entries.entry(last)
                self._transcript.finish(self._shown[-1])
                self.path_changed.emit()

    def _branch(self, message: int) -> None:
        with self.telling():
            branch = self._conversations.branch(message)
            self.list_changed.emit()
            self.open(branch.id)

    def _delete(self, message: int) -> None:
        if self.conversation is None:
            return
        with self.telling():
            conversation = self.conversation.id
            self._answers.stop(conversation)
            n_seen = len(list(dropwhile(lambda shown: shown.id != message, self.path)))
            deleted = self._messages.delete(message)
            self.show_leaf()
            self.deleted.emit(conversation, deleted, n_seen)

    def _show_version(self, message: int, step: int) -> None:
        with self.telling():
            self.require_quiet()
            versions = self._messages.versions(message)
            at = versions.index(message) + step
            if 0 <= at < len(versions):
                self.show(self._messages.show(versions[at]))
                self._transcript.scroll_to(versions[at])

    def _save_draft(self, text: str) -> None:
        with self.telling():
            self._keep(text)

    def _save_attachments(self, files: tuple[Attachment, ...]) -> None:
        if not self._composer.editing and files != self._kept_files:
            self._save_draft(self._composer.text)

    def _keep(self, draft: str) -> None:
        if self.conversation is not None:
            self._conversations.save_draft(self.conversation.id, draft)
            files = self._composer.attachments
            if not self._composer.editing and files != self._kept_files:
                self._conversations.save_unsent_files(self.conversation.id, files)
                self._kept_files = files
            self.kept.emit()
