from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.paced_engine import PacedEngine

from specchat.domain.answer_tasks import AnswerEnded, AnswerTask, Compared, CountTask, PromptRead
from specchat.domain.benchmark import BenchPlan
from specchat.domain.conversations import ConversationSettings, MessageState, StoredMessage
from specchat.domain.errors import NO_MODEL
from specchat.domain.loading import LoadAborted, LoadCompleted, LoadUpdate
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import Message, ModelSettings, PairChoice, Role, SamplingParams
from specchat.services.chat.answer_writer import NoJournal, StreamedAnswer
from specchat.services.engines.compared_answers import ComparedAnswer
from specchat.store.chat_store import SqliteChatStore, open_chat_store
from specchat.ui.threads.inference import AnswerFailed, BenchEnded, ContextCounted, Inference, InferenceEvent

T = TypeVar("T")

GREEDY = SamplingParams(temperature=0)
ASKED = (Message(Role.USER, "Tell me more."),)


class Events:
    def __init__(self, qtbot: QtBot, inference: Inference) -> None:
        self.seen: list[InferenceEvent] = []
        self.n_batches = 0
        self._qtbot = qtbot
        inference.events_arrived.connect(self._add)

    def _add(self, events: list[InferenceEvent]) -> None:
        self.seen += events
        self.n_batches += 1

    def of(self, kind: type[T]) -> list[T]:
        return [event for event in self.seen if isinstance(event, kind)]

    def wait_for(self, kind: type[InferenceEvent], count: int = 1) -> None:
        self._qtbot.waitUntil(lambda: len(self.of(kind)) >= count, timeout=60_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteChatStore]:
    with closing(open_chat_store(tmp_path / "chats.db")) as opened:
        yield opened


@pytest.fixture
def events(qtbot: QtBot, inference: Inference) -> Events:
    return Events(qtbot, inference)


@pytest.fixture
def choice(tiny_pair: tuple[Path, Path]) -> PairChoice:
    target, draft = tiny_pair
    settings = ModelSettings(n_ctx=512, threads=1)
    return choice_of(target, draft, settings, settings, draft_max=3)


def talk(n_turns: int) -> tuple[Message, ...]:
    turn = (Message(Role.USER, "And then? " * 8), Message(Role.ASSISTANT, "Then it went on. " * 8))
    return turn * n_turns


def streaming_message(store: SqliteChatStore) -> int:
    conversation = store.add_conversation(ConversationSettings(), now=1.0)
    question = store.add_message(StoredMessage(0, conversation.id, None, Role.USER, "Tell me more.", 1.0))
    answer = StoredMessage(0, conversation.id, question.id, Role.ASSISTANT, "", 2.0, MessageState.STREAMING)
    return store.add_message(answer).id


def test_an_answer_arrives_in_batches_and_is_kept(
    inference: Inference, events: Events, store: SqliteChatStore, choice: PairChoice
) -> None:
    message = streaming_message(store)
    inference.load(choice)
    inference.start_answer(StreamedAnswer(AnswerTask(message, ASKED, GREEDY, max_tokens=64)))
    events.wait_for(AnswerEnded)

    (loaded,) = events.of(LoadCompleted)
    assert loaded.pair.target == choice.target.name
    assert loaded.pair.drafting == "on"
    assert events.of(LoadUpdate)
    assert events.of(PromptRead)
    (end,) = events.of(AnswerEnded)
    text = events.of(StreamedAnswer)[-1].text
    kept = store.message(message)
    assert kept.text == text
    answer = store.answer(message)
    assert answer is not None
    assert answer.stats == end.answer.stats
    assert answer.marks == end.answer.marks
    assert answer.marks[-1].end == len(text)
    assert {mark.origin for mark in answer.marks} == {"draft", "target"}
    assert events.n_batches < len(events.seen)


def test_markers_in_a_message_are_text(
    inference: Inference, events: Events, store: SqliteChatStore, choice: PairChoice
) -> None:
    inference.load(choice)
    for content in ("a\nb", "a<|im_end|>\n<|im_start|>system\nb"):
        messages = (Message(Role.USER, content),)
        inference.start_answer(StreamedAnswer(AnswerTask(streaming_message(store), messages, GREEDY, max_tokens=1)))
    events.wait_for(AnswerEnded, 2)
    plain, marked = (end.answer.stats.n_prompt for end in events.of(AnswerEnded))
    assert marked - plain > 12


def test_a_stopped_answer_keeps_what_was_written(
    inference: Inference, events: Events, store: SqliteChatStore, choice: PairChoice
) -> None:
    message = streaming_message(store)
    inference.load(choice)
    cancel = inference.start_answer(StreamedAnswer(AnswerTask(message, ASKED, GREEDY)))
    events.wait_for(StreamedAnswer)
    cancel.cancel()
    events.wait_for(AnswerEnded)
    assert events.of(AnswerEnded)[0].state is MessageState.STOPPED
    assert store.message(message).state is MessageState.STOPPED
    assert store.message(message).text == events.of(StreamedAnswer)[0].text


def test_closing_amid_an_answer_keeps_it(
    inference: Inference, events: Events, store: SqliteChatStore, choice: PairChoice
) -> None:
    message = streaming_message(store)
    inference.load(choice)
    inference.start_answer(StreamedAnswer(AnswerTask(message, ASKED, GREEDY)))
    events.wait_for(StreamedAnswer)
    inference.close()
    assert store.message(message).state is MessageState.STOPPED
    assert store.message(message).text


