"""Builds transcript entries from stored messages and running answers."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Answer, StoredMessage
from specchat.domain.tools import CallState
from specchat.domain.types import Role
from specchat.services.chat.message_service import MessageService
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.documents.document_text import sources_text
from specchat.ui.overlay.stats_text import answer_footer, models_text
from specchat.ui.tools.call_text import call_text, call_title
from specchat.ui.transcript.entries import Entry, EntryDetails
from specchat.ui.words.number_format import SEPARATOR, format_number

translate = QCoreApplication.translate


class EntryBuilder:
    def __init__(self, messages: MessageService, answers: RunningAnswers, name_of: Callable[[str], str]) -> None:
        """`name_of`: from a file's name to what people call the model."""
        self._messages = messages
        self._answers = answers
        self._name_of = name_of

    def build_entry(self, message: StoredMessage) -> Entry:
        """What is being written is further than what is stored."""
        running = self._answers.of_message(message.id)
        if (called := message.called) is not None:
            return Entry(
                id=message.id,
                role=message.role,
                text=call_text(called, message.text),
                title=call_title(called),
                is_waiting=called.state is CallState.WAITING,
            )
        return Entry(
            id=message.id,
            role=message.role,
            text=running.streamed.text if running else message.text,
            state=message.state,
            version=message.version,
            versions=message.versions,
            attachments=message.attachments,
            pictures=message.pictures,
            recordings=message.recordings,
        )

    def build_details(self, message: int) -> EntryDetails:
        running = self._answers.of_message(message)
        if running is not None:
            return EntryDetails(marks=tuple(running.streamed.marks))
        answer = self._messages.readable_answer(message)
        if answer is None:
            return EntryDetails()
        return EntryDetails(
            answer.marks, _footer(answer), answer.thought_s, self._models(answer), has_sources=bool(answer.sources)
        )

    def _models(self, answer: Answer) -> str:
        draft = self._name_of(answer.draft) if answer.draft else None
        return models_text(self._name_of(answer.target), draft) if answer.target else ""


def _footer(answer: Answer) -> str:
    """In a narrow window only its beginning can be seen."""
    parts = [answer_footer(answer)]
    if answer.n_left_out:
        left_out = translate("Entries", "Oldest messages left out: {n}").format(n=format_number(answer.n_left_out))
        parts.insert(0, left_out)
    if answer.sources:
        parts.insert(0, sources_text(answer.sources))
    return SEPARATOR.join(filter(None, parts))


def last_message(path: list[StoredMessage], role: Role) -> StoredMessage | None:
    return next((message for message in reversed(path) if message.role is role), None)
