"""Rendered lines without Qt: styled text runs with their places in the source, their direction and their tokens."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specchat.ui.transcript.typesetting.typeset_formula import TypesetFormula

LINE_BREAK = "\u2028"
"""The character of a line break within a paragraph."""
OBJECT = "\ufffc"
"""The character in whose place something is drawn."""
_UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\u2029\ufdd0\ufdd1\ufffc\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TextStyle:
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    link: str = ""
    script: int = 0
    """Above the line (1) or below it (-1)."""
    formula: "TypesetFormula | None" = None
    """The formula that is drawn in place of the text."""
    hue: str = ""
    """The kind of code it is: one of SYNTAX_KINDS, or empty."""


NORMAL = TextStyle()


@dataclass(frozen=True, slots=True)
class TextRun:
    """A stretch of a line that looks the same and stands in the source in one piece."""

    start: int
    end: int
    source: int
    source_end: int
    style: TextStyle = NORMAL
    literal: bool = True
    """Whether it stands in the source as it is; an entity (`&amp;`) is longer there."""
    formula: tuple[int, int] | None = None
    """The place in the source of the formula that it belongs to."""
    inside: "SourceMap | None" = None
    """Leads from the LaTeX of a formula that is drawn to the source."""

    def source_at(self, offset: int) -> int:
        return self.source + (offset - self.start if self.literal else 0)


class LineKind(Enum):
    PARAGRAPH = auto()
    HEADING = auto()
    CODE = auto()
    RULE = auto()
    CELL = auto()
    FILLER = auto()
    """The empty lines that a QTextDocument has around a table."""


@dataclass(slots=True)
class RenderedLine:
    """One block of the document."""

    kind: LineKind = LineKind.PARAGRAPH
    path: str = ""
    """The containers around it from outside: `q` quote, `b` bullet, `o` numbered item, `n` note, `f` formula."""
    above: int = 0
    """The pixels above it."""
    marker: str = ""
    """The marker of the list item that begins here."""
    level: int = 0
    """The level of a heading."""
    begins: bool = False
    """First line of a code block."""
    ends: bool = False
    """Last line of a code block."""
    language: str = ""
    row: int = 0
    column: int = 0
    align: str = ""
    right_to_left: bool = False
    """Whether what is around it stands at its right."""
    mirrored: bool = False
    """Whether the first column of its table is the rightmost."""
    text: str = ""
    runs: list[TextRun] = field(default_factory=list)
    """The runs of the text, without a gap."""

    def append_text(
        self,
        text: str,
        source: int,
        style: TextStyle = NORMAL,
        length: int | None = None,
        formula: tuple[int, int] | None = None,
        inside: "SourceMap | None" = None,
    ) -> None:
        """Appends text; `length` is its length in the source, where it stands there in another form."""
        start, end = len(self.text), len(self.text) + len(text)
        source_end = source + (len(text) if length is None else length)
        self.runs.append(TextRun(start, end, source, source_end, style, length is None, formula, inside))
        self.text += text

    def run_text(self, run: TextRun) -> str:
        return self.text[run.start : run.end]

    @property
    def in_formula(self) -> bool:
        return self.path.endswith("f")

    @property
    def has_drawn_formula(self) -> bool:
        return OBJECT in self.text

    @property
    def in_footnote(self) -> bool:
        return "n" in self.path

    def run_at(self, offset: int) -> TextRun | None:
        number = bisect_right(self.runs, offset, key=attrgetter("end"))
        return self.runs[number] if number < len(self.runs) else None

    def source_at(self, offset: int) -> int | None:
        """Returns where the character at `offset` stands in the source."""
        run = self.run_at(offset)
        return run.source_at(offset) if run else None

    def visible_range(self, start: int, end: int) -> tuple[int, int] | None:
        """Returns where this line shows the source from `start` to `end`."""
        first = last = -1
        for run in self.runs:
            low, high = max(start, run.source), min(end, run.source_end)
            if low < high:
                begin = run.start + (low - run.source if run.literal else 0)
                first = begin if first < 0 else first
                last = run.start + high - run.source if run.literal else run.end
        return (first, last) if first >= 0 else None

    def to_utf16(self, offset: int) -> int:
        """Converts an offset to UTF-16 units, which Qt counts."""
        return offset if self.text.isascii() else _units(self.text[:offset])

    def from_utf16(self, units: int) -> int:
        if self.text.isascii():
            return min(units, len(self.text))
        return len(self.text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def clean_text(text: str) -> str:
    """Replaces what Markdown or Qt would misread; every character keeps its place."""
    return _UNFIT.sub(lambda found: " " if found[0] == "\r" else "\ufffd", text)


def block_numbers(lines: Sequence[RenderedLine]) -> list[int]:
    """Returns where the document has each line: Qt keeps the cells of a table from left to right."""
    numbers: list[int] = []
    for (mirrored, _), group in groupby(range(len(lines)), lambda n: (lines[n].mirrored, lines[n].row)):
        found = list(group)
        numbers += reversed(found) if mirrored else found
    return numbers


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@dataclass(frozen=True, slots=True)
class SourceMap:
    """A map whose parts begin at `starts` in the content and at `sources` in the source."""

    starts: Sequence[int]
    sources: Sequence[int]

    def source_at(self, at: int) -> int:
        part = max(0, bisect_right(self.starts, at) - 1)
        return self.sources[part] + at - self.starts[part]

    def from_place(self, begin: int) -> "SourceMap":
        """Returns a map of the content from `begin` on."""
        return SourceMap([start - begin for start in self.starts], self.sources)

    def next_part(self, at: int) -> tuple[int, int] | None:
        """Returns where the next part begins in the content and in the source."""
        part = bisect_right(self.starts, at)
        return (self.starts[part], self.sources[part]) if part < len(self.starts) else None
