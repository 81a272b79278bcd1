"""What is drawn around the text of a document: cards behind code, bars beside quotes, markers of list
items, rules, brackets around matrices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, QSizeF

from specchat.ui.transcript.fences import Fence, fences
from specchat.ui.transcript.geometry import Geometry
from specchat.ui.transcript.ink import indent, margins
from specchat.ui.transcript.lines import Kind, Line
from specchat.ui.transcript.program import CODE_FOOT, CODE_HEAD
from specchat.ui.widgets.theme import GRID

BAR = 3
_BUTTON = 3 * GRID


@dataclass(frozen=True, slots=True)
class Card:
    area: QRectF
    language: str
    first: int
    last: int

    @property
    def button(self) -> QRectF:
        inset = (CODE_HEAD - _BUTTON) / 2
        corner = QPointF(self.area.right() - inset - _BUTTON, self.area.top() + inset)
        return QRectF(corner, QSizeF(_BUTTON, _BUTTON))


@dataclass(frozen=True, slots=True)
class Marker:
    text: str
    end: QPointF
    """Of its baseline, beside the text of the item."""
    right_to_left: bool


@dataclass(frozen=True, slots=True)
class Shapes:
    cards: tuple[Card, ...] = ()
    bars: tuple[QRectF, ...] = ()
    markers: tuple[Marker, ...] = ()
    rules: tuple[QRectF, ...] = ()
    fences: tuple[Fence, ...] = ()


def shapes(geometry: Geometry, lines: Sequence[Line], width: float) -> Shapes:
    return Shapes(
        tuple(_cards(geometry, lines, width)),
        tuple(_bars(geometry, lines, width)),
        tuple(_markers(geometry, lines, width)),
        tuple(_rules(geometry, lines, width)),
        tuple(fences(geometry, lines)),
    )


def _markers(geometry: Geometry, lines: Sequence[Line], width: float) -> Iterator[Marker]:
    for number, line in enumerate(lines):
        if line.marker:
            inset = indent(line.path.removesuffix("f")) - GRID
            end = QPointF(width - inset if line.right_to_left else inset, geometry.baseline(number))
            yield Marker(line.marker, end, line.right_to_left)


def _cards(geometry: Geometry, lines: Sequence[Line], width: float) -> Iterator[Card]:
    first = 0
    for number, line in enumerate(lines):
        if line.begins:
            first = number
        if line.ends:
            (left, right), top = margins(line), geometry.rect(first).top() - CODE_HEAD
            area = QRectF(left, top, width - left - right, geometry.rect(number).bottom() + CODE_FOOT - top)
            yield Card(area, lines[first].language, first, number)


def _bars(geometry: Geometry, lines: Sequence[Line], width: float) -> Iterator[QRectF]:
    for depth in range(max((len(line.path) for line in lines), default=0)):
        numbers = range(len(lines))
        for (path, right_to_left), group in groupby(numbers, lambda number, depth=depth: _side(lines[number], depth)):  # type: ignore[misc]
            if len(path) > depth and path[depth] == "q":
                inside, inset = list(group), indent(path[:-1])
                top = _top(geometry, lines, inside[0])
                left = width - inset - BAR if right_to_left else inset
                yield QRectF(left, top, BAR, _bottom(geometry, lines, inside[-1]) - top)


def _side(line: Line, depth: int) -> tuple[str, bool]:
    return line.path[: depth + 1], line.right_to_left


def _top(geometry: Geometry, lines: Sequence[Line], number: int) -> float:
    return geometry.rect(number).top() - (CODE_HEAD if lines[number].kind is Kind.CODE else 0)


def _bottom(geometry: Geometry, lines: Sequence[Line], number: int) -> float:
    return geometry.rect(number).bottom() + (CODE_FOOT if lines[number].kind is Kind.CODE else 0)


def _rules(geometry: Geometry, lines: Sequence[Line], width: float) -> Iterator[QRectF]:
    for number, line in enumerate(lines):
        if line.kind is Kind.RULE:
            left, right = margins(line)
            yield QRectF(left, geometry.rect(number).center().y(), width - left - right, 1)
