"""Edits messages in the composer, as new versions."""

from dataclasses import dataclass
from itertools import takewhile

from PySide6.QtCore import QObject

from specchat.domain.conversations import StoredMessage
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


class EditController(QObject):
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

    def edit_message(self, message: int) -> None:
        with self._chat.reporting_errors():
            self._chat.require_idle()
            above, edited = self._find(message)
            if edited is None:
                return
            if edited.role is Role.USER:
                self._edit = Edit(EditMode.QUESTION, message, above)
                self._composer.begin_edit(edited.text, edited.attached)
            else:
                reasoning, text = split_reasoning(edited.text)
                self._edit = Edit(EditMode.ANSWER, message, above, reasoning, text)
                self._composer.begin_edit(text, mode=EditMode.ANSWER)

    def begin_answer(self, message: int) -> None:
        """Lets the user type the first words of the next answer."""
        with self._chat.reporting_errors():
            self._chat.require_idle()
            above, found = self._find(message)
            if found is not None:
                above = [*above, found] if found.role is Role.USER else above
                self._edit = Edit(EditMode.BEGINNING, message, above)
                self._composer.begin_edit("", mode=EditMode.BEGINNING)

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

    def _find(self, message: int) -> tuple[list[StoredMessage], StoredMessage | None]:
        """Returns the messages above, and the message itself."""
        path = self._session.path
        above = list(takewhile(lambda shown: shown.id != message, path))
        return above, path[len(above)] if len(above) < len(path) else None

    def edit_last_message(self) -> None:
        question = last_message(self._session.path, Role.USER)
        if question is not None:
            self.edit_message(question.id)
