"""Renders fenced code blocks as lines, coloured by Pygments."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from specchat.ui.transcript.rendered_lines import NORMAL, LineKind, RenderedLine, TextStyle
from specchat.ui.widgets.theme import GRID

CODE_HEADER_HEIGHT = 4 * GRID
"""The height above a labelled block's first line, for the language and the copy button."""
CODE_FOOTER_HEIGHT = GRID * 3 // 2
"""The height below the last line, and above the first one of a block without a label."""
_OPENING = re.compile(r"([ \t]*)(`{3,}|~{3,})(.*)")
SYNTAX_KINDS = ("keyword", "string", "number", "comment", "name", "meta")
MAX_CODE_LENGTH = 20_000
"""Longer programs stay in one colour."""
MAX_LINE_LENGTH = 1000
_RESUME_LINES = 24
_COMMON = ("python", "bash", "json", "javascript")


CodePiece = tuple[str, str]
"""Text and hue."""


class FencedCode:
    """A fenced block that may still grow."""

    def __init__(self) -> None:
        self._language = ""
        self._highlighter = SyntaxHighlighter("")
        self._lines: list[RenderedLine] = []

    def render_lines(self, source: str, offset: int) -> list[RenderedLine]:
        opening, *body = source.split("\n")
        found = _OPENING.match(opening)
        indent, fence, info = found.groups() if found else ("", "```", "")
        if body and _closes(body[-1], fence):
            body.pop()
        language = first_word(info)
        if language != self._language:
            self._language, self._highlighter, self._lines = language, SyntaxHighlighter(language), []
        starts, at = [], offset + len(opening) + 1
        for number, line in enumerate(body):
            body[number] = _dedent(line, len(indent))
            starts.append(at + len(line) - len(body[number]))
            at += len(line) + 1
        if not body:
            body, starts = [""], [offset + len(opening)]
        kept = self._highlighter.settled
        pieces = self._highlighter.highlight_lines(body)
        self._lines[kept:] = code_lines(pieces, starts, language, first=kept)
        return self._lines


def code_lines(
    pieces: Sequence[Sequence[CodePiece]], starts: Sequence[int], language: str, path: str = "", first: int = 0
) -> list[RenderedLine]:
    return [
        _code_line(pieces[number], starts[number], number, len(pieces), language, path)
        for number in range(first, len(pieces))
    ]


def _code_line(pieces: Sequence[CodePiece], at: int, number: int, count: int, language: str, path: str) -> RenderedLine:
    line = RenderedLine(LineKind.CODE, path, begins=number == 0, ends=number == count - 1)
    if line.begins:
        line.above, line.language = header_height(language), language
    for text, hue in pieces:
        if text:
            line.append_text(text, at, TextStyle(hue=hue) if hue else NORMAL)
        at += len(text)
    return line


def header_height(language: str) -> int:
    return CODE_HEADER_HEIGHT if language else CODE_FOOTER_HEIGHT


def first_word(info: str) -> str:
    words = info.split(maxsplit=1)
    return words[0] if words else ""


def _closes(line: str, fence: str) -> bool:
    line = line.strip()
    return line.startswith(fence) and not line.strip(fence[0])


def _dedent(line: str, columns: int) -> str:
    return line[min(columns, len(line) - len(line.lstrip(" "))) :]


def preload() -> None:
    """Loads what the first program would have to wait for."""
    for language in _COMMON:
        _lexer(language)
    _hues()


class SyntaxHighlighter:
    """Remembers where it can go on, so that code which grows is not read from the beginning each time."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._lines: list[list[CodePiece]] = []
        self.settled = 0
        """The number of lines that will not change any more."""

    def highlight_lines(self, code: Sequence[str]) -> list[list[CodePiece]]:
        """Colours code that begins with the lines of last time, except the last one."""
        readable = self._readable(code)
        tail = code[self.settled : readable]
        fresh = self._read(tail) if tail else []
        self._lines[self.settled :] = fresh
        if len(tail) > 2 * _RESUME_LINES:
            self._advance(tail, fresh)
        return self._lines + [[(line, "")] for line in code[readable:]]

    def _readable(self, code: Sequence[str]) -> int:
        if not any(code) or _lexer(self._language) is None:
            return 0
        size = 0
        for number, line in enumerate(code):
            size += len(line)
            if size > MAX_CODE_LENGTH or len(line) > MAX_LINE_LENGTH:
                return number
        return len(code)

    def _advance(self, tail: Sequence[str], fresh: list[list[CodePiece]]) -> None:
        """Settles lines where the rest looks the same when it is read alone."""
        skipped = len(tail) - _RESUME_LINES
        if self._read(tail[skipped:]) == fresh[skipped:]:
            self.settled += skipped

    def _read(self, code: Sequence[str]) -> list[list[CodePiece]]:
        lines: list[list[CodePiece]] = [[]]
        for text, hue in self._pieces("\n".join(code)):
            first, *rest = text.split("\n")
            _add(lines[-1], first, hue)
            for part in rest:
                lines.append([])
                _add(lines[-1], part, hue)
        return lines

    def _pieces(self, code: str) -> Iterator[CodePiece]:
        end = 0
        for at, kind, text in _lexer(self._language).get_tokens_unprocessed(code + "\n"):
            yield text[: len(code) - at], _hue(kind)
            end = at + len(text)
        yield code[end:], ""


def _add(line: list[CodePiece], text: str, hue: str) -> None:
    if not text:
        return
    if line and (line[-1][1] == hue or not text.strip()):
        line[-1] = (line[-1][0] + text, line[-1][1])
    else:
        line.append((text, hue))


@cache
def _lexer(language: str) -> Any:
    language = language.lower()
    if language not in _languages():
        return None
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language)


@cache
def _languages() -> frozenset[str]:
    """Returns the known names: for an unknown one Pygments would search all installed packages."""
    from pygments.lexers import get_all_lexers

    return frozenset(alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)


@cache
def _hue(kind: Any) -> str:
    hues = _hues()
    while kind is not None:
        if kind in hues:
            return hues[kind]
        kind = kind.parent
    return ""


@cache
def _hues() -> dict[Any, str]:
    from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

    return {
        Comment: "comment",
        Comment.Preproc: "meta",
        Keyword: "keyword",
        Keyword.Constant: "number",
        Operator.Word: "keyword",
        String: "string",
        Number: "number",
        Name.Function: "name",
        Name.Class: "name",
        Name.Tag: "keyword",
        Name.Attribute: "name",
        Name.Builtin: "name",
        Name.Decorator: "meta",
        Name.Exception: "name",
        Generic.Deleted: "meta",
        Generic.Inserted: "string",
        Generic.Heading: "keyword",
        Generic.Subheading: "comment",
    }
