"""Lines of code blocks."""

import re
from collections.abc import Sequence

from specchat.ui.transcript.highlight import Highlighter, Piece
from specchat.ui.transcript.lines import NORMAL, Kind, Line, Style
from specchat.ui.widgets.theme import GRID

CODE_HEAD = 4 * GRID
"""Above the first line: the language and the button that copies."""
CODE_FOOT = GRID * 3 // 2
_OPENING = re.compile(r"([ \t]*)(`{3,}|~{3,})(.*)")


class Program:
    """A fenced block that may still grow."""

    def __init__(self) -> None:
        self._language = ""
        self._highlighter = Highlighter("")
        self._lines: list[Line] = []

    def lines(self, source: str, offset: int) -> list[Line]:
        opening, *body = source.split("\n")
        found = _OPENING.match(opening)
        indent, fence, info = found.groups() if found else ("", "```", "")
        if body and _closes(body[-1], fence):
            body.pop()
        language = first_word(info)
        if language != self._language:
            self._language, self._highlighter, self._lines = language, Highlighter(language), []
        starts, at = [], offset + len(opening) + 1
        for number, line in enumerate(body):
            body[number] = _dedent(line, len(indent))
            starts.append(at + len(line) - len(body[number]))
            at += len(line) + 1
        if not body:
            body, starts = [""], [offset + len(opening)]
        kept = self._highlighter.settled
        pieces = self._highlighter.lines(body)
        self._lines[kept:] = code_lines(pieces, starts, language, first=kept)
        return self._lines


def code_lines(
    pieces: Sequence[Sequence[Piece]], starts: Sequence[int], language: str, path: str = "", first: int = 0
) -> list[Line]:
    return [
        _code_line(pieces[number], starts[number], number, len(pieces), language, path)
        for number in range(first, len(pieces))
    ]


def _code_line(pieces: Sequence[Piece], at: int, number: int, count: int, language: str, path: str) -> Line:
    line = Line(Kind.CODE, path, begins=number == 0, ends=number == count - 1)
    if line.begins:
        line.above, line.language = CODE_HEAD, language
    for text, hue in pieces:
        if text:
            line.add(text, at, Style(hue=hue) if hue else NORMAL)
        at += len(text)
    return line


def first_word(info: str) -> str:
    words = info.split(maxsplit=1)
    return words[0] if words else ""


def _closes(line: str, fence: str) -> bool:
    line = line.strip()
    return line.startswith(fence) and not line.strip(fence[0])


def _dedent(line: str, columns: int) -> str:
    return line[min(columns, len(line) - len(line.lstrip(" "))) :]
