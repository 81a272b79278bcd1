"""Rendered text without Qt: what a message shows, line by line, and where each character comes from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import groupby

LINE_BREAK = "\u2028"
"""Within a paragraph."""

_UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\u2029\ufdd0\ufdd1\ufffc\ud800-\udfff]")


def clean(text: str) -> str:
    """Without what Markdown or Qt would take for something else; every character keeps its place."""
    return _UNFIT.sub(lambda found: " " if found[0] == "\r" else "\ufffd", text)


@dataclass(frozen=True, slots=True)
class Style:
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    link: str = ""
    script: int = 0
    """Above the line (1) or below it (-1)."""
    boxed: bool = False
    hue: str = ""
    """What it is in a program: one of highlight.HUES."""


NORMAL = Style()


@dataclass(frozen=True, slots=True)
class Bit:
    """Text of one style that stands in the source as it is; an entity (`&amp;`) is longer there."""

    text: str
    source: int
    style: Style = NORMAL
    length: int = -1
    formula: tuple[int, int] | None = None
    """From where to where the source has the formula that this belongs to."""

    @property
    def end(self) -> int:
        return self.source + (len(self.text) if self.length < 0 else self.length)

    def source_at(self, offset: int) -> int:
        return self.source if self.length >= 0 else self.source + offset


class Kind(Enum):
    PARAGRAPH = auto()
    HEADING = auto()
    CODE = auto()
    RULE = auto()
    CELL = auto()
    FILLER = auto()
    """The empty lines that a QTextDocument has around a table."""


@dataclass(frozen=True, slots=True)
class Line:
    """One block of the document."""

    kind: Kind
    bits: tuple[Bit, ...] = ()
    path: str = ""
    """The containers around it, outermost first: `q` quote, `b` bullet item, `o` numbered item, `f` formula."""
    above: int = 0
    """Pixels above it."""
    marker: str = ""
    """Of the list item that begins here."""
    level: int = 0
    """Of a heading."""
    begins: bool = False
    """First line of a code block."""
    ends: bool = False
    """Last line of a code block."""
    language: str = ""
    row: int = 0
    column: int = 0
    align: str = ""
    rows: int = 1
    """That the cell covers."""
    right_to_left: bool = False
    """What is around it stands at its right."""
    mirrored: bool = False
    """In a table whose first column is the rightmost."""
    fence: str = ""
    """The bracket that is drawn in place of a text."""
    text: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", "".join(bit.text for bit in self.bits))

    @property
    def in_formula(self) -> bool:
        return self.path.endswith("f")

    def placed(self, above: int, marker: str) -> "Line":
        return replace(self, above=above, marker=marker)

    def source_at(self, offset: int) -> int | None:
        """Where the character at `offset` comes from."""
        for bit in self.bits:
            if offset < len(bit.text):
                return bit.source_at(offset)
            offset -= len(bit.text)
        return None

    def shown(self, start: int, end: int) -> tuple[int, int] | None:
        """From where to where the source from `start` to `end` is to be seen on this line."""
        first = last = -1
        at = 0
        for bit in self.bits:
            low, high = max(start, bit.source), min(end, bit.end)
            if low < high:
                literal = bit.length < 0
                begin = at + (low - bit.source if literal else 0)
                first = begin if first < 0 else first
                last = at + (high - bit.source if literal else len(bit.text))
            at += len(bit.text)
        return (first, last) if first >= 0 else None

    def to_qt(self, offset: int) -> int:
        """Qt counts UTF-16 units."""
        return offset if self.text.isascii() else _units(self.text[:offset])

    def from_qt(self, units: int) -> int:
        if self.text.isascii():
            return min(units, len(self.text))
        return len(self.text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))


def block_numbers(lines: Sequence[Line]) -> list[int]:
    """Where the document has each line: the cells of a table stand there from left to right in any case."""
    numbers: list[int] = []
    for (mirrored, _), group in groupby(range(len(lines)), lambda n: (lines[n].mirrored, lines[n].row)):
        found = list(group)
        numbers += reversed(found) if mirrored else found
    return numbers


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
