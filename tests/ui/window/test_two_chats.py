"""Chats that are answered at the same time: each has its text, its figures, its Stop, and all of it to itself."""

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton
from support.desks import Person, wait_for_pair
from support.processes import engines_below

from specchat.domain.completions import CompletionTask
from specchat.domain.conversations import MessageState
from specchat.domain.types import PairChoice, Role
from specchat.services.generation.stats_tracker import StatsSnapshot

LONG = 3000


@pytest.fixture
def n_ctx() -> int:
    """Room for answers that take their time."""
    return 8192


def send(person: Person, question: str, max_tokens: int = LONG) -> int:
    """In a new chat."""
    person.controller.chat.start_chat()
    person.keep_short(max_tokens)
    person.write(question)
    person.click("sendButton")
    return shown_chat(person)


def begin(person: Person, question: str, max_tokens: int = LONG) -> int:
    """Until its first words."""
    conversation = send(person, question, max_tokens)
    wait_for_words(person, conversation)
    return conversation


def shown_chat(person: Person) -> int:
    assert person.controller.session.conversation is not None
    return person.controller.session.conversation.id


def wait_for_words(person: Person, *conversations: int, least: int = 1) -> None:
    def have_words() -> bool:
        running = [person.controller.answers.of_conversation(each) for each in conversations]
        return all(one is not None and len(one.streamed.text) >= least for one in running)

    person.qtbot.waitUntil(have_words)


def both(person: Person) -> tuple[int, int]:
    return begin(person, "Tell me more."), begin(person, "And another thing.")


def answer_of(person: Person, conversation: int) -> tuple[MessageState, str]:
    last = person.controller.services.messages.shown_path(conversation)[-1]
    assert last.role is Role.ASSISTANT
    return last.state, last.text


def running(person: Person) -> Sequence[int]:
    begun, waiting = person.controller.answers.conversations()
    assert not waiting
    return sorted(begun)


def settle(person: Person) -> None:
    person.qtbot.waitUntil(lambda: person.controller.answers.current() is None)


def test_each_has_its_words_its_figures_and_its_stop(person: Person) -> None:
    first, second = both(person)
    assert running(person) == [first, second]
    person.qtbot.waitUntil(lambda: set(person.window.sidebar.list._model.busy) == {first, second})
    overlay = person.window.overlay
    for shown, other in ((first, second), (second, first)):
        person.controller.chat.open(shown)
        mine, others = (person.controller.answers.of_conversation(each) for each in (shown, other))
        assert mine is not None
        assert others is not None
        n_before = len(mine.streamed.text)
        wait_for_words(person, first, second, least=n_before + 40)
        figures = overlay._figures
        assert isinstance(figures, StatsSnapshot)
        row = person.window.transcript.message_layout.cached_row(mine.streamed.message)
        assert row is not None
        assert mine.streamed.text.startswith(row.text[:n_before])
        assert person.find(QAbstractButton, "stopButton").isVisible()
        assert figures.n_generated <= mine.stats.snapshot().n_generated
    person.click("stopButton")
    person.qtbot.waitUntil(lambda: running(person) == [first])
    state, text = answer_of(person, second)
    assert (state, bool(text)) == (MessageState.STOPPED, True)
    person.controller.chat.open(first)
    wait_for_words(person, first)
    person.click("stopButton")
    settle(person)
    assert answer_of(person, first)[0] is MessageState.STOPPED


def test_a_third_waits_and_is_answered_next(person: Person) -> None:
    first, second = both(person)
    third = send(person, "And me?", 8)
    assert person.controller.answers.conversations() == (frozenset({first, second}), frozenset({third}))
    assert person.window.status.text() == "Another chat is still answering. Press Esc to cancel this message."
    person.controller.answers.stop(first)
    assert person.wait_for_answer().text
    assert person.controller.answers.of_conversation(second) is not None
    person.controller.answers.stop(second)
    settle(person)


