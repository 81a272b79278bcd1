"""Puts a question back into the composer, to be asked anew as another version of it."""

from dataclasses import dataclass
from itertools import takewhile

from PySide6.QtCore import QObject

from specchat.domain.conversations import StoredMessage
from specchat.domain.types import Role
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.entry_builder import last_message
from specchat.ui.composer.composer import Composer
from specchat.ui.session import Session
from specchat.ui.transcript.transcript_view import TranscriptView


@dataclass(frozen=True, slots=True)
class _Edit:
    message: int
    above: list[StoredMessage]


class EditController(QObject):
    def __init__(
        self,
        session: Session,
        chat: ChatController,
        transcript: TranscriptView,
        composer: Composer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._chat, self._composer = session, chat, composer
        self._edit: _Edit | None = None
        """Of the last message that was edited: it counts while the composer says so."""
        transcript.edit_requested.connect(self.edit_message)
        composer.edit_last_requested.connect(self.edit_last_message)

    @property
    def edited_message(self) -> int | None:
        """None: the composer holds a new question."""
        return self._edit.message if self._edit is not None and self._composer.is_editing else None

    @property
    def messages_above(self) -> list[StoredMessage]:
        """The messages before the composer's: the same object until one of them changes."""
        if self._edit is not None and self._composer.is_editing:
            return self._edit.above
        return self._session.path

    def edit_message(self, message: int) -> None:
        above = list(takewhile(lambda shown: shown.id != message, self._session.path))
        with self._chat.reporting_errors():
            self._chat.require_idle()
            if len(above) < len(self._session.path):
                question = self._session.path[len(above)]
                self._edit = _Edit(message, above)
                self._composer.begin_edit(question.text, question.attached)

    def edit_last_message(self) -> None:
        question = last_message(self._session.path, Role.USER)
        if question is not None:
            self.edit_message(question.id)
