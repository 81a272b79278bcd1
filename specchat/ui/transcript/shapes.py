"""Computes the shapes around a document's text: code cards, quote bars, list markers, rules, brackets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainterPath

from specchat.ui.transcript.fenced_code import CODE_FOOTER_HEIGHT, CODE_HEADER_HEIGHT
from specchat.ui.transcript.line_geometry import LineGeometry
from specchat.ui.transcript.rendered_lines import LineKind, RenderedLine
from specchat.ui.transcript.text_formats import indent, margins
from specchat.ui.widgets.theme import GRID

BAR_WIDTH = 3
_BUTTON = 3 * GRID
_WIDTH = 6.0
_BEYOND = 2.0
_BEND = 5.0
_MIRRORED = {")": "(", "]": "[", "}": "{"}
Stroke = Sequence[tuple[float, float]]
"""Where it begins; then a point that it bends towards and one that it goes to, in turn."""


@dataclass(frozen=True, slots=True)
class Fence:
    sign: str
    area: QRectF

    def path(self) -> QPainterPath:
        path = QPainterPath()
        for places in _STROKES[_MIRRORED.get(self.sign, self.sign)](self.area.height()):
            first, *others = (self._place(*place) for place in places)
            path.moveTo(first)
            for control, end in zip(others[::2], others[1::2], strict=True):
                path.quadTo(control, end)
        return path

    def _place(self, x: float, y: float) -> QPointF:
        x = self.area.right() - x if self.sign in _MIRRORED else self.area.left() + x
        return QPointF(x, self.area.top() + y)


@dataclass(frozen=True, slots=True)
class CodeCard:
    area: QRectF
    language: str
    first: int
    last: int

    @property
    def copy_button_rect(self) -> QRectF:
        inset = (CODE_HEADER_HEIGHT - _BUTTON) / 2
        corner = QPointF(self.area.right() - inset - _BUTTON, self.area.top() + inset)
        return QRectF(corner, QSizeF(_BUTTON, _BUTTON))


@dataclass(frozen=True, slots=True)
class ListMarker:
    text: str
    end: QPointF
    """Of its baseline, beside the text of the item."""
    right_to_left: bool


@dataclass(frozen=True, slots=True)
class BlockShapes:
    cards: tuple[CodeCard, ...] = ()
    bars: tuple[QRectF, ...] = ()
    markers: tuple[ListMarker, ...] = ()
    rules: tuple[QRectF, ...] = ()
    fences: tuple[Fence, ...] = ()


def compute_shapes(geometry: LineGeometry, lines: Sequence[RenderedLine], width: float) -> BlockShapes:
    return BlockShapes(
        tuple(_cards(geometry, lines, width)),
        tuple(_bars(geometry, lines, width)),
        tuple(_markers(geometry, lines, width)),
        tuple(_rules(geometry, lines, width)),
        tuple(compute_fences(geometry, lines)),
    )


def _markers(geometry: LineGeometry, lines: Sequence[RenderedLine], width: float) -> Iterator[ListMarker]:
    for number, line in enumerate(lines):
        if line.marker:
            inset = indent(line.path.removesuffix("f")) - GRID
            end = QPointF(width - inset if line.right_to_left else inset, geometry.baseline(number))
            yield ListMarker(line.marker, end, line.right_to_left)


def _cards(geometry: LineGeometry, lines: Sequence[RenderedLine], width: float) -> Iterator[CodeCard]:
    first = 0
    for number, line in enumerate(lines):
        if line.begins:
            first = number
        if line.ends:
            (left, right), top = margins(line), geometry.line_rect(first).top() - CODE_HEADER_HEIGHT
            area = QRectF(
                left, top, width - left - right, geometry.line_rect(number).bottom() + CODE_FOOTER_HEIGHT - top
            )
            yield CodeCard(area, lines[first].language, first, number)


def _bars(geometry: LineGeometry, lines: Sequence[RenderedLine], width: float) -> Iterator[QRectF]:
    for depth in range(max((len(line.path) for line in lines), default=0)):
        numbers = range(len(lines))
        for (path, right_to_left), group in groupby(numbers, lambda number, depth=depth: _side(lines[number], depth)):  # type: ignore[misc]
            if len(path) > depth and path[depth] == "q":
                inside, inset = list(group), indent(path[:-1])
                top = _top(geometry, lines, inside[0])
                left = width - inset - BAR_WIDTH if right_to_left else inset
                yield QRectF(left, top, BAR_WIDTH, _bottom(geometry, lines, inside[-1]) - top)


def _side(line: RenderedLine, depth: int) -> tuple[str, bool]:
    return line.path[: depth + 1], line.right_to_left


def _top(geometry: LineGeometry, lines: Sequence[RenderedLine], number: int) -> float:
    return geometry.line_rect(number).top() - (CODE_HEADER_HEIGHT if lines[number].kind is LineKind.CODE else 0)


def _bottom(geometry: LineGeometry, lines: Sequence[RenderedLine], number: int) -> float:
    return geometry.line_rect(number).bottom() + (CODE_FOOTER_HEIGHT if lines[number].kind is LineKind.CODE else 0)


def _rules(geometry: LineGeometry, lines: Sequence[RenderedLine], width: float) -> Iterator[QRectF]:
    for number, line in enumerate(lines):
        if line.kind is LineKind.RULE:
            left, right = margins(line)
            yield QRectF(left, geometry.line_rect(number).center().y(), width - left - right, 1)


def _round(height: float) -> list[Stroke]:
    bend = min(_BEND * 2, height / 2)
    return [
        [(_WIDTH, 0), (1, bend / 2), (1, bend), (1, bend), (1, height - bend), (1, height - bend / 2), (_WIDTH, height)]
    ]


def _square(height: float) -> list[Stroke]:
    corners = [(_WIDTH, 0.0), (1.0, 0.0), (1.0, height), (_WIDTH, height)]
    return [[corners[0], *(place for corner in corners[1:] for place in (corner, corner))]]


def _curly(height: float) -> list[Stroke]:
    middle, centre = height / 2, _WIDTH / 2
    upper = [(centre, 0.0), (centre, _BEND), (centre, _BEND), (centre, middle - _BEND), (centre, middle), (0.0, middle)]
    lower = [(centre, middle), (centre, middle + _BEND), (centre, middle + _BEND), (centre, height - _BEND)]
    return [[(_WIDTH, 0.0), *upper, *lower, (centre, height), (_WIDTH, height)]]


def _bar(height: float) -> list[Stroke]:
    return [[(_WIDTH / 2, 0.0), (_WIDTH / 2, height), (_WIDTH / 2, height)]]


def _double_bar(height: float) -> list[Stroke]:
    return [[(x, 0.0), (x, height), (x, height)] for x in (1.0, _WIDTH - 1)]


_STROKES = {"(": _round, "[": _square, "{": _curly, "|": _bar, "‖": _double_bar}


def compute_fences(geometry: LineGeometry, lines: Sequence[RenderedLine]) -> Iterator[Fence]:
    for number, line in enumerate(lines):
        if line.fence:
            centre = geometry.line_rect(number).center().x()
            inside = [geometry.line_rect(cell) for cell in _cells(lines, number)]
            top, bottom = min(area.top() for area in inside), max(area.bottom() for area in inside)
            area = QRectF(centre - _WIDTH / 2, top - _BEYOND, _WIDTH, bottom - top + 2 * _BEYOND)
            yield Fence(line.fence, area)


def _cells(lines: Sequence[RenderedLine], fence: int) -> Iterator[int]:
    """Of its table, in the rows that it covers."""
    first = fence
    while lines[first - 1].kind is LineKind.CELL:
        first -= 1
    covered = range(lines[fence].row, lines[fence].row + lines[fence].rows)
    for number in range(first, len(lines)):
        if lines[number].kind is not LineKind.CELL:
            break
        if lines[number].row in covered and lines[number].rows == 1:
            yield number
