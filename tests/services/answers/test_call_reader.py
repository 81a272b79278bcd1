"""Calls are told from text wherever the answer is cut into pieces."""

import json
from random import Random

import pytest
from support.call_formats import HERMES, LLAMA, MISTRAL, MISTRAL_NAMED

from specchat.domain.types import ToolCall
from specchat.services.answers.call_format import CallFormat
from specchat.services.answers.call_reader import CallReader

Call = tuple[str, dict[str, object]]

NAMES = ("get_weather", "search")
WEATHER: Call = ("get_weather", {"city": 'K}ö{ln "\\', "days": [1, 2]})
SEARCH: Call = ("search", {})


def hermes(*calls: Call) -> str:
    return "\n".join(
        f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>" for name, arguments in calls
    )


def llama(*calls: Call) -> str:
    return "; ".join(json.dumps({"name": name, "parameters": arguments}) for name, arguments in calls)


def listed(*calls: Call) -> str:
    return json.dumps([{"name": name, "arguments": arguments} for name, arguments in calls])


def after_name(*calls: Call) -> str:
    return "".join(f"[TOOL_CALLS]{name}[ARGS]{json.dumps(arguments)}" for name, arguments in calls)


def heard(
    form: CallFormat, answer: str, seed: int | None, *, several: bool = True, reads_unknown: bool = False
) -> tuple[str, list[Call]]:
    """Whole, letter by letter, or in pieces."""
    reader, random = CallReader(form, NAMES, several=several, reads_unknown=reads_unknown), Random(seed)
    text, calls, at = "", list[ToolCall](), 0
    while at < len(answer):
        size = len(answer) if seed is None else random.randint(1, 12) if seed else 1
        found = reader.push(answer[at : at + size])
        text, at = text + found.text, at + size
        calls += found.calls
    assert all(len(call.id) == 9 and call.id.isalnum() for call in calls)
    assert len({call.id for call in calls}) == len(calls)
    return text + reader.finish(), [(call.name, json.loads(call.arguments)) for call in calls]


ANSWERS: list[tuple[CallFormat, str, str, list[Call]]] = [
    (HERMES, "Just words, 1 < 2.", "Just words, 1 < 2.", []),
    (HERMES, hermes(WEATHER), "", [WEATHER]),
    (HERMES, f"\n{hermes(WEATHER, SEARCH)}\n", "", [WEATHER, SEARCH]),
    (HERMES, f"I look. \n\n{hermes(WEATHER)}\n\nDone.", "I look.\n\nDone.", [WEATHER]),
    (HERMES, hermes(WEATHER).replace("\n", ""), "", [WEATHER]),
    (HERMES, hermes(WEATHER).removesuffix("</tool_call>"), "", [WEATHER]),
    (HERMES, f"{hermes(WEATHER)}</tool", "</tool", [WEATHER]),
    (HERMES, "Words \n", "Words \n", []),
    (HERMES, "a <tool_call is no marker, nor is <tool_", "a <tool_call is no marker, nor is <tool_", []),
    (HERMES, "Use <tool_call> so.", "Use <tool_call> so.", []),
    (HERMES, '<tool_call>{"name": "get_weather", "argu', '<tool_call>{"name": "get_weather", "argu', []),
    (HERMES, hermes(("rm", {})), hermes(("rm", {})), []),
    (HERMES, "<tool_call>{broken}</tool_call>", "<tool_call>{broken}</tool_call>", []),
    (HERMES, '<tool_call>{"name": "search", "arguments": 3}', '<tool_call>{"name": "search", "arguments": 3}', []),
    (HERMES, "<tool_call>" + "[" * 1500 + "]" * 1500, "<tool_call>" + "[" * 1500 + "]" * 1500, []),
    (LLAMA, llama(WEATHER), "", [WEATHER]),
    (LLAMA, f" <|python_tag|>{llama(WEATHER, SEARCH)}", "", [WEATHER, SEARCH]),
    (LLAMA, '{"answer": 3} is it.', '{"answer": 3} is it.', []),
    (LLAMA, f"As JSON: {llama(WEATHER)}", f"As JSON: {llama(WEATHER)}", []),
    (LLAMA, f"Well.<|python_tag|>{llama(SEARCH)}", "Well.", [SEARCH]),
    (LLAMA, "{ is a bracket", "{ is a bracket", []),
    (MISTRAL, f"[TOOL_CALLS] {listed(WEATHER, SEARCH)}", "", [WEATHER, SEARCH]),
    (MISTRAL, f"[TOOL_CALLS]{listed(WEATHER, ('rm', {}))}", f"[TOOL_CALLS]{listed(WEATHER, ('rm', {}))}", []),
    (MISTRAL, "A list: [1, 2]", "A list: [1, 2]", []),
    (MISTRAL_NAMED, after_name(WEATHER, SEARCH), "", [WEATHER, SEARCH]),
    (MISTRAL_NAMED, f"[TOOL_CALLS]{'x' * 300}", f"[TOOL_CALLS]{'x' * 300}", []),
    (MISTRAL_NAMED, "[TOOL_CALLS]search {}", "[TOOL_CALLS]search {}", []),
]


