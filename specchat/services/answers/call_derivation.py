"""Finds out from a chat template how its model writes calls, by rendering calls whose names and values are known."""

import json
import os.path
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from specchat.backends.template_renderer import ConversationRefused
from specchat.domain.errors import SettingError
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Message, Role, Tool, ToolCall
from specchat.services.answers.call_format import ANY_ID, THE_KEY, CallFormat, ParameterFormat
from specchat.services.answers.call_reader import CallReader
from specchat.services.answers.tool_calls import argument_schemas

Render = Callable[[Sequence[Message], Sequence[Tool]], str]

_TOOL, _OTHER_TOOL = "probe_tool_one", "probe_tool_two"
_FIRST, _SECOND = "key_alpha", "key_beta"
_TEXT, _NUMBER = ("ValueAlpha", "ValueBeta"), (31415, 27182)
_IDS = ("Ab1Cd2Ef3", "Gh4Ij5Kl6")
_ANSWER = "SomeAnswerText"
_ASKED = Message(Role.USER, "What is it?")
_OPEN_TAG = re.compile(r"<[^<>]*\Z")
_END_OF_TAG = re.compile(r"\A[^<>]*>")
_CHANNEL = "<|channel|>"
_LONGEST = 100_000
"""Characters of a chat with a call: hostile templates write more."""
_KIND = re.compile(r"\b(?:number|integer)\b")
"""Some templates say what an argument is."""
_SAMPLES: Sequence[Mapping[str, object]] = (
    {},
    {"text": 'Say "yes"\n  and <b> é', "number": 3, "flag": True},
    {"list": [1, "two"], "object": {"a": {"b": "c d"}}, "text": "  if a:\n"},
)

NO_TOOLS = TranslatableText("its chat template doesn't tell the model about tools")
NO_CALLS = TranslatableText("its chat template doesn't write tool calls")
NOT_READ_BACK = TranslatableText("the tool calls that its chat template writes can't be read back")
NOT_UNDERSTOOD = TranslatableText("the tool calls that its chat template writes can't be told apart from other text")


class UnknownCallFormatError(SettingError):
    """The call format is unknown; includes the reason."""


def unknown_format_error(reason: TranslatableText) -> UnknownCallFormatError:
    return UnknownCallFormatError(
        "This model can't call tools here: {reason}.",
        "Send the request without tools, or choose another model.",
        reason=reason,
    )


def derive_call_format(render: Render, end_texts: Sequence[str] = ()) -> CallFormat:
    """`end_texts`: of tokens that end an answer, which are never seen."""
    return _Derivation(render, end_texts).format()


