"""Brackets around matrices, stretched to the height of the rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from specchat.ui.transcript.line_geometry import LineGeometry
from specchat.ui.transcript.rendered_lines import LineKind, RenderedLine

_WIDTH = 6.0
_BEYOND = 2.0
_BEND = 5.0
_MIRRORED = {")": "(", "]": "[", "}": "{"}


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


Stroke = Sequence[tuple[float, float]]
"""Where it begins; then a point that it bends towards and one that it goes to, in turn."""


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


def _bars(height: float) -> list[Stroke]:
    return [[(x, 0.0), (x, height), (x, height)] for x in (1.0, _WIDTH - 1)]


_STROKES = {"(": _round, "[": _square, "{": _curly, "|": _bar, "‖": _bars}


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
