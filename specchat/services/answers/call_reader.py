"""Separates tool calls from plain text while an answer is being generated."""

import json
import secrets
import string
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn

from specchat.domain.types import ToolCall
from specchat.services.answers.tool_calls import CallFormat

_LONGEST_NAME = 200
_BETWEEN_CALLS = string.whitespace + ";,"
_ID_CHARACTERS = string.ascii_letters + string.digits
_ID_LENGTH = 9
"""As Mistral's templates want them."""


@dataclass(frozen=True, slots=True)
class TextAndCalls:
    text: str
    calls: tuple[ToolCall, ...] = ()


class CallReader:
    def __init__(self, form: CallFormat, names: Collection[str], *, several: bool) -> None:
        """`names`: of the functions there are; what calls others is text. Not `several`: only the first is told."""
        self._form = form
        self._names = names
        self._several = several
        self._held = ""
        """Not told yet."""
        self._marker = ""
        """What the call began with that is being read."""
        self._json = _JsonEnd()
        self._go_on = self._outside
        self._may_begin_bare = form.may_begin_bare
        self._called = False

    @property
    def is_calling(self) -> bool:
        """As far as is known."""
        return bool(self._marker) or self._go_on == self._behind

    def push(self, text: str) -> TextAndCalls:
        self._held += text
        parts: list[str | ToolCall] = []
        while self._go_on(parts):
            pass
        texts = [part for part in parts if isinstance(part, str)]
        return TextAndCalls("".join(texts), tuple(part for part in parts if isinstance(part, ToolCall)))

    def finish(self) -> str:
        """The rest: what is incomplete is text."""
        rest = "" if self._go_on == self._behind else self._marker + self._held
        return rest if rest.strip() or not self._called else ""

    # Each takes what it can from the text that is held, and tells whether the next one can go on

    def _outside(self, parts: list[str | ToolCall]) -> bool:
        """Blanks are held: those before a call are not told."""
        held, begin = self._held, self._form.begin
        first = held.lstrip()
        if self._may_begin_bare and (not first or first.startswith("{")):
            return bool(first) and self._begin("", held)
        at = held.find(begin)
        if at >= 0:
            text, end = held[:at].rstrip(), at + len(begin)
            parts.append(text)
            return self._begin(held[len(text) : end], held[end:])
        text = held[: len(held) - _begun(begin, held)].rstrip()
        self._may_begin_bare = self._may_begin_bare and not text
        self._held = held[len(text) :]
        parts.append(text)
        return False

    def _begin(self, marker: str, held: str) -> bool:
        self._marker, self._held = marker, held
        self._json = _JsonEnd()
        self._go_on = self._inside
        return True

    def _inside(self, parts: list[str | ToolCall]) -> bool:
        end = self._end_of_call()
        if end is None:
            return False
        calls = self._calls(self._held[:end])
        parts += self._wanted(calls) if calls else [self._marker + self._held[:end]]
        self._called = self._called or bool(calls)
        self._may_begin_bare = self._may_begin_bare and bool(calls)
        self._go_on = self._behind if calls else self._outside
        self._marker, self._held = "", self._held[end:]
        return True

    def _behind(self, parts: list[str | ToolCall]) -> bool:
        end, rest = self._form.end, self._held.lstrip(_BETWEEN_CALLS)
        if len(rest) < len(end) and end.startswith(rest) or not rest:
            return False
        self._held = rest.removeprefix(end)
        self._go_on = self._outside
        return True

    def _end_of_call(self) -> int | None:
        """Of what is no call, the end of what tells so."""
        held = self._held
        if self._form.between:
            start = held.find("{")
            impossible = start < 0 and len(held) > _LONGEST_NAME
        else:
            start = len(held) - len(held.lstrip())
            impossible = start < len(held) and held[start] not in "{["
        if impossible:
            return max(start, 0)
        return self._json.find(held, start) if 0 <= start < len(held) else None

    def _calls(self, text: str) -> list[ToolCall]:
        """None, unless all is as it should be."""
        name, between, arguments = text.rpartition(self._form.between) if self._form.between else ("", "", text)
        try:
            read = json.loads(arguments, parse_constant=_no_json)
        except (ValueError, RecursionError):
            return []
        if between:
            read = {"name": name.strip(), "arguments": read}
        found = [self._call(each) for each in (read if isinstance(read, list) else [read])]
        calls = [call for call in found if call is not None]
        return calls if len(calls) == len(found) else []

    def _wanted(self, calls: list[ToolCall]) -> list[ToolCall]:
        return calls if self._several else calls[: 0 if self._called else 1]

    def _call(self, read: object) -> ToolCall | None:
        match read:
            case {"name": str(name), "arguments": arguments} | {"name": str(name), "parameters": arguments}:
                if isinstance(arguments, Mapping) and name in self._names:
                    return ToolCall(_new_id(), name, json.dumps(arguments, ensure_ascii=False))
        return None


class _JsonEnd:
    """Of an object or array whose text grows."""

    def __init__(self) -> None:
        self._at = 0
        self._depth = 0
        self._in_text = self._escaped = False

    def find(self, text: str, start: int) -> int | None:
        for at in range(max(start, self._at), len(text)):
            self._read_char(text[at])
            if self._depth == 0:
                return at + 1
        self._at = len(text)
        return None

    def _read_char(self, char: str) -> None:
        if self._escaped:
            self._escaped = False
        elif self._in_text:
            self._escaped = char == "\\"
            self._in_text = char != '"'
        elif char == '"':
            self._in_text = True
        else:
            self._depth += (char in "{[") - (char in "}]")


def _no_json(constant: str) -> NoReturn:
    raise ValueError(constant)


def _begun(marker: str, text: str) -> int:
    """How much of the marker the text ends with."""
    return next((n for n in range(len(marker) - 1, 0, -1) if text.endswith(marker[:n])), 0)


def _new_id() -> str:
    return "".join(secrets.choice(_ID_CHARACTERS) for _ in range(_ID_LENGTH))
