"""What programs written for Anthropic see, through its own client."""

import json
from collections.abc import Iterator

import pytest
from anthropic import Anthropic, BadRequestError
from anthropic.types import MessageParam, ToolParam, ToolResultBlockParam, ToolUseBlock, ToolUseBlockParam
from support.api_servers import ANSWER_S, Api

MODEL = "claude-any"
ASKED: list[MessageParam] = [{"role": "user", "content": "hello world, what is a token?"}]
WEATHER: ToolParam = {
    "name": "weather",
    "description": "The weather somewhere.",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"enum": ["Oslo", "Rome"]}, "days": {"type": "boolean"}},
        "required": ["city", "days"],
        "additionalProperties": False,
    },
}
ONE_CALL = {"type": "any", "disable_parallel_tool_use": True}
GREEDY = {"temperature": 0}
N_CALLS = 8


@pytest.fixture
def client(api: Api) -> Iterator[Anthropic]:
    with Anthropic(base_url=api.url.removesuffix("/v1"), api_key="none", max_retries=0, timeout=ANSWER_S) as client:
        yield client


def test_an_answer_whole_and_streamed(client: Anthropic, api: Api) -> None:
    whole = client.messages.create(model=MODEL, messages=ASKED, max_tokens=24, extra_body=GREEDY, system="Be brief.")
    (block,) = whole.content
    assert block.type == "text"
    assert (whole.role, whole.type, whole.model) == ("assistant", "message", "target.gguf")
    assert whole.stop_reason in ("max_tokens", "end_turn")
    n_prompt = whole.usage.input_tokens + (whole.usage.cache_read_input_tokens or 0)

    asked = {"messages": [{"role": "system", "content": "Be brief."}, *ASKED], "max_tokens": 24, "temperature": 0}
    same = api.post("/v1/chat/completions", asked).json
    assert same["choices"][0]["message"]["content"] == block.text
    assert same["usage"]["prompt_tokens"] == n_prompt

    with client.messages.stream(
        model=MODEL, messages=ASKED, max_tokens=24, extra_body=GREEDY, system=[{"type": "text", "text": "Be brief."}]
    ) as stream:
        assert "".join(stream.text_stream) == block.text
        last = stream.get_final_message()
    assert (last.content[0].type, last.stop_reason) == (block.type, whole.stop_reason)
    assert last.usage.output_tokens == whole.usage.output_tokens
    assert last.usage.input_tokens + (last.usage.cache_read_input_tokens or 0) == n_prompt


def test_events_in_their_order(api: Api) -> None:
    sent = {"model": MODEL, "messages": ASKED, "max_tokens": 8, "stream": True}
    body = api.post("/v1/messages", sent).body.decode()
    names = [line.removeprefix("event: ") for line in body.splitlines() if line.startswith("event: ")]
    assert names[:2] == ["message_start", "content_block_start"]
    assert names[-3:] == ["content_block_stop", "message_delta", "message_stop"]
    assert set(names[2:-3]) == {"content_block_delta"}


def test_a_stream_tells_at_its_start_what_was_cached(api: Api) -> None:
    sent = {"model": MODEL, "messages": ASKED, "max_tokens": 8, "stream": True}
    api.post("/v1/messages", sent)
    body = api.post("/v1/messages", sent).body.decode()
    events = [json.loads(line.removeprefix("data: ")) for line in body.splitlines() if line.startswith("data: ")]
    begun = events[0]["message"]["usage"]
    (ended,) = (event["usage"] for event in events if event["type"] == "message_delta")
    assert begun["cache_read_input_tokens"] > 0
    assert begun == ended | {"output_tokens": 0}


def test_a_stop_sequence_is_named(client: Anthropic) -> None:
    whole = client.messages.create(model=MODEL, messages=ASKED, max_tokens=24, extra_body=GREEDY)
    assert whole.content[0].type == "text"
    stop = whole.content[0].text.strip()[8:11]
    ended = client.messages.create(model=MODEL, messages=ASKED, max_tokens=24, extra_body=GREEDY, stop_sequences=[stop])
    assert (ended.stop_reason, ended.stop_sequence) == ("stop_sequence", stop)


