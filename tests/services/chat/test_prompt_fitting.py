"""Which messages are sent, with a word for a token and two more around each message."""

from collections.abc import Sequence

import pytest

from specchat.domain.errors import ContextFullError
from specchat.domain.types import Message, Role
from specchat.services.chat.prompt_fitting import BegunAnswer, fit_newest_turns

SYSTEM = Message(Role.SYSTEM, "be brief")
OLD = [Message(Role.USER, "one two three"), Message(Role.ASSISTANT, "four five")]
NEW = [Message(Role.USER, "six seven"), Message(Role.ASSISTANT, "eight")]
ASKED = Message(Role.USER, "nine")


def size(message: Message) -> int:
    return len(message.content.split())


def prompt(messages: Sequence[Message]) -> tuple[int, ...]:
    return tuple(range(sum(size(message) + 2 for message in messages)))


@pytest.mark.parametrize(
    ("limit", "n_tokens", "n_left_out"), [(100, 23, 0), (23, 23, 0), (22, 14, 2), (14, 14, 2), (13, 7, 4), (7, 7, 4)]
)
def test_the_oldest_turns_are_left_out_and_counted(limit: int, n_tokens: int, n_left_out: int) -> None:
    fitted = fit_newest_turns([SYSTEM, *OLD, *NEW, ASKED], prompt, limit, size)
    assert (len(fitted.tokens), fitted.n_left_out) == (n_tokens, n_left_out)


def test_a_last_message_that_alone_is_too_long() -> None:
    with pytest.raises(ContextFullError, match="7 tokens, room for 6"):
        fit_newest_turns([SYSTEM, *OLD, ASKED], prompt, 6, size)


def test_questions_without_an_answer_between_them_are_one() -> None:
    """Templates want turns."""
    seen: list[Sequence[Message]] = []

    def noted(messages: Sequence[Message]) -> tuple[int, ...]:
        seen.append(messages)
        return prompt(messages)

    fit_newest_turns([Message(Role.USER, "Why?"), Message(Role.USER, "Well?")], noted, 100, size)
    assert seen == [[Message(Role.USER, "Why?\n\nWell?")]]


def test_a_question_too_long_to_be_answered_is_left_out_of_the_next() -> None:
    endless = Message(Role.USER, "too long " * 100)
    fitted = fit_newest_turns([SYSTEM, *OLD, endless, ASKED], prompt, 20, size)
    assert (len(fitted.tokens), fitted.n_left_out) == (7, 3)


@pytest.mark.parametrize("n_begun", [10, 92])
def test_a_begun_answer_may_go_on_to_the_end_of_the_context(n_begun: int) -> None:
    fitted = fit_newest_turns([SYSTEM, *OLD, ASKED], prompt, 75 - n_begun, size, BegunAnswer(n_begun, n_ctx=100))
    assert (len(fitted.tokens), fitted.n_left_out) == ((16, 0) if n_begun == 10 else (7, 2))


def test_a_begun_answer_that_fills_the_context() -> None:
    with pytest.raises(ContextFullError, match="This answer fills the context of 100 tokens"):
        fit_newest_turns([SYSTEM, *OLD, ASKED], prompt, -18, size, BegunAnswer(93, n_ctx=100))
