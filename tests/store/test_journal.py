import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from support.chats import ANSWER, MARKS, STATS, add, wait_until

from specchat.domain.conversations import Answer, Conversation, MessageState, StoredMessage
from specchat.domain.errors import StorageBusyError, StorageError, StorageFullError, UserError
from specchat.domain.types import FinishReason, Role
from specchat.store.chat_store import SqliteChatStore, open_chat_store
from specchat.store.journal import SqliteJournal
from specchat.store.recovery import add_chunk

NEVER_S = 3600.0
BEFOREHAND = Answer(target="target.gguf", finish=FinishReason.CANCELLED)
StartJournal = Callable[..., SqliteJournal]


@pytest.fixture
def begun(chats: SqliteChatStore, conversation: Conversation) -> StoredMessage:
    question = add(chats, conversation, "one")
    answer = StoredMessage(0, conversation.id, question.id, Role.ASSISTANT, "", 2.0, MessageState.STREAMING)
    return chats.add_message(answer, BEFOREHAND)


@pytest.fixture
def journal(chats_path: Path, begun: StoredMessage) -> Iterator[SqliteJournal]:
    with closing(SqliteJournal(chats_path, begun.id, NEVER_S)) as journal:
        yield journal


def journalled(chats: SqliteChatStore) -> list[str]:
    return [text for (text,) in chats.database.rows("SELECT text FROM chunk ORDER BY id")]


def test_it_writes_when_it_is_time(chats_path: Path, chats: SqliteChatStore, begun: StoredMessage) -> None:
    with closing(SqliteJournal(chats_path, begun.id, every_s=0.0)) as journal:
        journal.add("Hello", MARKS[:1])
        wait_until(lambda: journalled(chats) == ["Hello"])
        journal.add(", w", MARKS[1:3])
        wait_until(lambda: journalled(chats) == ["Hello", ", w"])


def test_before_that_it_only_collects(chats: SqliteChatStore, journal: SqliteJournal) -> None:
    for piece in "Hello":
        journal.add(piece)
    assert journalled(chats) == []
    journal.flush()
    journal.flush()
    assert journalled(chats) == ["Hello"]


