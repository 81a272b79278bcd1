"""Renders fenced code blocks as lines."""

import re
from collections.abc import Sequence

from specchat.ui.transcript.rendered_lines import NORMAL, LineKind, RenderedLine, TextStyle
from specchat.ui.transcript.syntax_highlighter import CodePiece, SyntaxHighlighter
from specchat.ui.widgets.theme import GRID

CODE_HEADER_HEIGHT = 4 * GRID
"""Above the first line: the language and the button that copies."""
CODE_FOOTER_HEIGHT = GRID * 3 // 2
_OPENING = re.compile(r"([ \t]*)(`{3,}|~{3,})(.*)")


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
        line.above, line.language = CODE_HEADER_HEIGHT, language
    for text, hue in pieces:
        if text:
            line.append_text(text, at, TextStyle(hue=hue) if hue else NORMAL)
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
