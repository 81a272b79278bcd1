"""Renders the inline content of a paragraph as styled runs with source positions.

The parser tells what to show but not where it stood. Walking its tokens and the content side by side finds out."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from specchat.ui.documents.document_links import find_citations
from specchat.ui.transcript.formula_rules import TOKEN as FORMULA
from specchat.ui.transcript.formulas import Formula, take_tail, write_formula
from specchat.ui.transcript.markdown_parser import BREAK, FOOTNOTE_REFERENCE, References, inline_tokens, parser
from specchat.ui.transcript.rendered_lines import LINE_BREAK, NORMAL, RenderedLine, SourceMap, TextStyle

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_INLINE_LENGTH = 20_000
"""Longer paragraphs are shown as they are written."""
_ADDRESS = re.compile(r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?()\[\]]")
_REFERENCE_TAIL = re.compile(r"\]\[[^\]]*\]")
_SPACE = re.compile(r"[ \t\n]*")
_CHANGES: dict[str, Callable[[TextStyle, bool], TextStyle]] = {
    "strong": lambda style, on: replace(style, bold=on),
    "em": lambda style, on: replace(style, italic=on),
    "s": lambda style, on: replace(style, strike=on),
    "sub": lambda style, on: replace(style, script=-1 if on else 0),
    "sup": lambda style, on: replace(style, script=1 if on else 0),
}


def append_inline(
    line: RenderedLine, content: str, places: SourceMap, references: References, style: TextStyle = NORMAL
) -> None:
    _Walk(line, content, places).read(references, style)


def paragraph_parts(
    line: RenderedLine, content: str, places: SourceMap, references: References
) -> list[RenderedLine | Formula]:
    """Returns the text, which continues `line`, and the formulas that have a line of their own."""
    walk = _Walk(line, content, places, displays=True)
    walk.read(references, NORMAL)
    return walk.parts


class _Walk:
    def __init__(self, line: RenderedLine, content: str, places: SourceMap, *, displays: bool = False) -> None:
        self._line = line
        self._content = content
        self._places = places
        self._displays = displays
        self._at = 0
        self._formula_place = (-1, -1)
        """Where the LaTeX of the last formula within the text begins, and where the text goes on behind it."""
        self.parts: list[RenderedLine | Formula] = [line]

    def read(self, references: References, style: TextStyle) -> None:
        if len(self._content) > MAX_INLINE_LENGTH:
            self.literal(self._content, 0, style)
        else:
            self.tokens(inline_tokens(self._content, references), style)

    def tokens(self, tokens: "Sequence[Token]", style: TextStyle) -> TextStyle:
        for token in tokens:
            style = self._token(token, style)
        return style

    def _token(self, token: "Token", style: TextStyle) -> TextStyle:
        match token.type:
            case "text":
                self._text(token.content, style)
            case "text_special":
                self._special(token, style)
            case "softbreak" | "hardbreak":
                self._line_break("\n")
            case _ if token.type == BREAK:
                self._line_break(token.markup)
            case _ if token.type == FOOTNOTE_REFERENCE:
                self._footnote_reference(token.content, style)
            case "code_inline":
                self._code(token, style)
            case "image":
                self._image(token, style)
            case _ if token.type == FORMULA:
                self._formula(token, style)
            case "link_open":
                self._pass("<" if token.markup == "autolink" else "[")
                return replace(style, link=str(token.attrs["href"]))
            case "link_close":
                if token.markup == "autolink":
                    self._pass(">")
                else:
                    self._at = link_end(self._content, self._find("]"))
                return replace(style, link="")
            case _:
                name, _, edge = token.type.rpartition("_")
                if name in _CHANGES:
                    self._pass(token.markup)
                    return _CHANGES[name](style, edge == "open")
        return style

    def _find(self, text: str) -> int:
        found = self._content.find(text, self._at)
        return found if found >= 0 else self._at

    def _pass(self, markup: str) -> None:
        self._at = self._find(markup) + len(markup)

    def _text(self, text: str, style: TextStyle) -> None:
        if not text:
            return
        at = self._content.find(text, self._at)
        if at < 0:
            self._line.append_text(text, self._places.source_at(self._at), style, length=1)
            return
        begin, end = self._formula_place
        if at == end and style == NORMAL:
            rest = take_tail(self._line, text, at - begin, self._places.source_at(at))
            text, at = rest, at + len(text) - len(rest)
        self._at = at + len(text)
        done = 0
        for start, end, link in _links(text) if not style.link else ():
            self.literal(text[done:start], at + done, style)
            self.literal(text[start:end], at + start, replace(style, link=link))
            done = end
        self.literal(text[done:], at + done, style)

    def literal(self, text: str, at: int, style: TextStyle) -> None:
        """`text` stands at `at` in the content, maybe over several lines of the source.

        Where the parser made spaces of a tab, more is shown than stands there.
        """
        while text:
            following, source = self._places.next_part(at), self._places.source_at(at)
            part = text if following is None else text[: following[0] - at]
            room = len(part) if following is None else max(0, following[1] - source)
            self._line.append_text(part.replace("\n", " "), source, style, room if room < len(part) else None)
            text, at = text[len(part) :], at + len(part)

    def _special(self, token: "Token", style: TextStyle) -> None:
        at = self._find(token.markup)
        self._at = at + len(token.markup)
        if token.markup.endswith(token.content):
            self.literal(token.content, self._at - len(token.content), style)
        else:
            self._line.append_text(token.content, self._places.source_at(at), style, length=len(token.markup))

    def _line_break(self, markup: str) -> None:
        at = self._find(markup)
        self._line.append_text(LINE_BREAK, self._places.source_at(at), length=len(markup))
        self._at = at + len(markup)

    def _footnote_reference(self, label: str, style: TextStyle) -> None:
        """Shows the label in brackets, as two references may stand side by side."""
        at, style = self._find(f"[^{label}]"), replace(style, script=1)
        self.literal("[", at, style)
        self.literal(f"{label}]", at + 2, style)
        self._at = at + len(label) + 3

    def _code(self, token: "Token", style: TextStyle) -> None:
        self._pass(token.markup)
        closing = re.compile(rf"(?<!`){token.markup}(?!`)").search(self._content, self._at)
        end = closing.start() if closing else len(self._content)
        padding = (end - self._at - len(token.content)) // 2
        self.literal(token.content, self._at + padding, replace(style, code=True))
        self._at = end + len(token.markup)

    def _formula(self, token: "Token", style: TextStyle) -> None:
        start = self._find(token.markup + token.content)
        begin = start + len(token.markup)
        self._at = begin + len(token.content) + token.meta["after"]
        formula = Formula(token.content, begin, (start, self._at), self._places, token.meta["closed"])
        if self._displays and token.markup not in ("$", "\\(") and self._has_own_line(start):
            self._line = RenderedLine()
            self.parts += [formula, self._line]
        else:
            write_formula(self._line, formula, style)
            self._formula_place = begin, self._at

    def _has_own_line(self, start: int) -> bool:
        line_start = self._content.rfind("\n", 0, start) + 1
        line_end = self._content.find("\n", self._at)
        after = self._content[self._at : line_end if line_end >= 0 else None]
        return not self._content[line_start:start].strip() or not after.strip(" .,;:")

    def _image(self, token: "Token", style: TextStyle) -> None:
        """Shows an image as a link, as none is ever loaded."""
        start = self._find("![") + 2
        self._at = start
        address = str(token.attrs["src"])
        linked = replace(style, link=style.link or address)
        shown = len(self._line.runs)
        self.tokens(token.children or [], linked)
        if len(self._line.runs) == shown:
            self._line.append_text(address, self._places.source_at(start), linked, length=1)
        self._at = link_end(self._content, start + len(token.content))


def _links(text: str) -> list[tuple[int, int, str]]:
    """Addresses and citations of documents; none within another."""
    addresses = [(found.start(), found.end(), found[0]) for found in _ADDRESS.finditer(text)]
    citations = list(find_citations(text))
    apart = [link for link in addresses if not any(start < link[1] and link[0] < end for start, end, _ in citations)]
    return sorted([*apart, *citations]) if citations else addresses


def paragraph_source_map(content: str, lines: Sequence[str], offsets: Sequence[int]) -> SourceMap:
    """Maps content whose lines are the ends of source lines, after indents, `>` and list markers."""
    starts, sources, at = [], [], 0
    for line, source, offset in zip(content.split("\n"), lines, offsets, strict=False):
        shown = line.strip()
        starts.append(at + len(line) - len(line.lstrip()))
        sources.append(offset + max(0, source.rfind(shown)))
        at += len(line) + 1
    return SourceMap(starts or [0], sources or [0])


def cell_source_map(content: str, line: str, offset: int, search: int) -> tuple[SourceMap, int]:
    """Maps a cell of a row, in which `|` is written as `\\|`, and returns where the next one may begin."""
    pattern = "".join(r"\\?\|" if c == "|" else re.escape(c) for c in content)
    found = re.compile(pattern).search(line, search)
    if not found:
        return SourceMap([0], [offset + search]), search
    begin = offset + found.start()
    starts, sources = [0], [begin]
    for number, escape in enumerate(re.finditer(r"\\\|", found[0])):
        starts.append(escape.start() - number)
        sources.append(begin + escape.start() + 1)
    return SourceMap(starts, sources), found.end()


def link_end(content: str, at: int) -> int:
    """Returns where the text goes on after `](target "title")`, `][label]` or `]` at `at`."""
    if content.startswith("](", at):
        end = _after_target(content, at + 2)
        if end is not None:
            return end
    if tail := _REFERENCE_TAIL.match(content, at):
        return tail.end()
    return at + 1


def _after_target(content: str, at: int) -> int | None:
    helpers, length = parser().helpers, len(content)
    at = _skip_space(content, at)
    target = helpers.parseLinkDestination(content, at, length)
    if target.ok:
        at = _skip_space(content, target.pos)
        title = helpers.parseLinkTitle(content, at, length)
        if title.ok:
            at = _skip_space(content, title.pos)
    return at + 1 if content.startswith(")", at) else None


def _skip_space(content: str, at: int) -> int:
    found = _SPACE.match(content, at)
    return found.end() if found else at