def test_what_comes_with_the_end_amid_a_write_is_kept(
    chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last words come while those before them are written, by another thread."""
    write, enders = add_chunk, list[Thread]()

    def end() -> None:
        journal.add(", world")
        journal.finish(MessageState.DONE, replace(ANSWER, marks=()))

    def write_slowly(*chunk: object) -> None:
        write(*chunk)  # type: ignore[arg-type]
        if not enders:
            enders.append(Thread(target=end))
            enders[0].start()
            wait_until(lambda: journal._end is not None)

    monkeypatch.setattr("specchat.store.journal.add_chunk", write_slowly)
    journal.add("Hello")
    journal.flush()
    enders[0].join()
    assert chats.message(begun.id).text == "Hello, world"


def test_the_end_makes_one_message_of_it(chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage) -> None:
    journal.add("Hello", MARKS[:1])
    journal.flush()
    journal.add(", world", MARKS[1:])
    journal.finish(MessageState.DONE, replace(ANSWER, marks=()))
    message = chats.message(begun.id)
    assert (message.text, message.state) == ("Hello, world", MessageState.DONE)
    assert chats.answer(begun.id) == ANSWER
    assert journalled(chats) == []


def test_the_marks_of_the_answer_are_the_last_word(
    chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage
) -> None:
    journal.add("Hello", MARKS[:1])
    journal.finish(MessageState.DONE, ANSWER)
    assert chats.answer(begun.id) == ANSWER


def test_what_is_journalled_shows_already(chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage) -> None:
    journal.add("Hel")
    journal.flush()
    assert chats.path(begun.id)[-1].text == "Hel"
    assert chats.tree(begun.conversation).messages[-1].text == "Hel"


def test_after_a_crash_it_is_put_together(
    chats_path: Path, chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage
) -> None:
    journal.add("Hello", MARKS[:1])
    journal.flush()
    journal.add(", w", MARKS[1:3])
    journal.flush()
    open_chat_store(chats_path).close()
    message = chats.message(begun.id)
    assert (message.text, message.state) == ("Hello, w", MessageState.STOPPED)
    assert chats.answer(begun.id) == replace(BEFOREHAND, marks=MARKS[:3], cut_off=True)


def test_another_program_that_takes_it_for_a_crash_does_no_harm(
    chats_path: Path, chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage
) -> None:
    journal.add("Hello", MARKS[:1])
    journal.flush()
    open_chat_store(chats_path).close()
    journal.add(", world", MARKS[1:])
    journal.finish(MessageState.DONE, replace(ANSWER, marks=()))
    message = chats.message(begun.id)
    assert (message.text, message.state) == ("Hello, world", MessageState.DONE)
    assert chats.answer(begun.id) == ANSWER


def test_a_continued_answer_is_one_answer(
    chats_path: Path, chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage
) -> None:
    journal.add("Hello", MARKS[:1])
    journal.finish(MessageState.STOPPED, replace(ANSWER, marks=MARKS[:1]))
    chats.set_state(begun.id, MessageState.STREAMING)
    with closing(SqliteJournal(chats_path, begun.id, NEVER_S)) as more:
        more.add(", world", MARKS[1:])
        more.finish(MessageState.DONE, replace(ANSWER, finish=FinishReason.STOP, marks=()))
    assert chats.message(begun.id).text == "Hello, world"
    answer = chats.answer(begun.id)
    assert answer is not None
    assert (answer.finish, answer.marks) == (FinishReason.STOP, MARKS)
    assert answer.stats.n_generated == 2 * STATS.n_generated


def test_the_window_writes_meanwhile(
    chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage, conversation: Conversation
) -> None:
    for number in range(50):
        journal.add(str(number % 10))
        journal.flush()
        chats.save_conversation(replace(chats.conversation(conversation.id), unsent_text=str(number)))
    assert chats.conversation(conversation.id).unsent_text == "49"
    assert chats.message(begun.id).text == "0123456789" * 5


def test_a_full_disk_is_told_once_and_nothing_is_forgotten(
    chats_path: Path, chats: SqliteChatStore, begun: StoredMessage
) -> None:
    told: list[StorageError | None] = []
    text = "word " * 5000
    with closing(SqliteJournal(chats_path, begun.id, every_s=0.0)) as journal:
        journal.set_listener(told.append)
        journal._database.execute("PRAGMA max_page_count = 1")
        journal.add(text)
        wait_until(lambda: bool(told))
        journal.add("more")
        journal.flush()
        assert [type(problem) for problem in told] == [StorageFullError]
        journal._database.execute("PRAGMA max_page_count = 1000000")
        wait_until(lambda: told[1:] == [None])
        journal.finish(MessageState.DONE, ANSWER)
    assert chats.message(begun.id).text == text + "more"
    assert len(told) == 2


def test_another_program_that_keeps_the_file_to_itself_is_waited_for(
    chats_path: Path, chats: SqliteChatStore, begun: StoredMessage
) -> None:
    told: list[StorageError | None] = []
    with closing(sqlite3.connect(chats_path, isolation_level=None)) as other:
        with closing(SqliteJournal(chats_path, begun.id, NEVER_S)) as journal:
            journal.set_listener(told.append)
            journal._database.execute("PRAGMA busy_timeout = 0")
            other.execute("BEGIN IMMEDIATE")
            journal.add("Hello", MARKS[:1])
            journal.finish(MessageState.DONE, ANSWER)
        assert [type(problem) for problem in told] == [StorageBusyError]
        assert (chats.message(begun.id).text, chats.message(begun.id).state) == ("", MessageState.STREAMING)
    wait_until(lambda: told[1:] == [None])
    assert (chats.message(begun.id).text, chats.message(begun.id).state) == ("Hello", MessageState.DONE)
    assert chats.answer(begun.id) == ANSWER
    journal._thread.join()


def test_closing_without_an_end_keeps_the_text(chats_path: Path, chats: SqliteChatStore, begun: StoredMessage) -> None:
    journal = SqliteJournal(chats_path, begun.id, NEVER_S)
    journal.add("Hello")
    journal.close()
    assert journalled(chats) == ["Hello"]
    chats.set_state(begun.id, MessageState.STOPPED)
    assert chats.message(begun.id).text == "Hello"


def test_a_message_that_was_deleted_for_good(
    chats: SqliteChatStore, journal: SqliteJournal, begun: StoredMessage
) -> None:
    chats.trash_message(begun.id, now=5.0)
    chats.purge(before=6.0)
    journal.add("Hello")
    with pytest.raises(UserError, match="was deleted"):
        journal.finish(MessageState.DONE, ANSWER)
