"""From what is stored to what the transcript shows."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Answer, StoredMessage
from specchat.domain.types import Role
from specchat.services.chat.messages import Messages
from specchat.ui.chat.answers import Answers
from specchat.ui.overlay.words import footer, models
from specchat.ui.transcript.values import Entry, EntryDetails
from specchat.ui.words.amounts import number

translate = QCoreApplication.translate


class Entries:
    def __init__(self, messages: Messages, answers: Answers, name_of: Callable[[str], str]) -> None:
        """`name_of`: from a file's name to what people call the model."""
        self._messages = messages
        self._answers = answers
        self._name_of = name_of

    def entry(self, message: StoredMessage) -> Entry:
        """What is being written is further than what is stored."""
        running = self._answers.of_message(message.id)
        return Entry(
            id=message.id,
            role=message.role,
            text=running.growing.text if running else message.text,
            state=message.state,
            version=message.version,
            versions=message.versions,
            attachments=message.attachments,
        )

    def details(self, message: int) -> EntryDetails:
        running = self._answers.of_message(message)
        if running is not None:
            return EntryDetails(marks=tuple(running.growing.marks))
        answer = self._messages.readable_answer(message)
        if answer is None:
            return EntryDetails()
        return EntryDetails(answer.marks, _footer(answer), answer.thought_s, self._models(answer))

    def _models(self, answer: Answer) -> str:
        draft = self._name_of(answer.draft) if answer.draft else None
        return models(self._name_of(answer.target), draft) if answer.target else ""


def _footer(answer: Answer) -> str:
    """In a narrow window only its beginning can be seen."""
    if not answer.n_left_out:
        return footer(answer)
    left_out = translate("Entries", "Oldest messages left out: {n}").format(n=number(answer.n_left_out))
    return f"{left_out} · {footer(answer)}"


def last_of(path: list[StoredMessage], role: Role) -> StoredMessage | None:
    return next((message for message in reversed(path) if message.role is role), None)
