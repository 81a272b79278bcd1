"""What becomes of an engine's answer: text, reasoning and calls."""

import pytest
from support.scripted_dialects import ASKED, CHAT, ask, load, make_other, make_sglang, make_vllm
from support.scripted_engine import ScriptedEngine, delta, events, usage

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.types import (
    FinishReason,
    GenerationFinished,
    Message,
    Role,
    TokenEvent,
    ToolCall,
)
from specchat.services.connections.remote_engine import RemoteEngine


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts(engine: RemoteEngine, server: ScriptedEngine, field: str) -> None:
    """In a chat they are part of the text, as with a model here."""
    make_vllm(server)
    thinking = [delta("", **{field: part}) for part in ("Let me", " see.")]
    server.replies[CHAT] = events(*thinking, delta("Yes"), delta(".", "stop"))
    load(engine, server)
    assert ask(engine)[0] == "<think>\nLet me see.\n</think>\n\nYes."
    told = list(engine.generate(CompletionTask(ASKED, thoughts_apart=True), CancelToken()))
    tokens = [event for event in told if isinstance(event, TokenEvent)]
    assert ["".join(token.thought for token in tokens), "".join(token.text for token in tokens)] == [
        "Let me see.",
        "Yes.",
    ]
    server.replies[CHAT] = events(*thinking, delta("", "length"))
    assert ask(engine)[0] == "<think>\nLet me see.\n</think>"


def test_a_text_goes_on_for_as_long_as_there_is_room(engine: RemoteEngine, server: ScriptedEngine) -> None:
    """Most engines would end it after 16 tokens."""
    for make, longest in ((make_vllm, 4096 - 9 - 8), (make_sglang, None), (make_other, None)):
        server.replies.clear()
        make(server)
        server.replies["/v1/completions"] = events({"choices": [{"text": " time", "finish_reason": "stop"}]})
        n_ctx = load(engine, server).n_ctx
        assert ask(engine, CompletionTask("Once upon"))[0] == " time"
        told = server.last("/v1/completions").get("max_tokens")
        assert told == longest if longest else told is None or 0 < told < n_ctx
        ask(engine, CompletionTask("Once upon", max_tokens=5))
        assert server.last("/v1/completions")["max_tokens"] == 5


def test_long_pieces_are_not_taken_for_tokens(engine: RemoteEngine, server: ScriptedEngine) -> None:
    """Without a count, nobody knows how many tokens they are."""
    make_other(server)
    load(engine, server)
    halves = (delta("It is warm today. " * 50), delta("Tomorrow it will rain. " * 50, "stop"))
    server.replies[CHAT] = events(*halves)
    *told, end = engine.generate(CompletionTask(ASKED), CancelToken())
    assert isinstance(end, GenerationFinished)
    assert not end.stats.is_length_known
    assert {"n_generated", "tokens_per_s"} <= set(end.stats.unreported)
    steps = [event.step for event in told if isinstance(event, TokenEvent)]
    assert [step.emitted for step in steps if step is not None] == [0, 0]
    server.replies[CHAT] = events(*halves, usage(7, 500))
    stats = ask(engine)[1].stats
    assert (stats.n_generated, stats.is_length_known) == (500, True)
    assert stats.tokens_per_s * stats.ttft_s < 501  # what arrives in two pieces was not written between them
    server.replies[CHAT] = events(delta("It"), delta(" is.", "stop"))
    stats = ask(engine)[1].stats
    assert (stats.n_generated, stats.is_length_known) == (2, True)


def test_thoughts_in_tags_stay(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_vllm(server)
    server.replies[CHAT] = events(delta("<think>Hm</think>"), delta("Yes.", "stop"))
    load(engine, server)
    assert ask(engine)[0] == "<think>Hm</think>Yes."


def test_tools(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_vllm(server)
    parts = [
        {"index": 0, "id": "a", "function": {"name": "weather", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"city":'}},
        {"index": 0, "function": {"arguments": ' "Rome"}'}},
        {"index": 1, "id": "b", "function": {"name": "time"}},
    ]
    server.replies[CHAT] = events(*(delta(tool_calls=[part]) for part in parts), delta("", "tool_calls"))
    load(engine, server)
    tool = {"type": "function", "function": {"name": "weather"}}
    said = (
        *ASKED,
        Message(Role.ASSISTANT, "", (ToolCall("z", "weather", "{}"),)),
        Message(Role.TOOL, "warm", (), "z"),
    )
    end = ask(engine, CompletionTask(said, tools=(tool,), tool_choice="weather", one_call=True))[1]
    assert end.calls == (ToolCall("a", "weather", '{"city": "Rome"}'), ToolCall("b", "time", "{}"))
    assert end.reason is FinishReason.STOP
    body = server.last(CHAT)
    assert body["tools"] == [tool]
    assert body["tool_choice"] == {"type": "function", "function": {"name": "weather"}}
    assert body["parallel_tool_calls"] is False
    assert body["messages"][1]["tool_calls"][0]["function"] == {"name": "weather", "arguments": "{}"}
    assert body["messages"][2]["tool_call_id"] == "z"


def test_the_context_is_full(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_sglang(server)
    load(engine, server)
    for counts, is_full in (((2000, 48), True), ((100, 48), False)):
        server.replies[CHAT] = events(delta("a", "length"), usage(*counts))
        end = ask(engine)[1]
        assert (end.reason, end.context_full) == (FinishReason.LENGTH, is_full)
