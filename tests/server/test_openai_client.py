"""What programs written for OpenAI see, through its own client."""

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from openai import BadRequestError, OpenAI, PermissionDeniedError
from openai.types.chat import (
    ChatCompletionMessageFunctionToolCallParam,
    ChatCompletionMessageParam,
    ChatCompletionToolChoiceOptionParam,
    ChatCompletionToolParam,
)
from support.api_servers import Api

MODEL = "any"
ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "hello world, what is a token?"}]
WEATHER: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather somewhere.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"enum": ["Oslo", "Rome"]}, "days": {"type": "boolean"}},
            "required": ["city", "days"],
            "additionalProperties": False,
        },
    },
}
ENDLESS = {"ignore_eos": True}
N_CALLS = 8


@pytest.fixture
def client(api: Api) -> Iterator[OpenAI]:
    with api.client() as client:
        yield client


def test_models(client: OpenAI) -> None:
    (model,) = client.models.list()
    assert model.id == "target.gguf"
    assert client.models.retrieve(model.id) == model


@pytest.mark.parametrize("name", ["gpt-9", "owner/name", "owner/name:Q4_K_M", "a/b/c.gguf"])
def test_a_model_goes_by_any_name(client: OpenAI, name: str) -> None:
    answer = client.chat.completions.create(model=name, messages=ASKED, max_tokens=1)
    assert client.models.retrieve(name).id == answer.model == "target.gguf"


def test_an_answer_whole_and_streamed(client: OpenAI) -> None:
    whole = client.chat.completions.create(
        model=MODEL, messages=ASKED, temperature=0, max_completion_tokens=24, extra_body=ENDLESS
    )
    text = whole.choices[0].message.content
    assert text
    assert (whole.object, whole.model, whole.choices[0].finish_reason) == ("chat.completion", "target.gguf", "length")
    assert whole.usage
    assert (whole.usage.completion_tokens, whole.usage.prompt_tokens) == (24, whole.usage.total_tokens - 24)

    stream = client.chat.completions.create(
        model=MODEL,
        messages=ASKED,
        temperature=0,
        max_tokens=24,
        stream=True,
        stream_options={"include_usage": True},
        extra_body=ENDLESS,
    )
    chunks = list(stream)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == text
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks[-3:-1]] == [None, "length"]
    assert len({chunk.id for chunk in chunks}) == 1
    last = chunks[-1]
    assert last.choices == []
    assert last.usage
    assert last.usage.completion_tokens == 24
    assert last.usage.prompt_tokens_details
    assert last.usage.prompt_tokens_details.cached_tokens == whole.usage.prompt_tokens - 1
    assert all(chunk.usage is None for chunk in chunks[:-1])


def test_a_completion_whole_and_streamed(client: OpenAI) -> None:
    whole = client.completions.create(model=MODEL, prompt="hello world", temperature=0, extra_body=ENDLESS)
    assert whole.usage
    assert whole.usage.completion_tokens == 16
    stream = client.completions.create(
        model=MODEL, prompt=["hello world"], temperature=0, stream=True, extra_body=ENDLESS
    )
    assert "".join(chunk.choices[0].text for chunk in stream) == whole.choices[0].text


def test_stop_texts_end_an_answer_before_them(client: OpenAI) -> None:
    text = client.completions.create(
        model=MODEL, prompt="hello world", temperature=0, max_tokens=32, extra_body=ENDLESS
    )
    written = text.choices[0].text
    stop = written[20:23]
    for stops in (stop, ["never said", stop]):
        ended = client.completions.create(
            model=MODEL, prompt="hello world", temperature=0, max_tokens=32, stop=stops, extra_body=ENDLESS
        )
        assert ended.choices[0].finish_reason == "stop"
        assert ended.choices[0].text == written[: written.index(stop)]


def test_one_seed_gives_one_text_with_and_without_a_draft(api: Api, api_without_draft: Api) -> None:
    def answers(of: Api, seed: int) -> list[str | None]:
        with of.client() as client:
            return [
                client.chat.completions.create(
                    model=MODEL, messages=ASKED, seed=seed, temperature=1.2, max_tokens=40, extra_body=ENDLESS
                )
                .choices[0]
                .message.content
                for _ in range(2)
            ]

    with_draft, without = answers(api, 7), answers(api_without_draft, 7)
    assert len({*with_draft, *without}) == 1
    assert answers(api, 8)[0] != with_draft[0]


