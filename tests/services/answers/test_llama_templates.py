"""All chat templates of llama.cpp: what they write of a chat, and whether calls in their own form are read back."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import jinja2
import pytest
from jinja2.ext import loopcontrols
from support.grammars import Texts
from support.leftovers import no_thread_stays
from support.llama_templates import find_llama_templates

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.template_renderer import ConversationRefused, RenderLimits, TemplateRenderer
from specchat.backends.template_sandbox import GenerationMarks
from specchat.backends.wire_messages import wire_message
from specchat.domain.types import Message, Role, Tool, ToolCall
from specchat.services.answers.call_derivation import (
    NO_CALLS,
    NOT_READ_BACK,
    NOT_UNDERSTOOD,
    UnknownCallFormatError,
    derive_call_format,
    probe_tool,
)
from specchat.services.answers.call_format import CallFormat
from specchat.services.answers.call_reader import CallReader
from specchat.services.answers.tool_calls import argument_schemas, calls_rule

MOMENT = datetime(2026, 11, 27, 12)
TEMPLATES = find_llama_templates()
ENDS = (
    *("</s>", "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|call|>", "<|return|>", "<|end|>", "<|end_of_text|>"),
    *("<seed:eos>", "<|END_OF_TURN_TOKEN|>", "<turn|>", "<end_of_sentence>", "<|role_end|>", "[e~[", "<|eot|>"),
    *("<｜end▁of▁sentence｜>", "<|end_of_msg|>", "<|calls|>", "<|user|>", "<|observation|>", "<SPECIAL_12>"),
    *("<｜hy_eos:opensource｜>", "<|tool_response>"),
)
"""Texts of the tokens that end answers of these models."""
REFUSED = {
    "HuggingFaceTB-SmolLM3-3B": NO_CALLS,
    "LFM2-8B-A1B": NO_CALLS,
    "LFM2.5-Instruct": NO_CALLS,
    "MiniMax-M3": NOT_READ_BACK,
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B": NO_CALLS,
    "ibm-granite-granite-3.3-2B-Instruct": NO_CALLS,
    "llama-cpp-rwkv-world": NO_CALLS,
    "microsoft-Phi-3.5-mini-instruct": NO_CALLS,
    "muse-glimmer": NOT_UNDERSTOOD,
}
KNOWS_NO_TOOLS = {"google-gemma-2-2b-it"}
"""Its template refuses the chat itself."""

TOOL = probe_tool("find_place", {"name": "x", "count": 1})
ASKED = Message(Role.USER, "Where is it?")
CALL = ToolCall("aB3dE6gH9", "find_place", '{"name": "Oslo", "count": 2}')
RESULT = Message(Role.TOOL, "It is there.", tool_call_id=CALL.id, name="find_place")
CHATS: dict[str, tuple[list[Message], list[Tool] | None]] = {
    "plain": ([ASKED, Message(Role.ASSISTANT, "There."), Message(Role.USER, "Really?")], None),
    "system": ([Message(Role.SYSTEM, "Be brief."), ASKED], None),
    "tools": ([ASKED], [TOOL]),
    "tool result": ([ASKED, Message(Role.ASSISTANT, "", (CALL,)), RESULT], [TOOL]),
    "thoughts": ([ASKED, Message(Role.ASSISTANT, "There.", thought="Hm, where?"), Message(Role.USER, "Really?")], None),
}

pytestmark = pytest.mark.skipif(not TEMPLATES, reason="llama.cpp's source is not here")


@pytest.fixture(scope="module")
def renderer() -> Iterator[TemplateRenderer]:
    with no_thread_stays(), closing(TemplateRenderer(RenderLimits(seconds=60.0))) as renderer:
        yield renderer


@pytest.fixture(params=TEMPLATES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found = request.param
    assert isinstance(found, Path)
    return found


@pytest.fixture
def template(path: Path, renderer: TemplateRenderer) -> ChatTemplate:
    return ChatTemplate(
        path.read_text(encoding="utf-8"),
        bos_token="<s>",
        eos_token="</s>",
        renderer=renderer,
        clock=lambda: MOMENT,
    )


def derived(template: ChatTemplate) -> CallFormat:
    return derive_call_format(lambda messages, tools: template.render(messages, tools=tools), ENDS)


@pytest.mark.parametrize("kind", CHATS)
def test_chats_are_written_as_jinja_does(template: ChatTemplate, path: Path, kind: str) -> None:
    """Where it does at all; otherwise in another shape, or refused with a reason."""
    messages, tools = CHATS[kind]
    try:
        expected = reference(template, messages, tools)
    except (jinja2.TemplateError, TypeError, ValueError):
        expected = None
    written = rendered(template, messages, tools)
    if written is None:
        assert expected is None
        return
    shown = [message.content for message in messages if message.role is not Role.ASSISTANT]
    if expected is not None and all(content in expected for content in shown):
        assert written == expected
    assert all(content in written for content in shown) or path.stem in REFUSED


def rendered(template: ChatTemplate, messages: Sequence[Message], tools: Sequence[Tool] | None) -> str | None:
    try:
        return template.render(messages, tools=tools)
    except ConversationRefused:
        return None


def test_calls_come_back(template: ChatTemplate, path: Path) -> None:
    if path.stem in KNOWS_NO_TOOLS:
        with pytest.raises(ConversationRefused):
            derived(template)
        return
    if path.stem in REFUSED:
        with pytest.raises(UnknownCallFormatError) as refused:
            derived(template)
        assert refused.value.message.values["reason"] == REFUSED[path.stem]
        return
    form = derived(template)
    read(template, form, [("find_place", {"name": 'Oslo, "N"', "count": 12})])
    read(template, form, [("find_place", {})])
    if form.again is not None or form.in_list:
        read(template, form, [("find_place", {"name": "Oslo"}), ("find_place", {"name": "Rome", "count": -1})])


def read(template: ChatTemplate, form: CallFormat, calls: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Letter by letter, as written by the template, and allowed by the grammar of forced calls."""
    tools = [probe_tool("find_place", {"name": "x", "count": 1})]
    asked = tuple(
        ToolCall(f"aB3dE6gH{number}", name, json.dumps(arguments)) for number, (name, arguments) in enumerate(calls)
    )
    results = [Message(Role.TOOL, "It is there.", tool_call_id=call.id, name=call.name) for call in asked]
    written = template.render([ASKED, Message(Role.ASSISTANT, "", asked), *results], tools=tools)
    answer = written[written.rfind(ASKED.content) + len(ASKED.content) :]
    start = answer.find(form.beginnings[0].split("\0")[0]) if form.beginnings else answer.find(asked[0].name)
    if not form.beginnings and form.is_object:
        start = answer.find("{")
    assert start >= 0
    reader = CallReader(form, ["find_place"], several=True, schemas=argument_schemas(tools))
    heard = [call for letter in answer[start:] for call in reader.push(letter).calls]
    assert [(call.name, json.loads(call.arguments)) for call in heard] == list(calls)


