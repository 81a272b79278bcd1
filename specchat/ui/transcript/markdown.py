"""Renders the source of a block to lines."""

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from specchat.ui.transcript.fenced_code import CODE_FOOTER_HEIGHT, SyntaxHighlighter, code_lines, first_word
from specchat.ui.transcript.formulas import Formula, formula_line, join_parts
from specchat.ui.transcript.inline import append_inline, cell_source_map, paragraph_parts, paragraph_source_map
from specchat.ui.transcript.markdown_parser import (
    MAX_NESTING,
    References,
    block_tokens,
    list_item_prefix,
    without_first_item,
)
from specchat.ui.transcript.rendered_lines import NORMAL, LineKind, RenderedLine, TextStyle
from specchat.ui.widgets.text_direction import is_right_to_left
from specchat.ui.widgets.theme import GRID

if TYPE_CHECKING:
    from markdown_it.token import Token

BULLETS = "•◦▪"
OPEN_TASK, DONE_TASK = "☐", "☑"
_TASK = re.compile(r"\[([ xX])\](?:[ \t]+|\Z)")
BLOCK_GAP = GRID * 3 // 2
_ITEM_GAP = GRID // 2
_HEADER = TextStyle(bold=True)
MAX_CELLS = 1500


class LineBuilder:
    def __init__(self, source: str, offset: int, references: References, number: int | None) -> None:
        self._source = source.split("\n")
        self._offsets = list(accumulate((len(line) + 1 for line in self._source), initial=offset))
        self._references = references
        self._path = ""
        self._first_number = number
        self._numbers: list[int] = []
        self._marker = ""
        self._level = 0
        self._row = self._column = -1
        self._align = ""
        self._search = 0
        self._below = 0
        self._footnote: Token | None = None
        """The footnote whose label is not written yet."""
        self.lines: list[RenderedLine] = []

    def build_lines(self, tokens: "Iterable[Token]") -> list[RenderedLine]:
        for token in tokens:
            self._token(token)
        return self.lines

    def _token(self, token: "Token") -> None:
        if self._footnote and token.type not in ("paragraph_open", "inline"):
            self._add(self._footnote_line())
        match token.type:
            case "footnote_open":
                self._end_empty_item()
                self._path += "n"
                self._footnote = token
            case "footnote_close":
                self._path = self._path[:-1]
            case "blockquote_open":
                self._path += "q"
            case "bullet_list_open":
                self._path += "b"
            case "ordered_list_open":
                self._open_numbers(token)
            case "blockquote_close" | "bullet_list_close":
                self._path = self._path[:-1]
            case "ordered_list_close":
                self._path = self._path[:-1]
                self._numbers.pop()
            case "list_item_open":
                self._open_item(token)
            case "list_item_close":
                self._end_empty_item()
            case "heading_open":
                self._level = int(token.tag[1:])
            case "heading_close":
                self._level = 0
            case "hr":
                self._add(RenderedLine(LineKind.RULE))
            case "fence" | "code_block":
                self._code(token)
            case "inline" if self._column >= 0:
                self._cell(token)
            case "inline":
                self._text(token)
            case _:
                self._table(token)

    def _open_numbers(self, token: "Token") -> None:
        self._path += "o"
        number = int(token.attrs.get("start", 1))
        if self._first_number is not None:
            number, self._first_number = self._first_number, None
        self._numbers.append(number)

    def _open_item(self, token: "Token") -> None:
        self._end_empty_item()
        if self._path.endswith("o"):
            self._marker = f"{self._numbers[-1]}{token.markup}"
            self._numbers[-1] += 1
        else:
            self._marker = BULLETS[(self._path.count("b") - 1) % len(BULLETS)]

    def _end_empty_item(self) -> None:
        if self._marker:
            self._add(RenderedLine())

    def _table(self, token: "Token") -> None:
        match token.type:
            case "table_open":
                self._end_empty_item()
                self._row = -1
                self._add(RenderedLine(LineKind.FILLER))
            case "table_close":
                self._column = -1
                self.lines.append(RenderedLine(LineKind.FILLER, self._path))
            case "tr_open":
                self._row += 1
                self._column = -1
                self._search = 0
            case "th_open" | "td_open":
                self._column += 1
                self._align = str(token.attrs.get("style", "")).removeprefix("text-align:")

    def _cell(self, token: "Token") -> None:
        line = token.map[0] if token.map else 0
        places, self._search = cell_source_map(token.content, self._source[line], self._offsets[line], self._search)
        cell = RenderedLine(LineKind.CELL, self._path, row=self._row, column=self._column, align=self._align)
        append_inline(cell, token.content, places, self._references, NORMAL if self._row else _HEADER)
        self.lines.append(cell)

    def _footnote_line(self) -> RenderedLine:
        """Begins a line with the label of the pending footnote."""
        line, token = RenderedLine(), self._footnote
        if token is not None:
            label, number = token.content, token.map[0] if token.map else 0
            line_start = self._offsets[number]
            written = self.lines[-1].runs[-1].source_end if self.lines and self.lines[-1].runs else line_start
            at = line_start + max(0, self._source[number].find(f"[^{label}]:", max(0, written - line_start)))
            line.append_text("[", at)
            line.append_text(f"{label}]", at + 2)
            line.append_text(" ", at + len(label) + 3, length=1)
        self._footnote = None
        return line

    def _without_task(self, content: str) -> str:
        """Makes the box of a task the marker of its item and returns the rest."""
        found = _TASK.match(content) if self._marker and self._marker in BULLETS else None
        if found is None:
            return content
        self._marker = OPEN_TASK if found[1] == " " else DONE_TASK
        return content[found.end() :]

    def _text(self, token: "Token") -> None:
        first, content = token.map[0] if token.map else 0, self._without_task(token.content)
        end = first + content.count("\n") + 1
        places = paragraph_source_map(content, self._source[first:end], self._offsets[first:end])
        if self._level:
            heading = RenderedLine(LineKind.HEADING)
            append_inline(heading, content, places, self._references)
            self._add(heading)
            return
        for part in join_parts(paragraph_parts(self._footnote_line(), content, places, self._references)):
            if isinstance(part, Formula):
                self._formula(formula_line(part, self._path))
            else:
                self._add(part)

    def _formula(self, line: RenderedLine) -> None:
        self._place(line)
        self.lines.append(line)

    def _code(self, token: "Token") -> None:
        first = (token.map[0] if token.map else 0) + (token.type == "fence")
        content = token.content.rstrip("\n") if token.type == "code_block" else token.content.removesuffix("\n")
        code, starts = zip(
            *(self._code_line(line, n) for n, line in enumerate(content.split("\n"), first)), strict=True
        )
        language = first_word(token.info)
        lines = code_lines(SyntaxHighlighter(language).highlight_lines(code), starts, language, self._path)
        self._place(lines[0])
        self.lines += lines
        self._below = CODE_FOOTER_HEIGHT

    def _code_line(self, line: str, number: int) -> tuple[str, int]:
        """Returns a line and its place; a tab that is partly an indent is shown whole, where the parser has spaces."""
        source = self._source[number] if number < len(self._source) else ""
        start = self._offsets[min(number, len(self._source))]
        if source.endswith(line):
            return line, start + len(source) - len(line)
        code = line.lstrip()
        at = max(0, source.rfind(code))
        indent = min(len(line) - len(code), at - len(source[:at].rstrip(" \t")))
        return source[at - indent : at] + code, start + at - indent

    def _add(self, line: RenderedLine) -> None:
        line.path, line.level = self._path, self._level
        self._place(line)
        self.lines.append(line)

    def _place(self, line: RenderedLine) -> None:
        """Gives a line what is pending: the marker of its list item and the distance to the line above."""
        if self.lines:
            line.above += self._below + (_ITEM_GAP if self._marker else BLOCK_GAP)
        line.marker = self._marker
        self._below, self._marker = 0, ""


