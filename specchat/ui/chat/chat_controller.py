"""Controls the open conversation: its messages and its settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import dropwhile, takewhile, zip_longest

from PySide6.QtCore import QObject, Signal

from specchat.domain.conversations import Attached, Conversation, ConversationSettings, StoredMessage
from specchat.domain.errors import DamagedChatsError, StillAnsweringError, UserError
from specchat.domain.types import Role
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import DeletedMessage, MessageService
from specchat.services.settings.preset_service import BALANCED, PRECISE
from specchat.ui.chat.entry_builder import EntryBuilder
from specchat.ui.chat.running_answers import RunningAnswer, RunningAnswers
from specchat.ui.chat.unsent_messages import UnsentMessages
from specchat.ui.composer.composer import Composer
from specchat.ui.documents.document_links import is_document_link
from specchat.ui.session import Session
from specchat.ui.transcript.entries import Entry
from specchat.ui.transcript.transcript_view import TranscriptView
from specchat.ui.widgets.link_confirmation import open_link_after_question
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.chat_titles import display_title
from specchat.ui.words.damage_texts import salvage_hint


class ChatController(QObject):
    conversation_opened = Signal()
    """Also one that was open already."""
    leaving = Signal(int)
    """The open conversation is about to be left; also when it is opened again."""
    chat_left = Signal()
    """For another one."""
    list_changed = Signal()
    message_deleted = Signal(int, DeletedMessage, int)
    """In which conversation, what, and how many messages were seen to go."""

    def __init__(
        self,
        session: Session,
        conversations: ConversationService,
        messages: MessageService,
        answers: RunningAnswers,
        entries: EntryBuilder,
        transcript: TranscriptView,
        composer: Composer,
        notifications: NotificationController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._notifications = session, notifications
        self._conversations, self._messages = conversations, messages
        self._answers, self._entries = answers, entries
        self._transcript, self._composer = transcript, composer
        self._shown: list[Entry] = []
        self._calling: set[int] = set()
        """Conversations for which a tool runs."""
        self._usual_settings: ConversationSettings | None = None
        self.unsent = UnsentMessages(session, conversations, composer, notifications, self)
        self._connect()

    def open(self, conversation: int, message: int | None = None) -> None:
        """`message`: scroll there, on another path if need be."""
        with self.reporting_errors():
            wanted = self._conversations.get(conversation)
            if wanted.trashed is not None:
                raise UserError(self.tr("This chat is in the trash."), self.tr("Restore it first."))
            self._leave()
            path, files = self._read(wanted, message)
            if not self._session.is_open(conversation):
                self._composer.attaching.abandon()
                self.chat_left.emit()
            opened = self._conversations.get(conversation)
            self.unsent.show_text(opened)
            self._show_messages(path)
            self._session.open(opened, path)
            self._show_running_answer()
            self.unsent.show_attachments(files, conversation)
            self.conversation_opened.emit()
            if message is not None:
                self._transcript.scroll_to(message)

    def _read(self, wanted: Conversation, message: int | None) -> tuple[list[StoredMessage], tuple[Attached, ...]]:
        """Before anything of it is shown."""
        try:
            path = self._messages.shown_path(wanted.id)
            if message is not None and all(shown.id != message for shown in path):
                path = self._messages.select_version(message)
            return path, self._conversations.unsent_files(wanted.id)
        except DamagedChatsError as error:
            words = self.tr("Can't show “{title}”: the chat database is damaged.")
            raise DamagedChatsError(words, salvage_hint(), title=display_title(wanted)) from error

    def open_newest(self) -> None:
        listed = self._conversations.list_all()
        if listed and listed[0].leaf is None:
            self.open(listed[0].id)
            self._composer.focus()
        else:
            self.new_chat()

    def new_chat(self, project: int | None = None) -> None:
        with self.reporting_errors():
            self.start_chat(self._empty_chat_settings(), project)
        self._composer.focus()

    def start_chat(self, settings: ConversationSettings | None = None, project: int | None = None) -> None:
        """What was typed where no chat could be opened belongs to this one."""
        self._leave()
        typed = None if self._session.conversation else (self._composer.text, self._composer.attachments)
        conversation = self._conversations.create(settings or self._settings_of_new_chats(), project)
        self.list_changed.emit()
        self.open(conversation.id)
        if typed is not None and any(typed):
            self._composer.set_text(typed[0])
            self._composer.set_attachments(typed[1])
            self.unsent.save()

    def _empty_chat_settings(self) -> ConversationSettings | None:
        """For this chat, in which nothing was asked yet; None: something was, or it was deleted."""
        shown = self._session.conversation
        if shown is None or self._session.path:
            return None
        return next((each.settings for each in self._conversations.list_all() if each.id == shown.id), None)

    def _settings_of_new_chats(self) -> ConversationSettings:
        return PRECISE if self._session.has_demo else BALANCED

    def _suit_empty_chat(self) -> None:
        """Where nothing was asked yet the chat begins as a new one would with these models."""
        before, self._usual_settings = self._usual_settings, self._settings_of_new_chats()
        shown = self._session.conversation
        if shown is not None and not self._session.path and shown.settings == before != self._usual_settings:
            self.change_settings(self._usual_settings)

    def show_path(self, path: list[StoredMessage]) -> None:
        """Of this conversation."""
        self._show_messages(path)
        self._session.set_path(path)
        self._show_running_answer()

    def _show_messages(self, path: list[StoredMessage]) -> None:
        """What is on the screen already stays where it is."""
        shown = [each for each, below in zip_longest(path, path[1:]) if _is_shown(each, below)]
        before, self._shown = self._shown, [self._entries.build_entry(message) for message in shown]
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, self._shown, strict=False)))
        if same == 0:
            self._transcript.show_entries(self._shown)
        else:
            self._transcript.truncate_after(self._shown[same - 1].id)
            for entry in self._shown[same:]:
                self._transcript.append(entry)

    def _show_running_answer(self) -> None:
        if self._session.path:
            self._grow(self._session.path[-1].id)
        self._update_composer()

    def reload_path(self) -> None:
        """What is stored as shown."""
        if self._session.conversation is not None:
            self.show_path(self._messages.shown_path(self._session.conversation.id))
            self.refresh()

    def change_settings(self, settings: ConversationSettings, conversation: int | None = None) -> None:
        """Of the open one, unless another one is given."""
        if conversation is None and self._session.conversation is not None:
            conversation = self._session.conversation.id
        if conversation is not None:
            with self.reporting_errors():
                self._conversations.change_settings(conversation, settings)
                self.refresh()

    def find_unsaved_message(self) -> UserError | None:
        """Tries to save what isn't sent. Returns why that fails, if something would be lost."""
        self._composer.flush()
        try:
            if self._session.conversation is None and any((self._composer.text.strip(), self._composer.attachments)):
                self.start_chat()
            self.unsent.save_all()
        except UserError as error:
            return error
        return None

    def refresh(self) -> None:
        """What is known of the conversation has changed."""
        if self._session.conversation is not None:
            self._session.set_conversation(self._conversations.get(self._session.conversation.id))

    def is_deleted(self) -> bool:
        """By another program."""
        shown = self._session.conversation
        return shown is not None and not self.lists(shown.id)

    def lists(self, conversation: int) -> bool:
        """Whether it exists and isn't in the trash."""
        return any(each.id == conversation for each in self._conversations.list_all())

    def detach_conversation(self) -> None:
        """Closes a conversation that was deleted elsewhere; what is typed goes on in the next one."""
        self._composer.cancel_edit()
        self._session.set_conversation(None)

    def sync_with_store(self) -> None:
        """Another program may have changed what is shown. An answer or an edit goes on undisturbed."""
        shown = self._session.conversation
        if shown is None or self._running is not None or self._composer.is_editing:
            return
        path = self._messages.shown_path(shown.id)
        if path != self._session.path:
            self.show_path(path)
        stored = self._conversations.get(shown.id)
        if (stored.title, stored.pinned, stored.settings) != (shown.title, shown.pinned, shown.settings):
            self.refresh()

    def require_idle(self) -> int:
        """The conversation, if nothing is being written in it."""
        if self._session.conversation is None:
            raise UserError(self.tr("No chat is open."), self.tr("Choose a chat, or start a new one."))
        running = self._running
        if running is not None and running.save_error is not None and running.end is not None:
            raise running.save_error
        if running is not None:
            message, hint = (
                self.tr("The model is still answering in this chat."),
                self.tr("Wait for the answer, or stop it first."),
            )
            raise StillAnsweringError(message, hint)
        if self._session.conversation.id in self._calling:
            raise StillAnsweringError(
                self.tr("A tool is still running in this chat."), self.tr("Wait, or stop it first.")
            )
        return self._session.conversation.id

    @property
    def calling(self) -> frozenset[int]:
        """The conversations for which a tool runs."""
        return frozenset(self._calling)

    def set_calling(self, conversation: int, *, calling: bool) -> None:
        """A tool runs for it."""
        (self._calling.add if calling else self._calling.discard)(conversation)
        self._update_composer()

    @property
    def is_answering(self) -> bool:
        running = self._running
        return (running is not None and running.end is None) or self._is_calling

    @property
    def _is_calling(self) -> bool:
        return self._session.conversation is not None and self._session.conversation.id in self._calling

    @property
    def is_waiting(self) -> bool:
        """For its turn."""
        running = self._running
        return running is not None and not running.streamed.has_begun

    @property
    def _running(self) -> RunningAnswer | None:
        return (
            self._answers.of_conversation(self._session.conversation.id)
            if self._session.conversation is not None
            else None
        )

    @contextmanager
    def reporting_errors(self) -> Iterator[None]:
        try:
            yield
        except UserError as error:
            self._notifications.show_error(error)
            self.unsent.retry_after(error)

    def _connect(self) -> None:
        self._transcript.branch_requested.connect(self._branch)
        self._transcript.delete_requested.connect(self._delete)
        self._transcript.version_requested.connect(self._show_version)
        self._transcript.link_requested.connect(self._open_link)
        self._composer.attaching.started.connect(self._notifications.dismiss_attachment_error)
        self._composer.attaching.rejected.connect(self._notifications.show_attachment_error)
        self._composer.attaching.pictures_refused.connect(self._notifications.show_no_vision)
        self._answers.updated.connect(self._grow)
        self._answers.ended.connect(self._end)
        self._answers.changed.connect(self._update_composer)
        self._answers.save_failed.connect(self._notifications.show_error)
        self._answers.save_recovered.connect(self._notifications.show_save_recovered)
        self._session.pair_loaded.connect(self._suit_empty_chat)
        self._session.pair_changed.connect(self._update_vision)

    def _leave(self) -> None:
        if self._session.conversation is not None:
            self.leaving.emit(self._session.conversation.id)
        self._composer.cancel_edit()
        self.unsent.leave()

    def _update_vision(self) -> None:
        self._composer.attaching.set_vision(self._session.sees_pictures)

    def _update_composer(self) -> None:
        self._composer.set_answering(self.is_answering)

    def _grow(self, message: int) -> None:
        running = self._answers.of_message(message)
        if running is not None and self._session.is_last_message(message):
            self._transcript.update_text(message, running.streamed.text, running.streamed.marks)

    def _end(self, message: int) -> None:
        self._notifications.dismiss_error_type(StillAnsweringError)
        self.list_changed.emit()
        if self._session.is_last_message(message):
            with self.reporting_errors():
                *before, last = self._messages.path_to(message)
                self._shown[-1] = self._entries.build_entry(last)
                self._transcript.finish(self._shown[-1])
                self._session.set_path([*before, last])

    def _branch(self, message: int) -> None:
        with self.reporting_errors():
            branch = self._conversations.branch(message)
            self.list_changed.emit()
            self.open(branch.id)

    def _delete(self, message: int) -> None:
        if self._session.conversation is None:
            return
        with self.reporting_errors():
            conversation = self._session.conversation.id
            self._answers.stop(conversation)
            n_seen = len(list(dropwhile(lambda shown: shown.id != message, self._session.path)))
            deleted = self._messages.delete(message)
            self.reload_path()
            self.message_deleted.emit(conversation, deleted, n_seen)

    def _show_version(self, message: int, step: int) -> None:
        with self.reporting_errors():
            self.require_idle()
            versions = self._messages.versions(message)
            at = versions.index(message) + step
            if 0 <= at < len(versions):
                self.show_path(self._messages.select_version(versions[at]))
                self._transcript.scroll_to(versions[at])

    def _open_link(self, url: str) -> None:
        """Models write links too: nobody should follow one unseen."""
        if not is_document_link(url):
            open_link_after_question(url, self._transcript)


def _is_shown(message: StoredMessage, below: StoredMessage | None) -> bool:
    """An answer that only calls tools says nothing itself."""
    only_calls = message.role is Role.ASSISTANT and below is not None and below.called is not None
    return bool(message.text.strip()) or message.versions > 1 or not only_calls
