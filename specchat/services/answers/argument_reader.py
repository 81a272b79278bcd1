"""Reads the arguments of a call that are written one by one."""

import ast
import json
import re
from collections.abc import Mapping

from specchat.services.answers.call_format import THE_KEY, ParameterFormat, match_loosely

Schema = Mapping[str, object]
Arguments = dict[str, object]

_KEY = re.compile(r"[\w.$@/-]+")
_UNQUOTED_KEY = re.compile(r"([{,]\s*)([\w.$-]+)\s*:")
_CDATA, _CDATA_END = "<![CDATA[", "]]>"
_OPENING, _CLOSING, _QUOTES = "{[(", "}])", "\"'"


class ArgumentReader:
    """Reads the arguments of one call while its text grows."""

    def __init__(self, form: ParameterFormat, schemas: Mapping[str, Schema]) -> None:
        """`schemas`: of the arguments, by the names of their tools."""
        self._form = form
        self._schemas = schemas
        self._bare: dict[int, tuple[int, int]] = {}
        """By where a value begins that has nothing behind it: how deep it is in brackets, and up to where."""

    def read(self, text: str, at: int, tool: str) -> tuple[int, Arguments] | tuple[int, tuple[()]] | None:
        """From the end of a tool's name: where the call ends, and its arguments; no arguments at all: it is none.
        None: the text ends before it does.
        """
        arguments: Arguments = {}
        while True:
            closing = self._form.last if arguments else self._form.none
            end, following = match_loosely(text, closing, at), match_loosely(text, self._next(arguments), at)
            if end is not None and end >= 0:
                return end, arguments
            if following is None or (following < 0 and end is None):
                return None
            if following < 0:
                return at, ()
            following = len(text) - len(text[following:].lstrip())
            key = _KEY.match(text, following)
            if key is None or key.end() == len(text):
                return None if following == len(text) or key or end is None else (at, ())
            value = self._value(text, key.end(), key[0], self._schema(tool, key[0]))
            if value is None or isinstance(value, int):
                return None if value is None else (at, ())
            at, arguments[key[0]] = value

    def _next(self, arguments: Arguments) -> str:
        return self._form.between if arguments else self._form.first

    def _schema(self, tool: str, key: str) -> Schema:
        properties = self._schemas.get(tool, {}).get("properties")
        schema = properties.get(key) if isinstance(properties, Mapping) else None
        return schema if isinstance(schema, Mapping) else {}

    def _value(self, text: str, at: int, key: str, schema: Schema) -> tuple[int, object] | int | None:
        """And where it ends; -1: there is none; None: the text ends before it does."""
        form = self._form
        for before, after, is_text in (
            (form.before_text, form.after_text, True),
            (form.before_json, form.after_json, False),
        ):
            begin = _behind(text, before, at)
            if begin is None:
                return None
            if begin >= 0:
                is_certain = form.before_text != form.before_json
                end = self._end(text, begin, after.replace(THE_KEY, key))
                if end is None:
                    return None
                written = text[begin : end[0]]
                written = written.removesuffix("\n") if after.startswith("\n") else written
                return end[1], self._read(written, schema, is_text=is_text if is_certain else None)
        return -1

    def _end(self, text: str, begin: int, after: str) -> tuple[int, int] | None:
        """Of the value, and of what stands behind it."""
        mark = after.strip()
        at = begin
        if not mark:
            return self._bare_end(text, begin)
        while (at := text.find(mark, at)) >= 0:
            behind = at + len(mark)
            follows = self._follows(text, behind)
            if follows:
                return at, behind
            if follows is None:
                return None
            at = behind
        return None

    def _bare_end(self, text: str, begin: int) -> tuple[int, int] | None:
        """Of a value with nothing behind it: at what follows, outside brackets and quotes."""
        depth, at = self._bare.get(begin, (0, begin))
        marks = (self._form.after_text.strip(), *_QUOTES)
        while at < len(text):
            self._bare[begin] = depth, at
            follows = self._follows(text, at) if depth == 0 else False
            if follows:
                return at, at
            if follows is None or any(mark.startswith(text[at:]) for mark in marks if len(mark) > len(text) - at):
                return None
            mark = next((mark for mark in marks if text.startswith(mark, at)), "")
            if mark:
                end = _closing_quote(text, mark, at + len(mark))
                if end is None:
                    return None
                at = end
            else:
                depth += (text[at] in _OPENING) - (text[at] in _CLOSING)
                at += 1
        self._bare[begin] = depth, at
        return None

    def _follows(self, text: str, at: int) -> bool | None:
        """The next argument, or the end of the call; None: the text ends before that is clear."""
        ends = [match_loosely(text, each, at) for each in (self._form.between, self._form.last)]
        if any(end is not None and end >= 0 for end in ends):
            return True
        return None if None in ends else False

    def _read(self, written: str, schema: Schema, *, is_text: bool | None) -> object:
        """`is_text`: None where only the schema tells."""
        if is_text or (is_text is None and schema.get("type") == "string"):
            return _unescape(written, self._form.after_text.strip())
        for attempt in (json.loads, ast.literal_eval, self._loose_json):
            try:
                value = attempt(written.strip())
                json.dumps(value, allow_nan=False)
            except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
                continue
            return value
        return {"true": True, "false": False, "none": None, "null": None}.get(written.strip().lower(), written)

    def _loose_json(self, written: str) -> object:
        """Names without quotes, and texts between marks of their own."""
        mark = self._form.after_text.strip()
        pieces = written.split(mark) if mark else [written]
        plain = [
            json.dumps(piece) if number % 2 else _UNQUOTED_KEY.sub(r'\1"\2":', piece)
            for number, piece in enumerate(pieces)
        ]
        return json.loads("".join(plain))


def _behind(text: str, before: str, at: int) -> int | None:
    """A line break at the end may be missing, but other blanks belong to the value."""
    end = match_loosely(text, before, at)
    if end is None or end < 0 or not before.endswith("\n"):
        return end
    if end == len(text):
        return None
    return end + (text[end] == "\n")


def _closing_quote(text: str, mark: str, at: int) -> int | None:
    """Behind it."""
    while (at := text.find(mark, at)) >= 0:
        if len(mark) > 1 or text[at - 1] != "\\":
            return at + len(mark)
        at += 1
    return None


def _unescape(written: str, quote: str) -> str:
    """Between quotes of Python, a text is written as there; XML has marks of its own."""
    if written.startswith(_CDATA) and written.endswith(_CDATA_END):
        return written[len(_CDATA) : -len(_CDATA_END)]
    if len(quote) != 1 or quote not in _QUOTES or "\\" not in written:
        return written
    try:
        return str(ast.literal_eval(f"{quote}{written}{quote}"))
    except (ValueError, SyntaxError):
        return written
