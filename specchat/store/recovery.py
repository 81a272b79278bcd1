"""Merges journal chunks into their message, when an answer ends or after a crash."""

from collections.abc import Sequence
from dataclasses import replace

from specchat.domain.answer_merging import merge_answers
from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.store import messages
from specchat.store.database import Database
from specchat.store.encoding import decode_marks, decoding_errors, encode_marks


def recover(database: Database) -> list[int]:
    """In which conversations there was something to put together."""
    streaming = database.rows("SELECT id, conversation FROM message WHERE state = 'streaming' ORDER BY id")
    for message, _ in streaming:
        with database.transaction():
            merge_chunks(database, message, MessageState.STOPPED, cut_off=True)
    return [conversation for _, conversation in streaming]


def add_chunk(database: Database, message: int, text: str, marks: Sequence[Mark]) -> None:
    database.execute("INSERT INTO chunk (message, text, marks) VALUES (?, ?, ?)", message, text, encode_marks(marks))


def merge_chunks(
    database: Database, message: int, state: MessageState, latest: Answer | None = None, *, cut_off: bool = False
) -> None:
    """Inside a transaction. `latest`: how the end of the text came about, where that is known."""
    text, marks = _chunks(database, message)
    answer = _with(messages.answer(database, message), latest, marks)
    if answer is not None:
        messages.save_answer(database, message, replace(answer, cut_off=cut_off))
    database.execute("UPDATE message SET text = text || ?, state = ? WHERE id = ?", text, state, message)
    database.execute("DELETE FROM chunk WHERE message = ?", message)


def _chunks(database: Database, message: int) -> tuple[str, tuple[Mark, ...]]:
    rows = database.rows("SELECT text, marks FROM chunk WHERE message = ? ORDER BY id", message)
    with decoding_errors(database.path):
        return "".join(text for text, _ in rows), tuple(mark for _, packed in rows for mark in decode_marks(packed))


def _with(before: Answer | None, latest: Answer | None, marks: tuple[Mark, ...]) -> Answer | None:
    if latest is None:
        return before and replace(before, marks=before.marks + marks)
    whole = latest if before is None else merge_answers(before, latest)
    added = marks if before is None else before.marks + marks
    return replace(whole, marks=latest.marks or added)
