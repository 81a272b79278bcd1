"""Answers in OpenAI's shapes, from what the engine tells."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

import pytest

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.types import (
    TARGET,
    FinishReason,
    GenerationEvent,
    GenerationFinished,
    GenerationStats,
    ScoredToken,
    TokenEvent,
    TokenLogprobs,
    ToolCall,
)
from specchat.server.answer_builder import AnswerBuilder, join_deltas
from specchat.server.answer_response import FinishedAnswer
from specchat.server.anthropic_format import AnthropicFormat
from specchat.server.response_formatters import ChatFormatter, CompletionFormatter

CALL = ToolCall("1", "look", "{}")


def token(piece: bytes, text: str | None = None, **more: Any) -> TokenEvent:
    chance = ScoredToken(0, piece, -1.0)
    logprobs = TokenLogprobs(chance, (chance, ScoredToken(1, b"\xe2\x80", -2.0), ScoredToken(2, b"", -3.0)))
    return TokenEvent(0, piece.decode() if text is None else text, TARGET, None, None, None, logprobs, **more)


def end(text: str = "", reason: FinishReason = FinishReason.STOP) -> GenerationFinished:
    return GenerationFinished(reason, text, GenerationStats())


def columns(events: Sequence[GenerationEvent]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Streamed and whole."""
    answer, form = AnswerBuilder(in_step=True), CompletionFormatter(logprobs=True)
    pieces = [answer.add_step([event]) for event in events]
    streamed: list[Any] = [form.format_delta(piece)["logprobs"] for piece in pieces]
    whole: Any = form.format_full(join_deltas(pieces))["logprobs"]
    return streamed, whole


def test_offsets_where_text_is_held_back() -> None:
    """As the possible beginning of a stop text."""
    streamed, whole = columns([token(b"a", ""), token(b"b", ""), token(b"x", "abx"), token(b"y"), end()])
    assert [each["tokens"] for each in streamed] == [[], [], ["a", "b", "x"], ["y"], []]
    assert [each["text_offset"] for each in streamed] == [[], [], [0, 1, 2], [3], []]
    assert (whole["tokens"], whole["text_offset"]) == (["a", "b", "x", "y"], [0, 1, 2, 3])


def test_tokens_of_a_stop_text_are_not_told() -> None:
    streamed, whole = columns([token(b"ab"), token(b"c", ""), token(b"d", ""), end()])
    assert whole["tokens"] == ["ab"]
    assert [each["tokens"] for each in streamed] == [["ab"], [], [], []]


def test_offsets_where_a_character_is_in_pieces() -> None:
    events: list[GenerationEvent] = [
        token(b"a"),
        token(b"\xe2", ""),
        token(b"\x82", ""),
        token(b"\xac", "€"),
        token(b"b"),
        end(),
    ]
    _, whole = columns(events)
    assert whole["text_offset"] == [0, 1, 1, 1, 2]
    assert whole["tokens"] == ["a", "bytes:\\xe2", "bytes:\\x82", "bytes:\\xac", "b"]
    assert whole["top_logprobs"][0] == {"a": -1.0, "bytes:\\xe2\\x80": -2.0}


def test_offsets_are_those_of_the_text() -> None:
    words = ["Hello", " ", "wörld", "!"]
    events: list[GenerationEvent] = [token(word.encode()) for word in words]
    _, whole = columns([*events, end()])
    assert whole["text_offset"] == list(accumulate(map(len, words[:-1]), initial=0))


@pytest.mark.parametrize(
    ("calls", "reason", "said"),
    [
        ((), FinishReason.STOP, "stop"),
        ((), FinishReason.CANCELLED, "length"),
        ((CALL,), FinishReason.STOP, "tool_calls"),
        ((CALL,), FinishReason.LENGTH, "length"),
    ],
)
def test_why_it_ended(calls: tuple[ToolCall, ...], reason: FinishReason, said: str) -> None:
    answer = AnswerBuilder(in_step=False)
    answer.add_step([token(b"a", "", calls=calls)])
    answer.add_step([end(reason=reason)])
    assert answer.finish_reason == said


@pytest.mark.parametrize(("asked", "said"), [((), ("end_turn", None)), (("\nUser:",), ("stop_sequence", "\nUser:"))])
def test_where_a_template_ends_an_answer_is_no_stop_sequence(
    asked: tuple[str, ...], said: tuple[str, str | None]
) -> None:
    answer = AnswerBuilder(in_step=False)
    pieces = [answer.add_step([token(b"Yes")]), answer.add_step([replace(end(), stop_text="\nUser:")])]
    finished = FinishedAnswer(join_deltas(pieces), answer, PairInfo("target.gguf", None, 512, "on", ""))
    reply = AnthropicFormat(asked).whole([finished])
    assert (reply["stop_reason"], reply["stop_sequence"]) == said


def test_thoughts_are_apart() -> None:
    answer, form = AnswerBuilder(in_step=False), ChatFormatter(logprobs=False)
    pieces = [
        answer.add_step([token(b"hm", "", thought="hm")]),
        answer.add_step([token(b"Yes")]),
        answer.add_step([end()]),
    ]
    assert [form.format_delta(piece)["delta"] for piece in pieces] == [
        {"reasoning_content": "hm"},
        {"content": "Yes"},
        {},
    ]
    message: Any = form.format_full(join_deltas(pieces))["message"]
    assert (message["content"], message["reasoning_content"]) == ("Yes", "hm")
    message = form.format_full(join_deltas(pieces[1:]))["message"]
    assert "reasoning_content" not in message
