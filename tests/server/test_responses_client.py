"""What programs that use OpenAI's Responses API see, through its own client."""

import json
from collections.abc import Iterator, Sequence

import pytest
from openai import BadRequestError, OpenAI
from openai.types.responses import (
    FunctionToolParam,
    ResponseFunctionToolCall,
    ResponseInputParam,
    ResponseOutputMessage,
)
from support.api_servers import Api

MODEL = "any"
ASKED = "hello world, what is a token?"
WEATHER: FunctionToolParam = {
    "type": "function",
    "name": "weather",
    "description": "The weather somewhere.",
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {"city": {"enum": ["Oslo", "Rome"]}, "days": {"type": "boolean"}},
        "required": ["city", "days"],
        "additionalProperties": False,
    },
}


@pytest.fixture
def client(api: Api) -> Iterator[OpenAI]:
    with api.client() as client:
        yield client


def test_an_answer_whole_and_streamed(client: OpenAI, api: Api) -> None:
    whole = client.responses.create(
        model=MODEL, input=ASKED, instructions="Be brief.", max_output_tokens=24, temperature=0
    )
    assert whole.output_text
    assert whole.model == "target.gguf"
    assert whole.status in ("completed", "incomplete")
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": ASKED}]
    same = api.post("/v1/chat/completions", {"messages": asked, "max_tokens": 24, "temperature": 0}).json
    assert same["choices"][0]["message"]["content"] == whole.output_text

    events = list(
        client.responses.create(
            model=MODEL,
            input=[{"role": "user", "content": [{"type": "input_text", "text": ASKED}]}],
            instructions="Be brief.",
            max_output_tokens=24,
            temperature=0,
            stream=True,
        )
    )
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == whole.output_text
    assert [event.type for event in events[:4]] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
    ]
    last = events[-1]
    assert last.type in ("response.completed", "response.incomplete")
    assert last.response.output_text == whole.output_text
    assert last.response.usage
    assert whole.usage
    assert last.response.usage.output_tokens == whole.usage.output_tokens


def test_a_message_that_is_cut_off_is_incomplete(client: OpenAI) -> None:
    whole = client.responses.create(model=MODEL, input=ASKED, max_output_tokens=2)
    events = list(client.responses.create(model=MODEL, input=ASKED, max_output_tokens=2, stream=True))
    (done,) = [event.item for event in events if event.type == "response.output_item.done"]
    last = events[-1]
    assert last.type == "response.incomplete"
    for item in (whole.output[0], last.response.output[0], done):
        assert isinstance(item, ResponseOutputMessage)
        assert item.status == "incomplete"
        assert item.content


def test_a_tool_is_called_and_its_result_read(client: OpenAI) -> None:
    said: ResponseInputParam = [{"role": "user", "content": ASKED}]
    for streamed in (False, True):
        (item,) = _called(client, said, streamed=streamed)
        assert isinstance(item, ResponseFunctionToolCall)
        assert set(json.loads(item.arguments)) == {"city", "days"}
        said += [
            {"type": "function_call", "call_id": item.call_id, "name": item.name, "arguments": item.arguments},
            {"type": "function_call_output", "call_id": item.call_id, "output": "It rains."},
        ]
    answer = client.responses.create(model=MODEL, input=said, tools=[WEATHER], max_output_tokens=4)
    assert answer.usage
    assert answer.usage.input_tokens > 50


def _called(client: OpenAI, said: ResponseInputParam, *, streamed: bool) -> Sequence[object]:
    if not streamed:
        return client.responses.create(
            model=MODEL, input=said, tools=[WEATHER], tool_choice="required", parallel_tool_calls=False
        ).output
    with client.responses.stream(
        model=MODEL, input=said, tools=[WEATHER], tool_choice="required", parallel_tool_calls=False
    ) as stream:
        return stream.get_final_response().output


def test_a_schema_is_followed(client: OpenAI) -> None:
    schema = {
        "type": "object",
        "properties": {"bright": {"type": "boolean"}},
        "required": ["bright"],
        "additionalProperties": False,
    }
    answer = client.responses.create(
        model=MODEL, input=ASKED, text={"format": {"type": "json_schema", "name": "paint", "schema": schema}}
    )
    assert isinstance(json.loads(answer.output_text)["bright"], bool)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"input": None}, "input is missing"),
        ({"input": 5}, "input must be a string or a list"),
        ({"input": [{"role": "user", "content": {}}]}, "content must be a string or a list"),
        ({"tool_choice": 5}, "tool_choice must be auto, none, or required, or name a function"),
        ({"previous_response_id": "resp_1"}, "previous_response_id is not supported"),
        ({"background": True}, "background is not supported"),
        ({"tools": [{"type": "web_search"}]}, "Tools of type web_search are not supported"),
        ({"input": [{"type": "input_image"}]}, "input_image is not supported here"),
        ({"reasoning": {"effort": "some"}}, "reasoning.effort must be"),
        ({"tool_choice": "required"}, "tool_choice needs tools"),
    ],
)
def test_what_is_refused(api: Api, fields: dict[str, object], said: str) -> None:
    refused = api.post("/v1/responses", {"input": ASKED, **fields})
    assert refused.status == 400
    assert said in refused.error["message"]


def test_errors_reach_the_client(client: OpenAI) -> None:
    with pytest.raises(BadRequestError, match="previous_response_id"):
        client.responses.create(model=MODEL, input=ASKED, previous_response_id="resp_1")