def render_markdown(
    source: str, offset: int, references: References, number: int | None, in_list: bool, right_to_left: bool
) -> tuple[RenderedLine, ...]:
    """Renders a block; an item of a list (`in_list`) without a letter takes the list's direction."""
    before = list_item_prefix(source) if in_list else ""
    tokens = block_tokens(before + source, dict(references))
    if _too_much(tokens):
        return render_plain_text(source, offset)
    if before:
        tokens = without_first_item(tokens)
    lines = LineBuilder(before + source, offset - len(before), references, number).build_lines(tokens)
    set_directions(lines, right_to_left)
    return tuple(lines) or (RenderedLine(),)


def render_plain_text(source: str, offset: int) -> tuple[RenderedLine, ...]:
    lines = []
    for text in source.removesuffix("\n").split("\n"):
        line = RenderedLine()
        if text:
            line.append_text(text, offset)
        lines.append(line)
        offset += len(text) + 1
    set_directions(lines)
    return tuple(lines)


def _too_much(tokens: "Sequence[Token]") -> bool:
    """Says whether there are too many cells, or blocks nested so deep that the parser leaves some out."""
    cells = sum(token.type in ("td_open", "th_open") for token in tokens)
    return cells > MAX_CELLS or any(token.level >= MAX_NESTING - 1 for token in tokens)


def set_directions(lines: Iterable[RenderedLine], around: bool = False) -> None:
    """Code, rules and what has no letter stand where the line before them does, if they are in the same item or quote.

    Formulas and what is in them run from left to right everywhere. `around`: the list that begins with the first line.
    """
    path, before = "", around
    for is_table, group in groupby(lines, _is_in_table):
        if is_table:
            cells = list(group)
            _direct_table(cells, inherited=before and bool(path) and cells[0].path.startswith(path))
            continue
        for line in group:
            path = path or (line.path[:1] if around else "")
            own = None if line.kind is LineKind.CODE else _own_direction(line)
            inherits = bool(path) and line.path.startswith(path)
            line.right_to_left = not line.in_formula and (inherits and before if own is None else own)
            if line.kind not in (LineKind.CELL, LineKind.FILLER):
                path, before = line.path, line.right_to_left


def _is_in_table(line: RenderedLine) -> bool:
    return line.kind is LineKind.CELL


def _direct_table(cells: Sequence[RenderedLine], *, inherited: bool) -> None:
    """Directs a table by its first letter; one that runs from right to left aligns all cells at the right."""
    own = [_own_direction(cell) for cell in cells]
    whole = next((direction for direction in own if direction is not None), inherited)
    for cell, direction in zip(cells, own, strict=True):
        cell.right_to_left, cell.mirrored = whole if direction is None else direction, whole
        if whole and not cell.right_to_left:
            cell.align = cell.align or "right"


def _own_direction(line: RenderedLine) -> bool | None:
    """Returns the direction of a line's own letters, without code and formulas if it has others."""
    words = "".join(line.run_text(run) for run in line.runs if not (run.style.code or run.formula))
    direction = is_right_to_left(words)
    return is_right_to_left(line.text) if direction is None else direction
