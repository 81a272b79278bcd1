"""Tools of chats with models of other engines: offered, called, refused, as each engine does it."""

import json
from typing import Any

import pytest
from support.scripted_engine import Reply, ScriptedEngine, delta, events, reply, usage

from specchat.domain.answer_tasks import CountTask, PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask, EngineEvent, PromptPrepared, ToolsRefused
from specchat.domain.errors import RemoteEngineError
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import GenerationFinished, Message, PairChoice, Role, TokenEvent, Tool, ToolCall
from specchat.services.connections.remote_engine import RemoteEngine

ASKED = (Message(Role.USER, "Which color has the sky?"),)
CHAT = "/v1/chat/completions"
LOOK = ToolCall("a1", "raw__look", '{"at": "the sky"}')
MODELS: dict[str, Any] = {
    "llama-server": {"id": "small", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}},
    "vLLM": {"id": "small", "owned_by": "vllm", "max_model_len": 4096},
    "Ollama": {"id": "small", "owned_by": "library"},
    "specchat": {"id": "small", "owned_by": "specchat", "meta": {"n_ctx": 4096}},
    "OpenAI-compatible": {"id": "small", "owned_by": "somebody"},
}
REFUSALS = {
    "llama-server": (500, {"error": {"message": "tools param requires --jinja flag"}}, "--jinja"),
    "vLLM": (400, {"message": '"auto" tool choice requires --enable-auto-tool-choice'}, "--tool-call-parser"),
    "Ollama": (400, {"error": {"message": "small does not support tools"}}, "Choose a model"),
    "OpenAI-compatible": (422, {"detail": "extra fields not permitted"}, "Choose a model"),
}


def tool(name: str = "raw__look", description: str = "Looks.") -> Tool:
    schema = {"type": "object", "properties": {"at": {"type": "string"}}}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def serve(server: ScriptedEngine, name: str, *chunks: object) -> None:
    server.replies |= {"/v1/models": reply({"data": [MODELS[name]]}), CHAT: events(*chunks)}
    if name == "Ollama":
        server.replies |= {
            "/api/tags": reply({"models": [{"name": "small"}]}),
            "/api/ps": reply({"models": [{"name": "small", "context_length": 4096}]}),
        }


def load(engine: RemoteEngine, server: ScriptedEngine) -> PairInfo:
    return engine.load(PairChoice(ServedModel(server.url)), CancelToken(), lambda *_: None)


def ask(
    engine: RemoteEngine, *messages: Message, tools: tuple[Tool, ...] = (tool(),), **more: Any
) -> tuple[list[EngineEvent], GenerationFinished]:
    *told, end = engine.generate(ChatTask((*ASKED, *messages), tools=tools, **more), CancelToken())
    assert isinstance(end, GenerationFinished)
    return told, end


def piece(**parts: object) -> dict[str, object]:
    return delta(tool_calls=[parts])


STREAMS: dict[str, list[dict[str, object]]] = {
    "in pieces, as llama-server and vLLM": [
        piece(index=0, id="a1", type="function", function={"name": "raw__look", "arguments": ""}),
        piece(index=0, function={"arguments": '{"at": '}),
        piece(index=0, id=None, function={"arguments": '"the sky"}'}),
        piece(index=1, id="a2", function={"name": "raw__look", "arguments": "{}"}),
    ],
    "whole, all with one index, as some versions of Ollama": [
        piece(index=0, id="a1", function={"name": "raw__look", "arguments": LOOK.arguments}),
        piece(index=0, id="a2", function={"name": "raw__look", "arguments": "{}"}),
    ],
    "without indices": [
        piece(id="a1", function={"name": "raw__look", "arguments": '{"at": '}),
        piece(function={"arguments": '"the sky"}'}),
        piece(id="a2", function={"name": "raw__look", "arguments": ""}),
    ],
    "with objects as arguments": [
        piece(index=0, id="a1", function={"name": "raw__look", "arguments": {"at": "the sky"}}),
        piece(index=1, id="a2", function={"name": "raw__look", "arguments": {}}),
    ],
}


@pytest.mark.parametrize("stream", STREAMS)
def test_calls_are_put_together(engine: RemoteEngine, server: ScriptedEngine, stream: str) -> None:
    serve(server, "vLLM", delta("Let me look."), *STREAMS[stream], delta("", "tool_calls"), usage(20, 9))
    assert load(engine, server).calls_tools
    told, end = ask(engine)
    assert "".join(event.text for event in told if isinstance(event, TokenEvent)) == "Let me look."
    assert end.calls == (LOOK, ToolCall("a2", "raw__look", "{}"))
    assert server.last(CHAT)["tools"] == [tool()]


