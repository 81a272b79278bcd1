"""Separates tool calls from plain text while an answer is being generated."""

import json
import re
import secrets
import string
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from specchat.domain.types import ToolCall
from specchat.services.answers.argument_reader import ArgumentReader, Schema
from specchat.services.answers.call_format import ANY_ID, CallFormat, match_loosely

_BETWEEN_CALLS = string.whitespace + ";,"
_ID_CHARACTERS = string.ascii_letters + string.digits
_ID_LENGTH = 9
"""The length of a call's id, as Mistral's templates require."""
_ONLY_MARKS = re.compile(r"(?:<[^<>]*>|\s)*")
_MESSAGE = "<|message|>"
_MOST_BEFORE_MESSAGE = 200
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Of a function that there is not."""


@dataclass(frozen=True, slots=True)
class TextAndCalls:
    text: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class _Scanned:
    end: int
    """In the text that is held; where nothing was called, of what tells so."""
    calls: tuple[ToolCall, ...] = ()


class CallReader:
    def __init__(
        self,
        form: CallFormat,
        names: Collection[str],
        *,
        several: bool,
        schemas: Mapping[str, Schema] | None = None,
        reads_unknown: bool = False,
        only_calls: bool = False,
    ) -> None:
        """`names`: of the functions there are. What calls others is text, unless it `reads_unknown` calls, which begin
        with a mark. Not `several`: only the first is told. `schemas`: of their arguments. `only_calls`: there is no
        other text.
        """
        self._form = form
        self._names = names
        self._several = several
        self._schemas = schemas or {}
        self._reads_unknown = reads_unknown
        self._only_calls = only_calls
        self._begins = {re.split(rf"[\s{ANY_ID}]", begin, maxsplit=1)[0]: begin for begin in form.beginnings}
        """By the first part of each, which may be followed by blanks."""
        self._held = ""
        """Not told yet."""
        self._marker = ""
        """What the call began with that is being read."""
        self._rest = ""
        """Of the beginning, what must come before the call itself."""
        self._json = _JsonEnd()
        self._arguments: ArgumentReader | None = None
        self._go_on = self._outside
        self._may_begin_bare = form.may_begin_bare
        self._called = self._has_text = False

    @property
    def is_calling(self) -> bool:
        """Whether the text so far is a call."""
        return bool(self._marker) or self._go_on == self._behind

    def push(self, text: str) -> TextAndCalls:
        self._held += text
        parts: list[str | ToolCall] = []
        while self._go_on(parts):
            pass
        texts = [part for part in parts if isinstance(part, str)]
        self._has_text = self._has_text or any(texts)
        return TextAndCalls("".join(texts), tuple(part for part in parts if isinstance(part, ToolCall)))

    def finish(self) -> str:
        """The rest: what is incomplete is text."""
        rest = "" if self._go_on == self._behind else self._marker + self._held
        return "" if self._called and _ONLY_MARKS.fullmatch(rest) else rest

    def finish_cut(self) -> str:
        """The rest of an answer that was cut off: a call that it cuts, or the mark of one, is left out."""
        if self._only_calls or self._marker.strip() or self._go_on == self._behind:
            return ""
        if self._go_on == self._inside:
            return "" if self._is_cut_object() else self._held
        half = self._half_a_mark()
        return self._held[: len(self._held) - half].rstrip() if half else self._held

    def _is_cut_object(self) -> bool:
        """Rather than other JSON: a call that has no mark begins with its name."""
        keys = (f'"{self._form.name}":"{name}"' if self._form.name else f'"{name}"' for name in self._names)
        return self._form.is_object and any(match_loosely(self._held, "{" + key) != -1 for key in keys)

    # Each takes what it can from the text that is held, and tells whether the next one can go on

    def _outside(self, parts: list[str | ToolCall]) -> bool:
        """Blanks are held: those before a call are not told."""
        held = self._held
        if self._may_begin_bare and (waits := self._bare(held.lstrip())) is not None:
            return not waits and self._begin("", "", held)
        found = [(at, part) for part in self._begins if (at := held.find(part)) >= 0 and self._may_begin(part, at)]
        if found:
            at, part = min(found)
            text, end = held[:at].rstrip(), at + len(part)
            parts.append(text)
            return self._begin(held[len(text) : end], self._begins[part][len(part) :], held[end:])
        text = held[: len(held) - self._half_a_mark()].rstrip()
        self._may_begin_bare = self._may_begin_bare and not text
        self._held = held[len(text) :]
        parts.append(text)
        return False

    def _half_a_mark(self) -> int:
        """Characters at the end that may become one."""
        return max((_marker_overlap(part, self._held) for part in self._begins), default=0)

    def _may_begin(self, part: str, at: int) -> bool:
        """What could stand in any text begins a call only where there is none before it."""
        return not part.isidentifier() and part[0] in "<[]|◁>" or not (self._has_text or self._held[:at].strip())

    def _bare(self, text: str) -> bool | None:
        """Whether it may become a call without a mark; None: no."""
        if not text:
            return True
        if self._form.is_object:
            return False if text[0] == "{" else None
        if any(name.startswith(text) for name in self._names):
            return True
        return False if any(text.startswith(name) for name in self._names) else None

    def _begin(self, marker: str, rest: str, held: str) -> bool:
        self._marker, self._rest, self._held = marker, rest, held
        self._json = _JsonEnd()
        if self._form.parameters is not None:
            self._arguments = ArgumentReader(self._form.parameters, self._schemas)
        self._go_on = self._inside
        return True

    def _inside(self, parts: list[str | ToolCall]) -> bool:
        scanned = self._scan()
        if scanned is None:
            return False
        parts += self._limit_calls(scanned.calls) if scanned.calls else [self._marker + self._held[: scanned.end]]
        self._called = self._called or bool(scanned.calls)
        self._may_begin_bare = self._may_begin_bare and bool(scanned.calls)
        self._go_on = self._behind if scanned.calls else self._outside
        self._marker, self._held = "", self._held[scanned.end :]
        return True

    def _behind(self, parts: list[str | ToolCall]) -> bool:
        """Another call, the end of all calls, or other text."""
        rest = self._held.lstrip()
        goes_on = self._goes_on(rest)
        if goes_on is not False:
            return goes_on or False
        end = match_loosely(rest, self._form.end)
        if end is None or not rest:
            return False
        self._held = rest[end:] if end > 0 else rest.lstrip(_BETWEEN_CALLS)
        if not self._held and end <= 0:
            return False
        self._go_on = self._outside
        return True

    def _goes_on(self, rest: str) -> bool | None:
        """With another call; None: it is not clear yet."""
        again = self._form.again
        if again is None or again.strip() in self._begins.values() or not rest:
            return False
        if not again.strip():
            return rest[0] == "{" and self._begin("", "", rest)
        at = match_loosely(rest, again)
        return at if at is None else at > 0 and self._begin(rest[:at], "", rest[at:])

    def _scan(self) -> _Scanned | None:
        held = self._held
        start = match_loosely(held, self._rest)
        if start is None:
            return None
        if start < 0:
            return _Scanned(0)
        return self._scan_object(held, start) if self._form.is_object else self._scan_named(held, start)

    def _scan_object(self, held: str, start: int) -> _Scanned | None:
        start = len(held) - len(held[start:].lstrip())
        if start == len(held):
            return None
        if held[start] not in "{[":
            return _Scanned(start)
        end = self._json.find(held, start)
        return None if end is None else _Scanned(end, self._objects(held[start:end]))

    def _scan_named(self, held: str, start: int) -> _Scanned | None:
        start = len(held) - len(held[start:].lstrip())
        name = max((name for name in self._names if held.startswith(name, start)), key=len, default="")
        if self._may_be_unknown and (word := _NAME.match(held, start)) is not None:
            if word.end() == len(held):
                return None
            name = max(name, word[0], key=len)
        if not name:
            return None if any(each.startswith(held[start:]) for each in self._names) else _Scanned(start)
        behind = start + len(name)
        if self._arguments is not None:
            read = self._arguments.read(held, behind, name)
            if read is None:
                return None
            return _Scanned(*read) if isinstance(read[1], tuple) else _Scanned(read[0], (self._call(name, read[1]),))
        at = self._behind_name(held, behind)
        if at is None:
            return None
        at = len(held) - len(held[at:].lstrip()) if at >= 0 else at
        if at == len(held):
            return None
        if at < 0 or held[at] != "{":
            return _Scanned(behind)
        end = self._json.find(held, at)
        if end is None:
            return None
        arguments = _json(held[at:end])
        return _Scanned(end, (self._call(name, arguments),) if isinstance(arguments, dict) else ())

    def _behind_name(self, held: str, at: int) -> int | None:
        """Models with channels write more than one thing between name and arguments."""
        end = match_loosely(held, self._form.between, at)
        if end is None or end >= 0 or _MESSAGE not in self._form.between:
            return end
        message = held.find(_MESSAGE, at)
        if message < 0:
            return None if len(held) - at < _MOST_BEFORE_MESSAGE else -1
        return message + len(_MESSAGE)

    def _objects(self, text: str) -> tuple[ToolCall, ...]:
        """None, unless all is as it should be."""
        read = _json(text)
        found = [self._object_call(each) for each in (read if isinstance(read, list) else [read])]
        calls = tuple(call for call in found if call is not None)
        return calls if len(calls) == len(found) else ()

    def _limit_calls(self, calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
        return calls if self._several else calls[: 0 if self._called else 1]

    def _object_call(self, read: object) -> ToolCall | None:
        if not isinstance(read, Mapping):
            return None
        form = self._form
        if not form.name:
            ((name, arguments),) = list(read.items()) if len(read) == 1 else [("", None)]
        else:
            name = read.get(form.name)
            arguments = next((read[key] for key in (form.arguments, "arguments", "parameters") if key in read), None)
        if not isinstance(name, str) or not isinstance(arguments, Mapping):
            return None
        if name not in self._names and not (self._may_be_unknown and _NAME.fullmatch(name)):
            return None
        return self._call(name, arguments)

    @property
    def _may_be_unknown(self) -> bool:
        return self._reads_unknown and bool(self._marker.strip())

    def _call(self, name: str, arguments: Mapping[str, object]) -> ToolCall:
        return ToolCall(_new_id(), name, json.dumps(arguments, ensure_ascii=False))


class _JsonEnd:
    """Finds the end of a JSON object or array while its text grows."""

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


def _json(text: str) -> object:
    """None: it is not, or has numbers that JSON cannot say."""
    try:
        read = json.loads(text)
        json.dumps(read, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    return read


def _marker_overlap(marker: str, text: str) -> int:
    """How much of the marker the text ends with."""
    return next((n for n in range(len(marker) - 1, 0, -1) if text.endswith(marker[:n])), 0)


def _new_id() -> str:
    return "".join(secrets.choice(_ID_CHARACTERS) for _ in range(_ID_LENGTH))
