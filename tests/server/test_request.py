"""Any JSON is either understood or refused."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specchat.domain.types import Message, Role, ToolCall
from specchat.server.completion_request import ApiRequest, parse_chat_request, parse_text_request
from specchat.server.errors import ApiError
from specchat.server.request_fields import RequestFields, parse_body

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
HELLO = [{"role": "user", "content": "hello"}]
NAMES = sorted(
    {"messages", "prompt", "role", "content", "type", "text", "schema", "function", "name", "parameters", "arguments"}
    | {"n", "seed", "stop", "temperature", "max_tokens", "stream", "stream_options", "logprobs", "top_logprobs"}
    | {"response_format", "json_schema", "grammar", "tools", "tool_choice", "tool_calls", "logit_bias", "echo"}
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats() | st.text(max_size=3) | st.sampled_from(NAMES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


def chat(**fields: object) -> ApiRequest:
    return parse_chat_request(parse_body(json.dumps({"messages": HELLO, **fields}).encode()), "")


def conversation(**fields: object) -> tuple[object, ...]:
    prompt = chat(**fields).task.prompt
    assert isinstance(prompt, tuple)
    return prompt


def text(**fields: object) -> ApiRequest:
    return parse_text_request(parse_body(json.dumps({"prompt": "hello", **fields}).encode()), "")


def asked_or_refused(read: Callable[[RequestFields, str], ApiRequest], body: bytes) -> ApiRequest | ApiError:
    try:
        return read(parse_body(body), "")
    except ApiError as refusal:
        return refusal


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6), st.booleans(), st.booleans())
def test_any_object(body: dict[str, object], as_chat: bool, mended: bool) -> None:
    fields = {**body, "messages": HELLO, "prompt": "hello"} if mended else body
    outcome = asked_or_refused(parse_chat_request if as_chat else parse_text_request, json.dumps(fields).encode())
    assert outcome.task.prompt if isinstance(outcome, ApiRequest) else outcome.status == 400


@given(st.binary(max_size=40))
def test_any_bytes(body: bytes) -> None:
    outcome = asked_or_refused(parse_chat_request, body)
    assert isinstance(outcome, ApiError)
    assert outcome.status == 400


def test_what_is_not_given_or_not_known_is_left_as_it_is() -> None:
    plain = chat(seed=1)
    nulls: dict[str, object] = dict.fromkeys(NAMES) | {"seed": 1, "messages": HELLO}
    assert chat(**nulls).task == plain.task == chat(seed=1, store=True, user="me", whatever=[1]).task
    assert chat().task.sampling.seed != chat().task.sampling.seed
    assert plain.task.max_tokens is None
    assert text().task.max_tokens == 16


def test_messages() -> None:
    asked = [
        {"role": "developer", "content": "Be brief."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Look "}, {"type": "text", "text": "there."}],
            "name": "Al",
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "nothing"},
    ]
    assert chat(messages=asked).task.prompt == (
        Message(Role.SYSTEM, "Be brief."),
        Message(Role.USER, "Look there.", name="Al"),
        Message(Role.ASSISTANT, "", (ToolCall("1", "look", "{}"),)),
        Message(Role.TOOL, "nothing", tool_call_id="1"),
    )


@pytest.mark.parametrize("said", [{"content": None}, {}, {"content": None, "tool_calls": []}])
def test_an_assistant_that_said_nothing(said: dict[str, object]) -> None:
    asked = [*HELLO, {"role": "assistant", **said}, *HELLO]
    assert conversation(messages=asked)[1] == Message(Role.ASSISTANT, "")


@pytest.mark.parametrize("role", ["user", "system", "tool"])
def test_others_say_something(role: str) -> None:
    with pytest.raises(ApiError, match=r"messages\[0\]\.content is missing"):
        chat(messages=[{"role": role, "content": None}])


@pytest.mark.parametrize(
    ("field", "digits", "words"),
    [
        ("seed", "9" * 5000, "too large"),
        ("seed", "-" + "9" * 5000, "too small"),
        ("seed", str(1 << 63), "too large"),
        ("max_tokens", "9" * 5000, "too large"),
        ("temperature", "9" * 5000, "too large"),
        ("temperature", "-1", "too small"),
    ],
    ids=lambda value: value[:20],
)
def test_numbers_of_many_digits(field: str, digits: str, words: str) -> None:
    body = json.dumps({"messages": HELLO}).removesuffix("}") + f', "{field}": {digits}}}'
    with pytest.raises(ApiError, match=rf"^{field} is {words}: it must be between ") as refused:
        parse_chat_request(parse_body(body.encode()), "")
    assert refused.value.error["param"] == field


def test_the_other_ways_to_say_it() -> None:
    assert chat(max_tokens=5, max_completion_tokens=7).task.max_tokens == 7
    assert chat(max_tokens=-1).task.max_tokens is None
    assert chat(stop="x").task.stop == chat(stop=["x", ""]).task.stop == ("x",)
    assert chat(response_format={"type": "json_object"}).task.json_schema == "{}"
    schema = {"type": "object"}
    in_json = (
        {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}},
        {"response_format": {"type": "json_object", "schema": schema}},
        {"json_schema": schema},
    )
    assert {chat(**way).task.json_schema for way in in_json} == {json.dumps(schema)}
    assert text(prompt=[1, 2]).task.prompt == text(prompt=[[1, 2]]).task.prompt == (1, 2)
    assert chat(logprobs=True).task.top_logprobs == 0
    assert text(logprobs=3).task.top_logprobs == 3
    assert chat(tools=[TOOL], tool_choice={"type": "function", "function": {"name": "look"}}).task.tool_choice == "look"
    assert [chat(parallel_tool_calls=several).task.one_call for several in (None, True, False)] == [False, False, True]
    assert [chat(seed=seed).task.sampling.seed for seed in (7, -2)] == [7, (1 << 63) - 2]
    ways: tuple[dict[str, object], ...] = (
        {},
        {"reasoning_format": "auto"},
        {"reasoning_format": "deepseek"},
        {"reasoning_format": "none"},
    )
    assert [chat(**way).task.thoughts_apart for way in ways] == [True, True, True, False]
    assert not text().task.thoughts_apart


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"messages": None}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"messages": ["hello"]}, "messages[0]"),
        ({"messages": [{"role": "user"}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages[0].content[0].image_url"),
        (
            {"messages": [{"role": "user", "content": "x", "tool_calls": [{}]}]},
            "messages[0].tool_calls[0].function.name",
        ),
        ({"n": 17}, "n"),
        ({"n": True}, "n"),
        ({"seed": 1 << 63}, "seed"),
        ({"seed": -(1 << 63) - 1}, "seed"),
        ({"stop": 0}, "stop"),
        ({"tools": ""}, "tools"),
        ({"tools": [{"type": "function", "function": {"name": "auto"}}]}, "tools[0].function.name"),
        ({"tools": [TOOL], "tool_choice": "required", "grammar": 'root ::= "a"'}, "grammar"),
        ({"json_schema": {}, "grammar": 'root ::= "a"'}, "grammar"),
        ({"reasoning_format": "deepseek-legacy"}, "reasoning_format"),
        ({"chat_template_kwargs": {"a": "x" * 70_000}}, "chat_template_kwargs"),
        ({"json_schema": {"enum": [[]] * 70_000}}, "json_schema"),
        ({"parallel_tool_calls": "no"}, "parallel_tool_calls"),
        ({"temperature": 2.1}, "temperature"),
        ({"top_p": "1"}, "top_p"),
        ({"stop": [1]}, "stop"),
        ({"stop": ["x" * 300]}, "stop"),
        ({"stream": 1}, "stream"),
        ({"stream_options": []}, "stream_options"),
        ({"top_logprobs": 3}, "top_logprobs"),
        ({"logprobs": True, "top_logprobs": 21}, "top_logprobs"),
        ({"tools": [{"type": "retrieval"}]}, "tools[0].type"),
        ({"tools": [{"type": "function", "function": {"name": "no spaces"}}]}, "tools[0].function.name"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tools": [TOOL], "tool_choice": {"function": {"name": "other"}}}, "tool_choice"),
        ({"functions": [{"name": "old"}]}, "functions"),
        ({"response_format": {"type": "json_schema"}}, "response_format.json_schema.schema"),
        ({"modalities": ["audio"]}, "modalities"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": 0}, "max_completion_tokens"),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, object], param: str) -> None:
    with pytest.raises(ApiError) as refused:
        chat(**fields)
    assert refused.value.error["param"] == param


@pytest.mark.parametrize("stop", [5, 0, {}, [1], ["x", None]])
def test_both_ways_to_stop_are_named(stop: object) -> None:
    with pytest.raises(ApiError, match="stop must be a string or a list of strings"):
        chat(stop=stop)


def test_no_tokens_are_no_answer() -> None:
    with pytest.raises(ApiError, match="max_tokens must be at least 1, or -1 for no limit"):
        text(max_tokens=0)


@pytest.mark.parametrize("fields", [{"prompt": ["a", ""]}, {"prompt": ""}, {"prompt": [1.5]}, {"prompt": {}}])
def test_prompts_that_cannot_be_one(fields: dict[str, object]) -> None:
    with pytest.raises(ApiError) as refused:
        text(**fields)
    assert refused.value.error["param"] == "prompt"


@pytest.mark.parametrize("ask", [chat, text])
@pytest.mark.parametrize(
    ("name", "value", "harmless"),
    [
        ("best_of", 2, 1),
        ("lora", [{"id": 0, "scale": 1}], []),
        ("min_tokens", 5, 0),
        ("bad_words", ["no"], []),
        ("guided_json", {"type": "object"}, None),
        ("guided_regex", "a+", None),
        ("guided_choice", ["a", "b"], None),
        ("guided_grammar", 'root ::= "a"', None),
        ("structured_outputs", {"regex": "a+"}, None),
        ("use_beam_search", True, False),
        ("stop_token_ids", [2], []),
        ("chat_template", "{{ messages }}", None),
    ],
)
def test_what_would_change_the_answer_is_refused(
    ask: Callable[..., ApiRequest], name: str, value: object, harmless: object
) -> None:
    with pytest.raises(ApiError, match=f"{name} is not supported here"):
        ask(**{name: value})
    assert ask(**{name: harmless}, seed=1).task == ask(seed=1).task


def test_a_prompt_that_begins_no_answer_is_refused() -> None:
    with pytest.raises(ApiError, match="add_generation_prompt is not supported here"):
        chat(add_generation_prompt=False)
    assert chat(add_generation_prompt=True, seed=1).task == chat(seed=1).task


def test_the_repeat_penalty_has_two_names() -> None:
    assert text(repetition_penalty=1.3).task.sampling.repeat_penalty == 1.3
    assert text(repetition_penalty=1.3, repeat_penalty=1.2).task.sampling.repeat_penalty == 1.2
    with pytest.raises(ApiError, match="repetition_penalty must be a number"):
        chat(repetition_penalty="much")


def test_an_answer_that_is_continued() -> None:
    begun = [*HELLO, {"role": "assistant", "content": "It is"}]
    task = chat(messages=begun, continue_final_message=True, add_generation_prompt=False).task
    assert task.begun == "It is"
    assert len(conversation(messages=begun, continue_final_message=True)) == 1
    assert chat(messages=begun).task.begun == ""
    assert len(conversation(messages=begun)) == 2


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"messages": HELLO}, "continue_final_message"),
        ({"messages": [{"role": "assistant", "content": "It is"}]}, "continue_final_message"),
        ({"messages": HELLO, "add_generation_prompt": True}, "add_generation_prompt"),
    ],
)
def test_what_cannot_be_continued(fields: dict[str, object], param: str) -> None:
    with pytest.raises(ApiError) as refused:
        chat(continue_final_message=True, **fields)
    assert refused.value.error["param"] == param


def test_samplers_that_are_not_listed_are_off() -> None:
    """As llama.vim asks: neither min-p nor temperature."""
    fields = {"temperature": 0, "top_k": 7, "top_p": 0.5, "min_p": 0.3, "repeat_penalty": 2}
    sampling = text(**fields, samplers=["top_k", "top-p", "infill"]).task.sampling
    assert (sampling.top_k, sampling.top_p, sampling.min_p, sampling.temperature) == (7, 0.5, 0.0, 1.0)
    assert sampling.repeat_penalty == 1.0
    everything = replace(text(**fields).task.sampling, seed=0)
    for each in (["penalties", "top_k", "top_p", "min_p", "temperature"], "edkypmxt"):
        assert replace(text(**fields, samplers=each).task.sampling, seed=0) == everything


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"samplers": ["temperature", "top_k"]}, "samplers must come in this order"),
        ({"samplers": ["top_k", "top_k"]}, "samplers must come in this order"),
        ({"samplers": ["best"]}, "samplers has an unknown name"),
        ({"samplers": "kq"}, "samplers has an unknown name"),
        ({"samplers": 1}, "samplers must be a list"),
        ({"mirostat": 2}, "mirostat is not supported here"),
        ({"dry_multiplier": 0.8}, "dry_multiplier is not supported here"),
    ],
)
def test_samplers_that_there_are_not(fields: dict[str, object], said: str) -> None:
    with pytest.raises(ApiError, match=said):
        text(**fields)
    assert text(mirostat=0, dry_multiplier=0.0, typical_p=1.0).task.prompt == "hello"
