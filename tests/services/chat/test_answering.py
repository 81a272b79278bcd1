"""With the real journal, and an engine that says what the test tells it to."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from specchat.domain.answer_tasks import AnswerEnded, AnswerTask, PromptRead
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import ConversationSettings, Mark, MessageState, StoredMessage
from specchat.domain.engine import EngineEvent, PromptPrepared
from specchat.domain.types import (
    FinishReason,
    GenerationFinished,
    GenerationStats,
    PromptProgress,
    Role,
    StepStats,
    TokenEvent,
)
from specchat.services.chat.answer_writer import StreamedAnswer, write_answer
from specchat.store.chat_store import SqliteChatStore, open_chat_store
from specchat.store.journal import SqliteJournal

STEP = StepStats(drafted=1, accepted=1, emitted=2, draft_s=0.1, target_s=0.2, sample_s=0.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteChatStore]:
    with closing(open_chat_store(tmp_path / "chats.db")) as opened:
        yield opened


def begun(store: SqliteChatStore, text: str = "", marks: tuple[Mark, ...] = ()) -> StreamedAnswer:
    conversation = store.add_conversation(ConversationSettings(), now=1.0).id
    question = store.add_message(StoredMessage(0, conversation, None, Role.USER, "Well?", 1.0)).id
    answer = StoredMessage(0, conversation, question, Role.ASSISTANT, text, 2.0, MessageState.STREAMING)
    return StreamedAnswer(AnswerTask(store.add_message(answer).id, (), begun=text, marks=marks))


def token(text: str, origin: str = "target", step: StepStats | None = None) -> TokenEvent:
    return TokenEvent(0, text, origin, None, 0.5, step)


def write(
    growing: StreamedAnswer, path: Path, *said: EngineEvent, at_each: Callable[[object], None] = lambda event: None
) -> list[object]:
    seen: list[object] = []
    with closing(SqliteJournal(path, growing.message)) as journal:
        for event in write_answer(lambda task, cancel: iter(said), lambda: None, growing, journal, CancelToken()):
            seen.append(event)
            at_each(event)
    return seen


def test_the_answer_itself_says_that_it_has_grown(store: SqliteChatStore, tmp_path: Path) -> None:
    growing = begun(store)
    texts: list[str] = []
    said = (PromptPrepared(3, 0), PromptProgress(3, 3), token("One "), token("two", "draft", STEP))
    end = GenerationFinished(FinishReason.STOP, "", GenerationStats())
    assert not growing.has_begun
    seen = write(growing, tmp_path / "chats.db", *said, end, at_each=lambda event: texts.append(growing.text))
    assert [type(event) for event in seen] == [PromptRead, StreamedAnswer, StreamedAnswer, AnswerEnded]
    assert texts == ["", "One ", "One two", "One two"]
    assert growing.has_begun
    assert list(growing.steps) == [STEP]
    assert [(mark.end, mark.origin) for mark in growing.marks] == [(4, "target"), (7, "draft")]
    assert store.message(growing.message).text == growing.text


def test_what_was_held_back_belongs_to_the_last_token(store: SqliteChatStore, tmp_path: Path) -> None:
    growing = begun(store, "Begun ", (Mark(6, "target"),))
    write(
        growing,
        tmp_path / "chats.db",
        token("on", "draft"),
        GenerationFinished(FinishReason.LENGTH, " <", GenerationStats()),
    )
    assert growing.text == "Begun on <"
    assert [mark.end for mark in growing.marks] == [6, 10]
    kept = store.answer(growing.message)
    assert kept is not None
    assert kept.marks == tuple(growing.marks)


def test_words_that_were_given_for_the_beginning_are_kept_as_the_users(store: SqliteChatStore, tmp_path: Path) -> None:
    growing = begun(store)
    end = GenerationFinished(FinishReason.STOP, "", GenerationStats())
    write(growing, tmp_path / "chats.db", PromptPrepared(3, 0, begun="</think>\n\nSure, "), token("it is"), end)
    assert store.message(growing.message).text == growing.text == "</think>\n\nSure, it is"
    kept = store.answer(growing.message)
    assert kept is not None
    assert [(mark.end, mark.origin) for mark in kept.marks] == [(16, "user"), (21, "target")]
    assert kept.thought_s is None


def test_text_never_appears_before_its_mark() -> None:
    growing = StreamedAnswer(AnswerTask(1, ()))

    class Marks(list[Mark]):
        def append(self, mark: Mark) -> None:
            assert len(growing.text) < mark.end
            super().append(mark)

    growing.marks = Marks()
    for text in ("One", " two"):
        growing.add_token(token(text))
    assert [mark.end for mark in growing.marks] == [3, 7]
