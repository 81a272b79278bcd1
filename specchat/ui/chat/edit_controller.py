"""Edits messages in the composer, as new versions."""

from dataclasses import dataclass, replace
from itertools import takewhile

from PySide6.QtCore import QObject, Signal

from specchat.domain.conversations import Attached, StoredMessage
from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.services.chat.edited_answers import split_reasoning
from specchat.services.chat.message_service import MessageService
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.entry_builder import last_message
from specchat.ui.composer.composer import Composer
from specchat.ui.composer.editing_banner import EditMode
from specchat.ui.session import Session
from specchat.ui.transcript.transcript_view import TranscriptView


@dataclass(frozen=True, slots=True)
class Edit:
    mode: EditMode
    message: int
    """The edited message. For a beginning: the answer to regenerate, or the unanswered question."""
    above: list[StoredMessage]
    reasoning: str = ""
    """The reasoning before the text, which is not edited."""
    text: str = ""
    """The text before the edit."""
    attached: tuple[Attached, ...] = ()
    """The attachments before the edit."""


@dataclass(frozen=True, slots=True)
class _LeftEdit:
    """An edit in a chat that isn't open."""

    edit: Edit
    text: str
    attached: tuple[Attached, ...]


class EditController(QObject):
    left_changed = Signal(object)
    """A set of the conversations that were left amid an edit."""

    def __init__(
        self,
        session: Session,
        chat: ChatController,
        messages: MessageService,
        transcript: TranscriptView,
        composer: Composer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._chat, self._messages, self._composer = session, chat, messages, composer
        self._edit: Edit | None = None
        """The last edit, which is current while the composer is editing."""
        self._left: dict[int, _LeftEdit] = {}
        """Unfinished edits by their conversation."""
        chat.leaving.connect(self._keep)
        chat.conversation_opened.connect(self._go_on)
        transcript.edit_requested.connect(self.edit_message)
        transcript.prefill_requested.connect(self.begin_answer)
        composer.saved.connect(self.save_answer)
        composer.edit_last_requested.connect(self.edit_last_message)

    @property
    def current(self) -> Edit | None:
        """None if the composer contains a new question."""
        return self._edit if self._composer.is_editing else None

    @property
    def messages_above(self) -> list[StoredMessage]:
        """The messages above the composer's. Returns the same object until one of them changes."""
        edit = self.current
        return edit.above if edit is not None else self._session.path

    @property
    def has_unfinished(self) -> bool:
        """Whether quitting would lose what was typed."""
        try:
            return self._is_changed or any(self._chat.lists(conversation) for conversation in self._left)
        except UserError:  # the chats can't be read
            return True

    def edit_message(self, message: int) -> None:
        with self._chat.reporting_errors():
            self._chat.require_idle()
            above, edited = self._find(message)
            if edited is None:
                return
            if edited.role is Role.USER:
                self._begin(Edit(EditMode.QUESTION, message, above, text=edited.text, attached=edited.attached))
            else:
                reasoning, text = split_reasoning(edited.text)
                self._begin(Edit(EditMode.ANSWER, message, above, reasoning, text))

    def begin_answer(self, message: int) -> None:
        """Lets the user type the first words of the next answer."""
        with self._chat.reporting_errors():
            self._chat.require_idle()
            above, found = self._find(message)
            if found is not None:
                above = [*above, found] if found.role is Role.USER else above
                self._begin(Edit(EditMode.BEGINNING, message, above))

    def save_answer(self, text: str) -> None:
        edit = self.current
        if edit is None:
            return
        if text == edit.text.rstrip(" "):
            self._composer.cancel_edit()
            return
        with self._chat.reporting_errors():
            self._chat.require_idle()
            saved = self._messages.edit_answer(edit.message, edit.reasoning + text)
            self._composer.clear()
            self._chat.show_path([*edit.above, saved])
            self._chat.list_changed.emit()
            self._chat.refresh()

    @property
    def _is_changed(self) -> bool:
        edit, composer = self.current, self._composer
        return edit is not None and (composer.text, composer.attachments) != (edit.text, edit.attached)

    def _begin(self, edit: Edit) -> None:
        self._edit = edit
        self._composer.begin_edit(edit.text, edit.attached, edit.mode)

    def _keep(self, conversation: int) -> None:
        edit = self.current
        if edit is not None and self._is_changed:
            self._left[conversation] = _LeftEdit(edit, self._composer.text, self._composer.attachments)
            self.left_changed.emit(set(self._left))

    def _go_on(self) -> None:
        """Goes on with an edit, unless its message has gone, or was opened on another path."""
        shown = self._session.conversation
        left = self._left.pop(shown.id, None) if shown is not None else None
        if left is None:
            return
        self.left_changed.emit(set(self._left))
        above, found = self._find(left.edit.message)
        if found is not None:
            above = [*above, found] if left.edit.mode is EditMode.BEGINNING and found.role is Role.USER else above
            self._edit = replace(left.edit, above=above)
            self._composer.begin_edit(left.text, left.attached, left.edit.mode)

    def _find(self, message: int) -> tuple[list[StoredMessage], StoredMessage | None]:
        """Returns the messages above, and the message itself."""
        path = self._session.path
        above = list(takewhile(lambda shown: shown.id != message, path))
        return above, path[len(above)] if len(above) < len(path) else None

    def edit_last_message(self) -> None:
        question = last_message(self._session.path, Role.USER)
        if question is not None:
            self.edit_message(question.id)
