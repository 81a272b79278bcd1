"""What programs written for Ollama see, through its own client."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ollama import Client, Message, ResponseError
from support.api_servers import ANSWER_S, Api

MODEL = "any"
ASKED = [{"role": "user", "content": "hello world, what is a token?"}]
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather somewhere.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "enum": ["Oslo", "Rome"]}},
            "required": ["city"],
        },
    },
}
GREEDY = {"temperature": 0, "num_predict": 16}


@pytest.fixture
def client(api: Api) -> Iterator[Client]:
    with Client(host=api.url.removesuffix("/v1"), timeout=ANSWER_S) as client:
        yield client


def test_a_chat_whole_and_streamed(client: Client, api: Api) -> None:
    whole = client.chat(MODEL, ASKED, options=GREEDY)
    assert whole.done
    assert whole.done_reason in ("stop", "length")
    assert whole.model == MODEL
    assert whole.eval_count
    same = api.chat(ASKED[0]["content"], temperature=0, max_tokens=16).json["choices"][0]["message"]["content"]
    assert whole.message.content == same
    chunks = list(client.chat(MODEL, ASKED, options=GREEDY, stream=True))
    assert "".join(chunk.message.content or "" for chunk in chunks) == same
    assert [chunk.done for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert chunks[-1].eval_count == whole.eval_count


def test_a_prompt_whole_streamed_and_raw(client: Client, api: Api) -> None:
    whole = client.generate(MODEL, "hello world", options=GREEDY, system="Be brief.")
    streamed = client.generate(MODEL, "hello world", options=GREEDY, system="Be brief.", stream=True)
    assert "".join(chunk.response or "" for chunk in streamed) == whole.response
    raw = client.generate(MODEL, "hello world", options=GREEDY, raw=True)
    assert raw.response == api.complete("hello world", temperature=0, max_tokens=16).json["choices"][0]["text"]


def test_log_probabilities(client: Client) -> None:
    options = {"temperature": 0, "num_predict": 3}
    whole = client.chat(MODEL, ASKED, logprobs=True, top_logprobs=2, options=options)
    chances = whole.logprobs or []
    assert len(chances) == whole.eval_count
    assert all(each.top_logprobs and each.top_logprobs[0].token == each.token for each in chances)
    chunks = client.generate(MODEL, "Hello", logprobs=True, options=options, stream=True)
    streamed = [each for chunk in chunks for each in chunk.logprobs or ()]
    assert len(streamed) == 3


def test_tools(client: Client) -> None:
    """Whether the model of the tests calls one is chance; calls that were made are understood."""
    called: list[Message] = [
        Message(role="user", content="Is it warm?"),
        Message(
            role="assistant",
            tool_calls=[
                Message.ToolCall(function=Message.ToolCall.Function(name="weather", arguments={"city": "Oslo"}))
            ],
        ),
        Message(role="tool", content="It rains.", tool_name="weather"),
    ]
    answer = client.chat(MODEL, called, tools=[WEATHER], options=GREEDY)
    assert answer.prompt_eval_count


def test_json(client: Client) -> None:
    schema = {"type": "object", "properties": {"warm": {"type": "boolean"}}, "required": ["warm"]}
    answer = client.chat(MODEL, ASKED, format=schema)
    assert answer.message.content
    assert answer.message.content.startswith("{")


def test_models(client: Client, api: Api, pair: tuple[Path, Path]) -> None:
    (model,) = client.list().models
    assert model.size == pair[0].stat().st_size
    assert model.model == "target.gguf"
    assert len(model.digest or "") == 64
    shown = client.show(MODEL)
    assert shown.capabilities == ["completion", "tools"]
    assert shown.details
    assert shown.details.format == "gguf"
    assert shown.details.parameter_size
    assert shown.details.parameter_size.endswith("M")
    assert shown.modelinfo
    assert shown.modelinfo["llama.context_length"] == 2048
    (running,) = client.ps().models
    assert 0 < (running.size or 0) < model.size
    assert running.digest == model.digest
    assert running.expires_at is not None
    assert (running.size_vram, running.context_length) == (0, 2048)
    assert api.get("/api/version").json["version"]


def test_its_command_looks_whether_somebody_serves(api: Api) -> None:
    assert api.send("HEAD", "/").status == 200
    assert api.get("/").body == b"specchat is running"


def test_loading_is_asked_without_a_prompt(client: Client) -> None:
    assert client.generate(MODEL).done_reason == "load"
    assert client.chat(MODEL, []).done_reason == "load"


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("/api/chat", {"messages": [{"role": "owner"}]}, "must be one of"),
        ("/api/chat", {"messages": [{"role": "user", "content": "x", "images": ["aGk="]}]}, "images[0] is not a PNG"),
        ("/api/generate", {"prompt": "x", "options": {"temperature": "hot"}}, "options.temperature must be a number"),
        ("/api/generate", {"prompt": "x", "template": "{{ .Prompt }}"}, "template is not supported here"),
        ("/api/chat", {"messages": [{"role": "user"}], "template": "{{ .Prompt }}"}, "template is not supported here"),
        ("/api/chat", {"messages": [{"role": "user"}], "format": "yaml"}, "format must be json or a JSON schema"),
        ("/api/generate", {"prompt": "x", "suffix": "y"}, "doesn't support infill"),
    ],
)
def test_what_is_wrong_is_said_in_its_form(api: Api, path: str, fields: dict[str, object], said: str) -> None:
    refused = api.post(path, fields)
    assert refused.status in (400, 501)
    assert said in refused.json["error"]


def test_errors_reach_the_client(client: Client) -> None:
    with pytest.raises(ResponseError, match="must be one of"):
        client.chat(MODEL, [{"role": "owner", "content": ""}])


def test_what_ollama_alone_does_is_said(client: Client, api: Api) -> None:
    for refused, said in ((client.pull, "specchat models pull"), (client.delete, "specchat models rm")):
        with pytest.raises(ResponseError, match=said) as raised:
            refused("qwen3")
        assert raised.value.status_code == 501
    for path in ("create", "copy", "push"):
        refusal = api.post(f"/api/{path}", {"model": "qwen3"})
        assert refusal.status == 501
        assert "Available" not in refusal.json["error"]