def test_results_are_sent_back(engine: RemoteEngine, server: ScriptedEngine) -> None:
    serve(server, "llama-server", delta("It is blue.", "stop"), usage(40, 3))
    load(engine, server)
    call = Message(Role.ASSISTANT, "", (LOOK,), thought="I have to look.")
    ask(engine, call, Message(Role.TOOL, "blue", tool_call_id="a1", name="raw__look"), probabilities=True)
    body = server.last(CHAT)
    _, called, result = body["messages"]
    assert called["tool_calls"][0]["function"] == {"name": "raw__look", "arguments": LOOK.arguments}
    assert called["reasoning_content"] == "I have to look."
    assert (result["role"], result["tool_call_id"], result["content"]) == ("tool", "a1", "blue")
    assert "logprobs" not in body  # llama-server refuses these with tools


def test_a_call_without_a_number_gets_one_and_half_a_call_is_none(engine: RemoteEngine, server: ScriptedEngine) -> None:
    pieces = [
        piece(index=at, function={"name": "raw__look", "arguments": text}) for at, text in enumerate(("{}", '{"'))
    ]
    serve(server, "OpenAI-compatible", *pieces, delta("", "length"))
    load(engine, server)
    (call,) = ask(engine)[1].calls
    assert call.arguments == "{}"
    assert call.id


@pytest.mark.parametrize("name", REFUSALS)
def test_an_engine_that_takes_no_tools_answers_without_and_is_asked_once(
    engine: RemoteEngine, server: ScriptedEngine, name: str
) -> None:
    status, refusal, hint = REFUSALS[name]
    good = events(delta("It is blue.", "stop"), usage(9, 3))

    def answer(body: Any) -> Reply:
        return reply(refusal, status=status) if "tools" in body else good

    serve(server, name)
    server.replies[CHAT] = answer
    load(engine, server)
    call = Message(Role.ASSISTANT, "", (LOOK,))
    told, _ = ask(engine, call, Message(Role.TOOL, "blue", tool_call_id="a1", name="raw__look"))
    assert "".join(event.text for event in told if isinstance(event, TokenEvent)) == "It is blue."
    (refused,) = [event for event in told if isinstance(event, ToolsRefused)]
    assert "can't call tools" in refused.error.message
    assert hint in refused.error.hint
    assert "tool" not in {each["role"] for each in server.last(CHAT)["messages"]}
    n_asked = len(server.asked)
    told, _ = ask(engine)
    assert not any(isinstance(event, ToolsRefused) for event in told)
    assert sum(asked.line.endswith(CHAT) or CHAT in asked.line for asked in server.asked[n_asked:]) == 1


def test_an_error_that_stays_without_tools_is_told(engine: RemoteEngine, server: ScriptedEngine) -> None:
    serve(server, "vLLM")
    server.replies[CHAT] = reply({"message": "temperature is too high"}, status=400)
    load(engine, server)
    with pytest.raises(RemoteEngineError, match="temperature"):
        ask(engine)
    server.replies[CHAT] = events(*STREAMS["with objects as arguments"], delta("", "tool_calls"))
    assert len(ask(engine)[1].calls) == 2


@pytest.mark.parametrize(
    ("name", "path", "told", "able"),
    [
        ("Ollama", "/api/show", {"capabilities": ["completion"]}, False),
        ("Ollama", "/api/show", {"capabilities": ["completion", "tools"]}, True),
        ("Ollama", "/api/show", {}, True),
        ("llama-server", "/props", {"chat_template_caps": {"supports_tools": False}}, False),
        ("llama-server", "/props", {}, True),
        ("specchat", "/props", {"chat_template_caps": {"supports_tools": False}}, False),
    ],
)
def test_engines_that_tell_are_believed(
    engine: RemoteEngine, server: ScriptedEngine, name: str, path: str, told: object, able: bool
) -> None:
    serve(server, name, delta("It is blue.", "stop"))
    server.replies[path] = reply(told)
    assert load(engine, server).calls_tools == able
    ask(engine)
    assert ("tools" in server.last(CHAT)) == able


def test_tools_without_room_are_left_out(engine: RemoteEngine, server: ScriptedEngine) -> None:
    serve(server, "OpenAI-compatible", delta("Blue.", "stop"))
    tools = (tool(), tool("raw__long", "word " * 4000), tool("raw__more"))
    load(engine, server)
    ask(engine, tools=tools)
    assert len(server.last(CHAT)["tools"]) == 3  # nobody knows how large the context is
    server.replies["/v1/models"] = reply({"data": [MODELS["llama-server"]]})
    load(engine, server)
    prepared = ask(engine, tools=tools)[0][0]
    assert isinstance(prepared, PromptPrepared)
    assert prepared.n_tools_left_out == 2
    assert server.last(CHAT)["tools"] == [tool()]
    counts = [engine.count(CountTask(ASKED, tools=given)) for given in ((), (tool(),), tools)]
    assert [count.n_tools_left_out for count in counts] == [0, 0, 2]
    assert counts[0].system + len(json.dumps(tool())) // 5 < counts[1].system == counts[2].system
