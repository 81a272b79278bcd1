"""Tools, calls and their results, in the shapes that model files' templates ask for."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from support import chat_templates
from support.leftovers import no_thread_stays

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.conversation_variants import conversation_variants
from specchat.backends.template_renderer import RenderLimits, TemplateRenderer
from specchat.domain.errors import NotReadyError
from specchat.domain.types import Message, Role, ToolCall

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "How it is there.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
ASKED = Message(Role.USER, "Is it warm in Köln?")
CALL = ToolCall("call_1234567890", "get_weather", '{"city": "Köln", "days": [1, 2]}')
CALLED = Message(Role.ASSISTANT, "", (CALL,))
RESULT = Message(Role.TOOL, '{"celsius": 31, "sky": "\\"blue\\""}', tool_call_id=CALL.id, name="get_weather")
TALK = [ASKED, CALLED, RESULT]

MakeTemplate = Callable[[str], ChatTemplate]


@pytest.fixture(scope="module")
def make() -> Iterator[MakeTemplate]:
    with no_thread_stays(), closing(TemplateRenderer(RenderLimits(seconds=30.0))) as renderer:
        yield lambda source: ChatTemplate(source, bos_token="<s>", eos_token="</s>", renderer=renderer)


def test_calls_and_results_as_hermes_has_them(make: MakeTemplate) -> None:
    text = make(chat_templates.HERMES_TOOLS).render(TALK, tools=[TOOL])
    assert text.startswith(f"<|im_start|>system\n# Tools\n\n<tools>\n{json.dumps(TOOL, ensure_ascii=False)}\n</tools>")
    assert text.endswith(
        "<|im_start|>user\nIs it warm in Köln?<|im_end|>\n"
        '<|im_start|>assistant\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Köln", "days": [1, 2]}}\n'
        f"</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n{RESULT.content}\n</tool_response><|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def test_a_result_may_be_written_as_a_json_string(make: MakeTemplate) -> None:
    text = make(chat_templates.LLAMA_TOOLS).render(TALK)
    assert f"<ipython>{json.dumps(RESULT.content)}</ipython><assistant>" in text
    assert '{"name": "get_weather", "parameters": {"city": "Köln", "days": [1, 2]}}' in text


def test_ids_are_shortened_only_for_templates_that_want_it(make: MakeTemplate) -> None:
    short = make(chat_templates.MISTRAL_TOOLS).render(TALK)
    call_id = short.partition('"id": "')[2].partition('"')[0]
    assert len(call_id) == 9
    assert f"[TOOL_RESULTS]{call_id}:" in short
    own = replace(CALL, id="abc123XYZ")
    kept = make(chat_templates.MISTRAL_TOOLS).render(
        [ASKED, replace(CALLED, tool_calls=(own,)), replace(RESULT, tool_call_id=own.id)]
    )
    assert kept.count(own.id) == 2


def test_arguments_may_be_wanted_as_text(make: MakeTemplate) -> None:
    text = make(chat_templates.ARGUMENTS_AS_TEXT).render(TALK)
    assert f"<assistant>get_weather {CALL.arguments}\n" in text


@pytest.mark.parametrize("arguments", ["no json", "[" * 5000, '{"a": ' * 200 + "1" + "}" * 200, "3", '"\ud83d"'])
def test_arguments_that_are_no_object_come_through(make: MakeTemplate, arguments: str) -> None:
    called = Message(Role.ASSISTANT, "", (replace(CALL, arguments=arguments),))
    assert "get_weather" in make(chat_templates.HERMES_TOOLS).render([ASKED, called, RESULT])


def test_whether_a_template_shows_tools(make: MakeTemplate) -> None:
    shows = [chat_templates.HERMES_TOOLS, chat_templates.LLAMA_TOOLS, chat_templates.MISTRAL_TOOLS]
    assert [make(source).shows_tools for source in shows] == [True] * 3
    others = [chat_templates.CHATML, chat_templates.GEMMA, chat_templates.DROPS_SYSTEM, "{{ raise_exception('no') }}"]
    assert [make(source).shows_tools for source in others] == [False] * 4


def test_what_belongs_together_is_not_merged() -> None:
    twice = (ASKED, ASKED, CALLED, CALLED, RESULT, RESULT, Message(Role.ASSISTANT, "Yes."), ASKED)
    for shape in conversation_variants(twice):
        assert [message for message in shape if message.tool_calls] == [CALLED, CALLED]
        assert [message for message in shape if message.role is Role.TOOL] == [RESULT, RESULT]
    assert len(list(conversation_variants(twice))[-1]) == len(twice) - 1


def test_what_went_wrong_by_chance_does_not_count() -> None:
    with closing(TemplateRenderer()) as renderer:
        stopped = ChatTemplate(chat_templates.HERMES_TOOLS, renderer=renderer)
        renderer.close()
        with pytest.raises(NotReadyError):
            _ = stopped.shows_tools


@pytest.mark.parametrize("repeated", [False, True])
def test_many_texts_of_the_system_stay_in_their_order(make: MakeTemplate, repeated: bool) -> None:
    rules = [Message(Role.SYSTEM, "Be brief." if repeated else f"Rule {n}.") for n in range(100)]
    talk = [*rules, ASKED]
    template = make(chat_templates.CHATML)
    assert template.render(talk).count("system") == 100
    first_only = "{{ messages[0].content }}{{ messages[-1].content }}"
    told = make(first_only).render(talk)
    assert all(rule.content in told for rule in rules), "told by the user"