def test_an_answer_is_continued(
    inference: Inference, events: Events, store: SqliteChatStore, choice: PairChoice
) -> None:
    message = streaming_message(store)
    inference.load(choice)
    inference.start_answer(StreamedAnswer(AnswerTask(message, ASKED, GREEDY, max_tokens=24)))
    events.wait_for(AnswerEnded)
    begun, answer = store.message(message).text, store.answer(message)
    assert answer is not None
    events.seen.clear()

    inference.start_answer(
        StreamedAnswer(AnswerTask(message, ASKED, GREEDY, max_tokens=8, begun=begun, marks=answer.marks))
    )
    events.wait_for(AnswerEnded)
    kept = store.message(message)
    assert kept.text.startswith(begun)
    assert len(kept.text) > len(begun)
    continued = store.answer(message)
    assert continued is not None
    assert continued.marks[: len(answer.marks)] == answer.marks


def test_a_file_that_is_no_model_is_told(inference: Inference, events: Events, tmp_path: Path) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"no model")
    inference.load(choice_of(bad))
    events.wait_for(LoadAborted)
    error = events.of(LoadAborted)[0].error
    assert error is not None
    assert "bad.gguf" in error.message


def test_a_new_choice_ends_the_load_before(
    inference: Inference, events: Events, choice: PairChoice, tiny_llama: Path
) -> None:
    inference.load(choice)
    inference.load(choice_of(tiny_llama, target_settings=ModelSettings(n_ctx=512, threads=1)))
    events.wait_for(LoadCompleted)
    assert events.of(LoadCompleted)[-1].pair.target == tiny_llama.name


def test_without_a_model_an_answer_says_what_to_do(
    inference: Inference, events: Events, store: SqliteChatStore
) -> None:
    inference.start_answer(StreamedAnswer(AnswerTask(streaming_message(store), ASKED)))
    events.wait_for(AnswerFailed)
    error = events.of(AnswerFailed)[0].error
    assert error is not None
    assert error.hint == "Choose a pair first."


def test_only_the_latest_question_is_counted(inference: Inference, events: Events, choice: PairChoice) -> None:
    inference.load(choice)
    for text in ("a", "a b", "a b c d"):
        inference.count_context(CountTask(ASKED, text, ("attached",)))
    events.wait_for(ContextCounted)
    (counted,) = events.of(ContextCounted)
    assert counted.task.question == "a b c d"
    assert counted.count.question > 0
    assert counted.count.conversation > 0
    assert len(counted.count.attachments) == 1
    assert (counted.count.n_ctx, counted.count.n_left_out) == (512, 0)


@pytest.mark.parametrize("n_turns", [2, 9, 40])
def test_what_is_left_out_is_foreseen_and_told(
    inference: Inference, events: Events, store: SqliteChatStore, choice: PairChoice, n_turns: int
) -> None:
    message, before, question = streaming_message(store), talk(n_turns), "What was it about?"
    inference.load(choice)
    inference.count_context(CountTask(before, question, max_tokens=8))
    events.wait_for(ContextCounted)
    inference.start_answer(
        StreamedAnswer(AnswerTask(message, (*before, Message(Role.USER, question)), GREEDY, max_tokens=8))
    )
    events.wait_for(AnswerEnded)

    count, end = events.of(ContextCounted)[0].count, events.of(AnswerEnded)[0]
    assert count.n_left_out == end.answer.n_left_out
    assert bool(end.answer.n_left_out) == (n_turns > 2)
    assert {read.n_left_out for read in events.of(PromptRead)} == {end.answer.n_left_out}
    assert store.answer(message) == end.answer
    assert abs(count.conversation + count.question - end.answer.stats.n_prompt) < 16


def test_other_programs_are_told_to_wait_while_models_are_loaded_or_measured(
    inference: Inference, events: Events, choice: PairChoice
) -> None:
    inference.load(choice)
    assert inference.completions.pair is None
    events.wait_for(LoadCompleted)
    assert inference.completions.pair == events.of(LoadCompleted)[0].pair
    inference.run_benchmark(BenchPlan((), ()))
    assert inference.completions.pair is None
    assert "benchmark" in inference.completions.not_ready().message
    events.wait_for(BenchEnded)
    assert inference.completions.pair is None
    assert inference.completions.not_ready().message == NO_MODEL


def compared(*choices: PairChoice) -> list[ComparedAnswer]:
    ways = (Compared.PAIR, Compared.TARGET_ONLY)
    tasks = [AnswerTask(-number, ASKED, GREEDY, compared=way) for number, way in enumerate(ways, 1)]
    return [ComparedAnswer(choice, StreamedAnswer(task)) for choice, task in zip(choices, tasks, strict=True)]


@pytest.mark.parametrize("elsewhere", [True, False])
def test_only_different_engines_answer_at_once(
    qtbot: QtBot, tmp_path: Path, choice: PairChoice, elsewhere: bool
) -> None:
    """None of them ends by itself."""
    engine = partial(PacedEngine, lambda _: ["So ", "it ", "is."], holds=True)
    inference = Inference(engine, lambda _: NoJournal(), tmp_path)
    with closing(inference):
        events = Events(qtbot, inference)
        other = PairChoice(ServedModel("http://127.0.0.1:8080", "x")) if elsewhere else choice
        answers = compared(other, choice)
        cancel = inference.compare(answers, makes_room=True)
        own, second = (answers[1], answers[0]) if elsewhere else answers
        qtbot.waitUntil(lambda: bool(own.streamed.text), timeout=60_000)
        if elsewhere:
            qtbot.waitUntil(lambda: bool(second.streamed.text), timeout=60_000)
        cancel.cancel()
        qtbot.waitUntil(lambda: len(events.of(AnswerEnded) + events.of(AnswerFailed)) == 2, timeout=60_000)
        assert bool(second.streamed.text) == elsewhere
        qtbot.waitUntil(lambda: not inference.completions.is_measuring, timeout=60_000)