class _Derivation:
    def __init__(self, render: Render, end_texts: Sequence[str]) -> None:
        self._render = render
        self._ends = [text for text in end_texts if text]
        self._before, self._after = self._plain_answer()
        self._prompt = self._behind_question([_ASKED], [probe_tool(_TOOL, {_FIRST: _TEXT[0]})])

    def format(self) -> CallFormat:
        found = self._found()
        for arguments in _SAMPLES:
            self._check(found, arguments)
        return found

    def _check(self, found: CallFormat, arguments: Mapping[str, object]) -> None:
        """What the template writes must be read as what it was."""
        tools = [probe_tool(_TOOL, arguments)]
        reader = CallReader(found, [_TOOL], several=True, schemas=argument_schemas(tools))
        try:
            written = self._call((_TOOL, arguments))
        except ConversationRefused:  # it does not know arguments of such types
            return
        read = reader.push(written)
        calls = [(call.name, json.loads(call.arguments)) for call in read.calls]
        if calls != [(_TOOL, dict(arguments))] or (read.text + reader.finish()).strip():
            raise unknown_format_error(NOT_READ_BACK)

    def _found(self) -> CallFormat:
        arguments = {_FIRST: _TEXT[0]}
        written = self._call((_TOOL, arguments))
        found = self._as_object(written, arguments) or self._as_json(written, arguments) or self._one_by_one(written)
        if found is None or any(text.startswith(ANY_ID) for text in found.beginnings):
            raise unknown_format_error(NOT_UNDERSTOOD)
        found = replace(found, end=self._without_ends(found.end))
        if _CHANNEL in found.between and found.begin.strip():
            found = replace(found, others=(f"{_CHANNEL}commentary {found.begin.strip()}",))
        return found if found.begin.strip() else replace(found, may_begin_bare=True)

    def _as_object(self, written: str, arguments: Mapping[str, object]) -> CallFormat | None:
        for at in _brackets(written[: written.find(_TOOL)]):
            value, end = _decode(written, at)
            if end > written.find(_TOOL):
                break
        else:
            return None
        item = value[0] if isinstance(value, list) and value else value
        if not isinstance(item, dict):
            return None
        found = CallFormat(written[:at], written[end:], in_list=isinstance(value, list))
        keys = {key: each for key, each in item.items() if each not in (_TOOL, arguments)}
        if item.get(_TOOL) == arguments:
            found = replace(found, name="")
        else:
            name = next((key for key, each in item.items() if each == _TOOL), None)
            key = next((key for key, each in item.items() if each == arguments), None)
            if name is None or key is None:
                return None
            found = replace(found, name=name, arguments=key)
            found = replace(found, id=next((key for key, each in keys.items() if isinstance(each, str)), ""))
        return replace(found, again=None if found.in_list else self._between_objects(found))

    def _between_objects(self, found: CallFormat) -> str | None:
        both = self._two({_FIRST: _TEXT[0]}, {_FIRST: _TEXT[1]})
        if both is None:
            return None
        _, end = _decode(both, len(found.begin))
        second = both.rfind("{", end, both.find(_OTHER_TOOL))
        return both[end:second] if end < second else None

    def _as_json(self, written: str, arguments: Mapping[str, object]) -> CallFormat | None:
        name = written.find(_TOOL)
        for at in _brackets(written, name):
            value, end = _decode(written, at)
            if value == arguments:
                break
        else:
            return None
        between = written[name + len(_TOOL) : at]
        again = None
        if both := self._two(arguments, {_FIRST: _TEXT[1]}):
            first_end, second = both.find(written[at:end]) + end - at, both.find(_OTHER_TOOL)
            again = both[first_end:second]
            between = _without_ids(between)
            if not _without_ids(both[second + len(_OTHER_TOOL) :]).startswith(between):
                between = re.sub(r"\d+", ANY_ID, between)
        return CallFormat(
            _without_ids(written[:name]),
            _without_ids(written[end:]),
            between=_without_ids(between) or "\n",
            again=None if again is None else _without_ids(again),
        )

    def _one_by_one(self, written: str) -> CallFormat | None:
        name = written.rfind(_TOOL, 0, written.find(_TEXT[0]))
        behind = name + len(_TOOL)
        texts, numbers = self._two_values(_TEXT), self._two_values(_NUMBER)
        if texts is None or numbers is None:
            return None
        after_text = _up_to_tag(os.path.commonprefix([texts[2], texts[3]]))
        between, last = texts[2][len(after_text) :], texts[3][len(after_text) :]
        after_json = numbers[2].removesuffix(between)
        if numbers[3] != after_json + last or numbers[0] != texts[0]:
            return None
        if after_text.rstrip() and not after_text.endswith("\n"):
            stripped = after_text
        else:
            stripped = after_text.rstrip()
            between, last = after_text[len(stripped) :] + between, after_text[len(stripped) :] + last
            after_json = after_json[: len(after_json) - (len(after_text) - len(stripped))]
        begin = written[:name]
        if _TOOL in begin:
            return None
        bare = self._call((_TOOL, {}))
        none = bare[bare.rfind(_TOOL) + len(_TOOL) :]
        both, again = self._two({_FIRST: _TEXT[0]}, {_FIRST: _TEXT[1]}), None
        closing = last
        if both is not None:
            first = both.find(_TEXT[0]) + len(_TEXT[0])
            following = both[first : both.find(_OTHER_TOOL, first)].replace(_FIRST, THE_KEY)[len(stripped) :]
            closing = _up_to_tag(os.path.commonprefix([following, last]))
            again = following[len(closing) :]
        end = self._without_ends(last[len(closing) :])
        if none.endswith(end):
            none = none[: len(none) - len(end)]
        parameters = ParameterFormat(
            first=written[behind : written.find(_FIRST, behind)],
            between=between,
            last=self._without_ends(closing),
            none=self._without_ends(none),
            before_text=texts[1],
            after_text=stripped,
            before_json=_KIND.sub(ANY_ID, numbers[1]),
            after_json=after_json,
        )
        if re.search(r"\d", parameters.first):
            parameters = replace(
                parameters,
                first=re.sub(r"\d+", ANY_ID, parameters.first),
                none=re.sub(r"\d+", ANY_ID, parameters.none),
            )
        return CallFormat(begin, end, again=again, parameters=parameters)

    def _two_values(self, values: Sequence[object]) -> tuple[str, str, str, str] | None:
        """From the tool's name to the first key, then to the value, then to the next key, and after the second one."""
        written = self._call((_TOOL, {_FIRST: values[0], _SECOND: values[1]}))
        first, second = str(values[0]), str(values[1])
        at, then = written.find(first), written.rfind(second)
        name = written.rfind(_TOOL, 0, at) + len(_TOOL)
        key, next_key = written.find(_FIRST, name), written.find(_SECOND, at)
        if not name < key < at < next_key < then:
            return None
        return (
            written[name:key],
            written[key + len(_FIRST) : at],
            written[at + len(first) : next_key].replace(_FIRST, THE_KEY),
            written[then + len(second) :].replace(_SECOND, THE_KEY),
        )

    def _call(self, *calls: tuple[str, Mapping[str, object]]) -> str:
        """As it stands between what is before and after any answer."""
        asked = tuple(ToolCall(_IDS[n], name, json.dumps(arguments)) for n, (name, arguments) in enumerate(calls))
        tools = [probe_tool(name, arguments) for name, arguments in calls]
        messages = [_ASKED, Message(Role.ASSISTANT, "", asked)]
        text = ""
        with suppress(ConversationRefused):
            text = self._behind_question(messages, tools)
        if calls[0][0] not in text:
            results = [Message(Role.TOOL, "42", tool_call_id=call.id, name=call.name) for call in asked]
            text = self._behind_question([*messages, *results], tools)
        begin = max(len(_up_to_tag(os.path.commonprefix([text, before]))) for before in (self._before, self._prompt))
        written = text[begin:]
        end = len(written) - len(_from_tag(_common_suffix(written, self._after)))
        written = self._cut(written[:end], calls[-1])
        if calls[0][0] not in written:
            raise unknown_format_error(NO_CALLS)
        return written

    def _cut(self, written: str, call: tuple[str, Mapping[str, object]]) -> str:
        """At the first end of an answer behind its arguments."""
        name, arguments = call
        known = [name, *(str(value) for value in arguments.values() if not isinstance(value, dict | list | bool))]
        start = max(written.rfind(each) for each in known)
        ends = [at for end in self._ends if (at := written.find(end, max(0, start))) >= 0]
        return written[: min(ends)] if ends else written

    def _two(self, first: Mapping[str, object], second: Mapping[str, object]) -> str | None:
        try:
            both = self._call((_TOOL, first), (_OTHER_TOOL, second))
        except (ConversationRefused, UnknownCallFormatError):
            return None
        return both if _OTHER_TOOL in both else None

    def _plain_answer(self) -> tuple[str, str]:
        tools = [probe_tool(_TOOL, {_FIRST: _TEXT[0]})]
        text = self._behind_question([_ASKED, Message(Role.ASSISTANT, _ANSWER)], tools)
        before, _, after = text.rpartition(_ANSWER)
        return before, after

    def _behind_question(self, messages: Sequence[Message], tools: Sequence[Tool]) -> str:
        text = self._render(messages, tools)
        if len(text) > _LONGEST:
            raise unknown_format_error(NOT_UNDERSTOOD)
        return text[text.rfind(_ASKED.content) + len(_ASKED.content) :]

    def _without_ends(self, text: str) -> str:
        """What ends an answer is not part of it."""
        at = min((at for end in self._ends if (at := text.find(end)) >= 0), default=len(text))
        return text[:at]


def probe_tool(name: str, arguments: Mapping[str, object]) -> Tool:
    kinds = {str: "string", bool: "boolean", int: "integer", dict: "object", list: "array"}
    properties = {key: {"type": kinds[type(value)], "description": key} for key, value in arguments.items()}
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": "It looks.", "parameters": parameters}}


def _brackets(text: str, start: int = 0) -> list[int]:
    return [at for at in range(max(0, start), len(text)) if text[at] in "{["]


def _decode(text: str, at: int) -> tuple[object, int]:
    try:
        return json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, -1


def _common_suffix(a: str, b: str) -> str:
    return os.path.commonprefix([a[::-1], b[::-1]])[::-1]


def _up_to_tag(text: str) -> str:
    """Without a tag that is cut in two at its end."""
    return _OPEN_TAG.sub("", text)


def _from_tag(text: str) -> str:
    """Without a tag that is cut in two at its beginning."""
    return _END_OF_TAG.sub("", text)


def _without_ids(text: str) -> str:
    for call_id in _IDS:
        text = text.replace(call_id, ANY_ID)
    return text