def test_thoughts_are_blocks_of_their_own(api: Api) -> None:
    """The model of the tests writes anything: its template begins the thought, which has no end."""
    sent = {"messages": ASKED, "max_tokens": 8, "stop_sequences": [], "chat_template_kwargs": {"think": True}}
    reply = api.post("/v1/messages", sent | {"thinking": {"type": "enabled", "budget_tokens": 1024}}).json
    assert [block["type"] for block in reply["content"]] == ["text"]


def test_tokens_are_counted(client: Anthropic) -> None:
    bare = client.messages.count_tokens(model=MODEL, messages=ASKED)
    more = client.messages.count_tokens(model=MODEL, messages=ASKED, tools=[WEATHER], system="Be brief.")
    answer = client.messages.create(model=MODEL, messages=ASKED, max_tokens=1)
    assert bare.input_tokens == answer.usage.input_tokens + (answer.usage.cache_read_input_tokens or 0)
    assert more.input_tokens > bare.input_tokens + 10


def test_an_agent_calls_a_tool_again_and_again(client: Anthropic) -> None:
    """With a streamed answer each second time."""
    messages: list[MessageParam] = list(ASKED)
    seen = set[str]()
    for turn in range(N_CALLS):
        call = _called(client, messages[:1] + messages[-2:] if turn else messages, streamed=turn % 2 == 1)
        assert call.id not in seen
        seen.add(call.id)
        used: ToolUseBlockParam = {"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}
        result: ToolResultBlockParam = {"type": "tool_result", "tool_use_id": call.id, "content": f"It rains, {turn}."}
        messages += [{"role": "assistant", "content": [used]}, {"role": "user", "content": [result]}]
    assert len(seen) == N_CALLS


def _called(client: Anthropic, messages: list[MessageParam], *, streamed: bool) -> ToolUseBlock:
    kept = {"model": MODEL, "messages": messages, "tools": [WEATHER], "max_tokens": 200, "tool_choice": ONE_CALL}
    if streamed:
        with client.messages.stream(**kept) as stream:  # type: ignore[arg-type]
            answer = stream.get_final_message()
    else:
        answer = client.messages.create(**kept)  # type: ignore[call-overload]
    assert answer.stop_reason == "tool_use"
    call = answer.content[-1]
    assert isinstance(call, ToolUseBlock)
    arguments = call.input
    assert isinstance(arguments, dict)
    assert (call.name, set(arguments)) == ("weather", {"city", "days"})
    return call


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"messages": []}, "messages must hold at least one message"),
        ({"max_tokens": None}, "max_tokens is missing"),
        ({"messages": [{"role": "user", "content": [{"type": "image"}]}]}, "content[0].source is missing"),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "run at Anthropic"),
        ({"tool_choice": ONE_CALL}, "tool_choice needs tools"),
        ({"tool_choice": {"type": "tool", "name": "x"}}, "must name one of the tools"),
        ({"mcp_servers": [{"type": "url", "name": "x", "url": "https://x.example"}]}, "mcp_servers is not supported"),
        ({"system": 5}, "system must be a string or a list"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content must be a string or a list"),
        ({"thinking": {"type": "much"}}, "thinking.type must be"),
    ],
)
def test_what_is_wrong_is_said_in_its_form(api: Api, fields: dict[str, object], said: str) -> None:
    refused = api.post("/v1/messages", {"messages": ASKED, "max_tokens": 1, **fields})
    assert refused.status == 400
    assert refused.json["type"] == "error"
    assert refused.json["error"]["type"] == "invalid_request_error"
    assert said in refused.json["error"]["message"]


def test_errors_reach_the_client(client: Anthropic) -> None:
    with pytest.raises(BadRequestError, match="messages must hold"):
        client.messages.create(model=MODEL, messages=[], max_tokens=1)


def test_an_answer_that_has_begun_goes_on(client: Anthropic) -> None:
    begun: list[MessageParam] = [*ASKED, {"role": "assistant", "content": "It is"}]
    answer = client.messages.create(model=MODEL, messages=begun, max_tokens=4)
    assert answer.content
    counted = client.messages.count_tokens(model=MODEL, messages=begun)
    assert counted.input_tokens > client.messages.count_tokens(model=MODEL, messages=ASKED).input_tokens


def test_a_schema_is_followed(api: Api) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}
    form = {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
    reply = api.post("/v1/messages", {"messages": ASKED, "max_tokens": 50, **form}).json
    assert isinstance(json.loads(reply["content"][0]["text"])["a"], bool)
