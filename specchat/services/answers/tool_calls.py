"""Detects the tool call format of a chat template and builds grammar rules for calls."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specchat.domain.completions import Tool
from specchat.domain.errors import SettingError
from specchat.services.json_grammar.grammar_builder import GrammarBuilder, literal
from specchat.services.json_grammar.schema import value_rule


@dataclass(frozen=True, slots=True)
class CallFormat:
    begin: str
    end: str = ""
    arguments: str = "arguments"
    """Their key."""
    between: str = ""
    """Name and arguments, where they are not in one object."""
    in_list: bool = False
    may_begin_bare: bool = False
    """At the beginning of an answer, an object alone is a call."""

    @property
    def markers(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.begin, self.end, self.between)))


HERMES = CallFormat("<tool_call>", "</tool_call>")
LLAMA = CallFormat("<|python_tag|>", arguments="parameters", may_begin_bare=True)
MISTRAL = CallFormat("[TOOL_CALLS]", in_list=True)
MISTRAL_NAMED = CallFormat("[TOOL_CALLS]", between="[ARGS]")


def detect_call_format(template: str) -> CallFormat | None:
    """None: it calls in a way that is not known here."""
    if "[TOOL_CALLS]" in template:
        return MISTRAL_NAMED if "[ARGS]" in template else MISTRAL
    if "<tool_call>" in template:
        return None if "<function=" in template else HERMES
    return LLAMA if "<|python_tag|>" in template or '"parameters": dictionary' in template else None


def tool_name(tool: Tool) -> str:
    return str(_function(tool).get("name", ""))


def calls_rule(form: CallFormat, tools: Sequence[Tool], rules: GrammarBuilder, *, several: bool) -> str:
    """For an answer that calls one of them; `several`: or more, where the format says where each ends."""
    call = rules.add(" | ".join(_call_text(form, tool, rules) for tool in tools))
    if form.in_list:
        more = f'(", " {call})*' if several else ""
        return f'{literal(form.begin)} " "? "[" {call} {more} "]"'
    if form.end:
        call = rules.add(f'{literal(form.begin)} "\\n" {call} "\\n" {literal(form.end)}')
        return f'{call} ("\\n" {call})*' if several else call
    return call


def select_tools(tools: Sequence[Tool], choice: str) -> Sequence[Tool]:
    """Those that may be called."""
    found = tools if choice == "required" else [tool for tool in tools if tool_name(tool) == choice]
    if not found:
        raise SettingError("There is no tool {name}.", "Name one of those that you give.", name=choice)
    return found


def _call_text(form: CallFormat, tool: Tool, rules: GrammarBuilder) -> str:
    name = tool_name(tool)
    arguments = value_rule(_function(tool).get("parameters") or {"type": "object"}, rules, strict=False)
    if form.between:
        return f"{literal(form.begin + name + form.between)} {arguments}"
    before = f'{{"name": {json.dumps(name)}, "{form.arguments}": '
    return f'{literal(before)} {arguments} "}}"'


def _function(tool: Tool) -> Mapping[str, object]:
    function = tool.get("function")
    return function if isinstance(function, Mapping) else {}