def test_forced_calls_are_read(template: ChatTemplate, path: Path) -> None:
    """What the grammar allows and the format reads are the same."""
    if path.stem in REFUSED.keys() | KNOWS_NO_TOOLS:
        return
    form = derived(template)
    tool = probe_tool("find_place", {"name": "x", "count": 1})
    allowed = Texts(f"start: {calls_rule(form, [tool], several=False)}")
    written = form.begin.replace("\0", "a1") + _by_hand(form) + form.end.replace("\0", "a1")
    assert written in allowed
    reader = CallReader(form, ["find_place"], several=True, schemas=argument_schemas([tool]))
    (call,) = reader.push(written).calls
    assert (call.name, json.loads(call.arguments)) == ("find_place", {"name": "Oslo", "count": 2})
    assert reader.finish() == ""


def _by_hand(form: CallFormat) -> str:
    arguments = {"name": "Oslo", "count": 2}
    if form.parameters is not None:
        p = form.parameters
        text = f"{p.first}name{p.before_text}Oslo{p.after_text}{p.between}count{p.before_json}2{p.after_json}{p.last}"
        text = text.replace(p.before_json, p.before_json.replace("\0", "number")).replace("\0", "1")
        return f"find_place{text}"
    if not form.is_object:
        return f"find_place{form.between}{json.dumps(arguments)}".replace("\0", "1")
    item: dict[str, object] = (
        {form.name: "find_place", form.arguments: arguments} if form.name else {"find_place": arguments}
    )
    if form.id:
        item[form.id] = "aB3dE6gH9"
    return json.dumps([item] if form.in_list else item)


def reference(template: ChatTemplate, messages: Sequence[Message], tools: Sequence[Tool] | None) -> str:
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationMarks, loopcontrols])
    environment.filters["tojson"] = lambda value, **options: json.dumps(value, **{"ensure_ascii": False, **options})
    names: dict[str, Any] = {
        "messages": list(map(wire_message, messages)),
        "tools": tools,
        "documents": None,
        "add_generation_prompt": True,
        "bos_token": "<s>",
        "eos_token": "</s>",
        "raise_exception": _refuse,
        "strftime_now": MOMENT.strftime,
    }
    return environment.from_string(template.source).render(names)


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)