def test_logprobs_of_a_chat(client: OpenAI) -> None:
    answer = client.chat.completions.create(
        model=MODEL, messages=ASKED, temperature=0, max_tokens=8, logprobs=True, top_logprobs=3, extra_body=ENDLESS
    )
    logprobs = answer.choices[0].logprobs
    assert logprobs
    assert logprobs.content
    assert len(logprobs.content) == 8
    for token in logprobs.content:
        assert token.bytes
        assert bytes(token.bytes).decode() == token.token
        chances = [each.logprob for each in token.top_logprobs]
        assert len(chances) == 3
        assert chances == sorted(chances, reverse=True)
        assert token.logprob == chances[0] <= 0
    assert "".join(token.token for token in logprobs.content) == answer.choices[0].message.content


def test_logprobs_of_a_completion_in_a_stream(client: OpenAI) -> None:
    stream = client.completions.create(
        model=MODEL, prompt="hello", temperature=0, max_tokens=8, logprobs=2, stream=True, extra_body=ENDLESS
    )
    choices = [chunk.choices[0] for chunk in stream]
    text = "".join(choice.text for choice in choices)
    found = [choice.logprobs for choice in choices if choice.logprobs and choice.logprobs.tokens]
    tokens = [token for each in found for token in each.tokens or []]
    offsets = [offset for each in found for offset in each.text_offset or []]
    assert "".join(tokens) == text
    assert [text[offset:].startswith(token) for token, offset in zip(tokens, offsets, strict=True)] == [True] * 8
    assert all(best and len(best) == 2 for each in found for best in each.top_logprobs or [])


def test_an_answer_by_a_json_schema(client: OpenAI) -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "green"]}, "bright": {"type": "boolean"}},
        "required": ["colour", "bright"],
        "additionalProperties": False,
    }
    answer = client.chat.completions.create(
        model=MODEL,
        messages=ASKED,
        seed=3,
        response_format={"type": "json_schema", "json_schema": {"name": "paint", "schema": schema, "strict": True}},
    )
    painted = json.loads(answer.choices[0].message.content or "")
    assert painted["colour"] in ("red", "green")
    assert isinstance(painted["bright"], bool)
    assert answer.choices[0].finish_reason == "stop"


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "weather"}}])
def test_a_tool_is_called_and_its_result_read(client: OpenAI, choice: ChatCompletionToolChoiceOptionParam) -> None:
    first = client.chat.completions.create(
        model=MODEL,
        messages=ASKED,
        tools=[WEATHER],
        tool_choice=choice,
        seed=1,
    )
    assert first.choices[0].finish_reason == "tool_calls"
    message = first.choices[0].message
    assert message.tool_calls
    call = message.tool_calls[0]
    assert call.type == "function"
    assert call.function.name == "weather"
    assert json.loads(call.function.arguments)["city"] in ("Oslo", "Rome")

    said: list[ChatCompletionMessageParam] = [
        *ASKED,
        {"role": "assistant", "tool_calls": [cast(ChatCompletionMessageFunctionToolCallParam, call.model_dump())]},
        {"role": "tool", "tool_call_id": call.id, "content": "It rains."},
    ]
    second = client.chat.completions.create(model=MODEL, messages=said, tools=[WEATHER], max_tokens=4)
    assert second.usage
    assert first.usage
    assert second.usage.prompt_tokens > first.usage.prompt_tokens


def test_a_tool_call_in_a_stream(client: OpenAI) -> None:
    stream = client.chat.completions.create(
        model=MODEL,
        messages=ASKED,
        tools=[WEATHER],
        tool_choice="required",
        parallel_tool_calls=False,
        seed=1,
        stream=True,
    )
    choices = [chunk.choices[0] for chunk in stream]
    (call,) = [call for choice in choices for call in choice.delta.tool_calls or []]
    assert call.index == 0
    assert call.id
    assert call.function
    assert call.function.name == "weather"
    assert set(json.loads(call.function.arguments or "")) == {"city", "days"}
    assert choices[-1].finish_reason == "tool_calls"
    assert not any(choice.delta.content for choice in choices)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("cut", [{"max_tokens": 9}, {"stop": ["a"]}])