def test_a_program_is_answered_beside_a_chat(person: Person) -> None:
    chat = begin(person, "Tell me more.")
    ended = list[bool]()
    inference = person.controller.inference
    person.controller.api_activity.ended.connect(lambda _: ended.append(bool(running(person))))
    inference.completions.submit(CompletionTask("Once upon a time", max_tokens=8, ignore_eos=True), lambda _: None)
    person.qtbot.waitUntil(lambda: bool(ended))
    assert ended == [True]
    assert person.window.overlay._card._readout.asked_by == ""
    person.controller.answers.stop(chat)
    settle(person)


def test_in_exact_mode_each_says_what_it_would_say_alone(person: Person, choice: PairChoice) -> None:
    settings = replace(choice.target_settings, exact=True, slots=2)
    person.controller.pair.load(replace(choice, target_settings=settings))
    wait_for_pair(person)
    at_once = set[int]()
    answers = person.controller.answers
    answers.updated.connect(lambda _: at_once.add(len(answers.conversations()[0])))
    chats = send(person, "Tell me more.", 400), send(person, "And another thing.", 400)
    settle(person)
    assert 2 in at_once
    together = [answer_of(person, chat)[1] for chat in chats]
    for chat, text in zip(chats, together, strict=True):
        person.controller.chat.open(chat)
        person.controller.generation.regenerate_last()
        assert person.wait_for_answer().text == text


def test_the_end_of_an_answer_finds_its_chat(person: Person) -> None:
    """While another one is shown, or its own lies in the trash."""
    first = begin(person, "Tell me more.", 200)
    second = begin(person, "And another thing.")
    person.qtbot.waitUntil(lambda: running(person) == [second])
    assert answer_of(person, first)[1]
    assert shown_chat(person) == second
    third = begin(person, "Something else.")
    person.controller.chat_list.delete(third)
    person.qtbot.waitUntil(lambda: running(person) == [second])
    person.controller.services.conversations.restore(third)
    assert answer_of(person, third)[0] is MessageState.STOPPED
    person.controller.chat.open(second)
    person.window.transcript.delete_requested.emit(person.path[0].id)
    settle(person)
    assert person.path == []


def test_context_is_counted_while_another_chat_is_answered(person: Person) -> None:
    first = begin(person, "Tell me more.")
    person.controller.chat.start_chat()
    person.write("How long is this?")
    meter = person.window.composer._meter
    person.qtbot.waitUntil(lambda: meter._use is not None)
    assert running(person) == [first]
    person.controller.answers.stop(first)
    settle(person)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_where_the_engine_dies_both_stay_and_go_on(person: Person) -> None:
    chats = both(person)
    (engine,) = engines_below(os.getpid())
    os.kill(engine.pid, signal.SIGKILL)
    settle(person)
    kept = {chat: answer_of(person, chat) for chat in chats}
    assert all(state is MessageState.STOPPED and text for state, text in kept.values())
    wait_for_pair(person)
    for chat, (_, text) in kept.items():
        person.controller.chat.open(chat)
        person.keep_short(16)
        person.controller.generation.continue_answer(person.path[-1].id)
        answer = person.wait_for_answer()
        assert answer.text.startswith(text)
        assert len(answer.text) > len(text)


def test_another_pair_ends_both_and_answers_who_waits(person: Person, choice: PairChoice) -> None:
    chats = both(person)
    send(person, "And me?", 8)
    person.controller.pair.load(choice)
    assert person.wait_for_answer().text
    assert [answer_of(person, chat)[0] for chat in chats] == [MessageState.STOPPED] * 2


def test_the_window_is_closed_amid_both(person: Person) -> None:
    chats = both(person)
    person.window.close()
    person.controller.close()
    assert all(answer_of(person, chat)[0] is MessageState.STOPPED for chat in chats)
    assert not engines_below(os.getpid())