@pytest.mark.parametrize("seed", [None, *range(6)])
@pytest.mark.parametrize(("form", "answer", "text", "calls"), ANSWERS, ids=[answer[1][:40] for answer in ANSWERS])
def test_text_and_calls(form: CallFormat, answer: str, text: str, calls: list[Call], seed: int | None) -> None:
    assert heard(form, answer, seed) == (text, calls)


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        (HERMES, hermes(WEATHER, SEARCH)),
        (MISTRAL, f"[TOOL_CALLS]{listed(WEATHER, SEARCH)}"),
        (LLAMA, llama(WEATHER, SEARCH)),
    ],
)
def test_only_the_first_call_is_told_where_one_is_wanted(form: CallFormat, answer: str) -> None:
    assert heard(form, answer, 3, several=False) == ("", [WEATHER])


UNKNOWN: Call = ("search_all", {"a": 1})


@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize(
    ("form", "answer", "text", "calls"),
    [
        (HERMES, f"I look. {hermes(UNKNOWN, SEARCH)}", "I look.", [UNKNOWN, SEARCH]),
        (HERMES, hermes(("r m", {})), hermes(("r m", {})), []),
        (MISTRAL, f"[TOOL_CALLS]{listed(WEATHER, UNKNOWN)}", "", [WEATHER, UNKNOWN]),
        (MISTRAL_NAMED, after_name(UNKNOWN, SEARCH), "", [UNKNOWN, SEARCH]),
        (MISTRAL_NAMED, f"[TOOL_CALLS]{'x' * 300}", f"[TOOL_CALLS]{'x' * 300}", []),
        (MISTRAL_NAMED, "[TOOL_CALLS]find", "[TOOL_CALLS]find", []),
        (LLAMA, f"<|python_tag|>{llama(UNKNOWN)}", "", [UNKNOWN]),
        (LLAMA, llama(UNKNOWN), llama(UNKNOWN), []),
    ],
)
def test_calls_of_unknown_functions(
    form: CallFormat, answer: str, text: str, calls: list[Call], seed: int | None
) -> None:
    assert heard(form, answer, seed, reads_unknown=True) == (text, calls)


@pytest.mark.parametrize(
    ("form", "answer", "text"),
    [
        (HERMES, f"I look.\n{hermes(WEATHER)}", "I look."),
        (HERMES, hermes(WEATHER, SEARCH), ""),
        (LLAMA, llama(WEATHER, SEARCH), ""),
        (LLAMA, f"Well.<|python_tag|>{llama(SEARCH)}", "Well."),
        (MISTRAL, f"[TOOL_CALLS]{listed(WEATHER, SEARCH)}", ""),
        (MISTRAL_NAMED, after_name(WEATHER, SEARCH), ""),
    ],
)
def test_no_part_of_a_call_that_is_cut_off_is_text(form: CallFormat, answer: str, text: str) -> None:
    for end in range(len(text) + 1, len(answer) + 1):
        reader = CallReader(form, NAMES, several=True)
        assert (reader.push(answer[:end]).text + reader.finish_cut()).rstrip() == text


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        (HERMES, "Words, 1 < 2, and \n"),
        (LLAMA, '{"answer": "get_weath'),
        (LLAMA, '{"name": "Anna", "ag'),
        (MISTRAL_NAMED, "Lists: [1"),
    ],
)
def test_other_text_that_is_cut_off_stays(form: CallFormat, answer: str) -> None:
    reader = CallReader(form, NAMES, several=True)
    assert reader.push(answer).text + reader.finish_cut() == answer


def test_a_call_is_told_as_soon_as_it_is_complete() -> None:
    reader = CallReader(HERMES, NAMES, several=True)
    assert reader.push("First I look.").text == "First I look."
    assert reader.push('\n<tool_call>{"name": "search", "arguments": {').calls == ()
    assert [call.name for call in reader.push("}}").calls] == ["search"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_arguments_that_are_no_json_are_no_call(number: str) -> None:
    text = f'<tool_call>{{"name": "look", "arguments": {{"a": {number}}}}}</tool_call>'
    reader = CallReader(HERMES, ["look"], several=True)
    heard = reader.push(text)
    assert (heard.text + reader.finish(), heard.calls) == (text, ())