def test_a_tool_call_that_is_cut_off_is_no_text(api: Api, cut: dict[str, object], *, stream: bool) -> None:
    reply = api.chat("Hello", tools=[WEATHER], tool_choice="required", stream=stream, **cut)
    choices = [event["choices"][0] for event in (reply.events if stream else [reply.json])]
    said = [choice.get("delta") or choice.get("message") or {} for choice in choices]
    assert not any(each.get("content") or each.get("tool_calls") for each in said)
    assert choices[-1]["finish_reason"] == ("length" if "max_tokens" in cut else "stop")


def test_a_client_that_goes_away_stops_its_answer(api: Api, client: OpenAI) -> None:
    cancelled = 'answers_total{finish_reason="cancelled"}'
    before = api.metrics().get(cancelled, 0)
    same = {"temperature": 0.0, "seed": 1}
    alone = api.chat("hello", max_tokens=16, ignore_eos=True, **same).json["choices"][0]["message"]["content"]
    with client.chat.completions.create(
        model=MODEL, messages=ASKED, max_tokens=1900, stream=True, extra_body=ENDLESS
    ) as stream:
        next(iter(stream))
    after = api.chat("hello", max_tokens=16, ignore_eos=True, **same).json
    assert after["choices"][0]["message"]["content"] == alone
    assert api.metrics()[cancelled] == before + 1


@pytest.mark.parametrize(
    ("changes", "param"),
    [
        ({"temperature": "hot"}, "temperature"),
        ({"n": 17}, "n"),
        ({"max_tokens": 1.5}, "max_tokens"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "owner", "content": "hi"}]}, "messages[0].role"),
        ({"logit_bias": {"1": 500}}, "logit_bias"),
        ({"tools": [WEATHER, WEATHER]}, "tools"),
        ({"response_format": {"type": "xml"}}, "response_format.type"),
    ],
)
def test_what_is_wrong_is_named(client: OpenAI, changes: dict[str, object], param: str) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.chat.completions.create(model=MODEL, messages=ASKED, extra_body=changes)
    assert refused.value.param == param
    assert refused.value.type == "invalid_request_error"


def test_a_conversation_that_does_not_fit(client: OpenAI) -> None:
    with pytest.raises(BadRequestError) as refused:
        client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "word " * 5000}])
    assert refused.value.code == "context_length_exceeded"
    assert str(refused.value).endswith("Shorten the prompt: the target was trained for a context of 2,048 tokens.")


def test_ten_thousand_tiny_messages_are_only_counted(client: OpenAI) -> None:
    tiny: list[ChatCompletionMessageParam] = [{"role": "user", "content": "hi"}] * 10_000
    with pytest.raises(
        BadRequestError, match="has 10,000 messages, but the context holds only 2,048 tokens"
    ) as refused:
        client.chat.completions.create(model=MODEL, messages=tiny)
    assert refused.value.code == "context_length_exceeded"


def test_a_page_of_the_web_is_refused(client: OpenAI) -> None:
    with pytest.raises(PermissionDeniedError):
        client.models.list(extra_headers={"Origin": "https://evil.example"})


def test_an_agent_calls_a_tool_again_and_again(client: OpenAI) -> None:
    """With a streamed answer each second time."""
    messages: list[Any] = list(ASKED)
    seen = set[str]()
    for turn in range(N_CALLS):
        call = _called(client, messages[:1] + messages[-2:] if turn else messages, streamed=turn % 2 == 1)
        assert set(json.loads(call.function.arguments)) == {"city", "days"}
        seen.add(call.id)
        function = {"name": call.function.name, "arguments": call.function.arguments}
        messages += [
            {"role": "assistant", "tool_calls": [{"id": call.id, "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": call.id, "content": f"It rains, {turn}."},
        ]
    assert len(seen) == N_CALLS


def _called(client: OpenAI, messages: list[Any], *, streamed: bool) -> Any:
    asked: dict[str, Any] = {
        "tools": [WEATHER],
        "tool_choice": "required",
        "parallel_tool_calls": False,
        "max_tokens": 200,
    }
    answer: Any = client.chat.completions.create(model=MODEL, messages=messages, stream=streamed, **asked)
    chunks = list(answer) if streamed else [answer]
    assert chunks[-1].choices[0].finish_reason == "tool_calls"
    said = [chunk.choices[0].delta if streamed else chunk.choices[0].message for chunk in chunks]
    (call,) = [call for each in said for call in each.tool_calls or []]
    return call
