"""Where the lines of a laid out document are."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextLine

from specchat.ui.transcript.lines import Kind, Line

Caret = tuple[int, int]
"""Line and offset."""
_FEW = 24


@dataclass(frozen=True, slots=True)
class _Visuals:
    """The lines that a paragraph takes on the screen."""

    lines: list[QTextLine]
    starts: list[int]
    """One more than there are lines."""
    origin: QPointF


class Geometry:
    def __init__(self, document: QTextDocument, lines: Sequence[Line]) -> None:
        self._document = document
        self._layout = document.documentLayout()
        self._lines = lines
        self._known: dict[int, _Visuals] = {}
        self._tabular = any(line.kind is Kind.FILLER for line in lines)

    def rect(self, number: int) -> QRectF:
        """Qt forgets the space that a minimal line height adds above the first line."""
        block = self._block(number)
        area = self._layout.blockBoundingRect(block)
        area.setHeight(block.layout().boundingRect().bottom())
        return area

    def baseline(self, number: int) -> float:
        """Of the first visual line."""
        block = self._block(number)
        first = block.layout().lineAt(0)
        return self._layout.blockBoundingRect(block).top() + first.y() + first.ascent()

    def visible(self, top: float, bottom: float) -> range:
        if self._tabular or len(self._lines) < _FEW:
            return range(len(self._lines))
        numbers = range(len(self._lines))
        first = bisect_left(numbers, top, key=lambda n: self.rect(n).bottom())
        last = bisect_right(numbers, bottom, key=lambda n: self.rect(n).top())
        return range(first, last)

    def bands(self, number: int, start: int, end: int) -> Iterator[QRectF]:
        """What the text from `start` to `end` covers, one rectangle on each visual line."""
        line, visuals = self._lines[number], self._visuals(number)
        start, end = line.to_qt(start), line.to_qt(end)
        for index in range(max(0, bisect_right(visuals.starts, start) - 1), len(visuals.lines)):
            visual, low = visuals.lines[index], max(start, visuals.starts[index])
            if low >= end:
                break
            high = min(end, visuals.starts[index + 1])
            if low < high:
                yield _band(visual, low, high).translated(visuals.origin)

    def _visuals(self, number: int) -> "_Visuals":
        if number not in self._known:
            block = self._block(number)
            layout = block.layout()
            lines = [layout.lineAt(index) for index in range(layout.lineCount())]
            starts = [*(visual.textStart() for visual in lines), block.length()]
            self._known[number] = _Visuals(lines, starts, self._layout.blockBoundingRect(block).topLeft())
        return self._known[number]

    def full_bands(self, number: int) -> Iterator[QRectF]:
        """Like `bands` for the whole line, with something to see where the line is empty or ends."""
        bands = list(self.bands(number, 0, len(self._lines[number].text)))
        if not bands:
            rect = self.rect(number)
            left = self._block(number).blockFormat().leftMargin()
            bands = [QRectF(rect.left() + left, rect.top(), 0, rect.height())]
        bands[-1].setWidth(bands[-1].width() + 6)
        yield from bands

    def caret(self, point: QPointF) -> Caret:
        """The place between characters that is nearest."""
        return self._caret(self._layout.hitTest(point, Qt.HitTestAccuracy.FuzzyHit))

    def character(self, point: QPointF) -> Caret | None:
        """The character under the point."""
        position = self._layout.hitTest(point, Qt.HitTestAccuracy.ExactHit)
        if position < 0:
            return None
        number, offset = self._caret(position)
        for at in (offset, offset - 1):
            if at >= 0 and any(band.contains(point) for band in self.bands(number, at, at + 1)):
                return number, at
        return None

    def word(self, caret: Caret) -> tuple[Caret, Caret]:
        line = self._lines[caret[0]]
        cursor = QTextCursor(self._document)
        cursor.setPosition(self._block(caret[0]).position() + line.to_qt(caret[1]))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return self._caret(cursor.selectionStart()), self._caret(cursor.selectionEnd())

    def _caret(self, position: int) -> Caret:
        block = self._document.findBlock(max(0, position))
        number = min(block.blockNumber(), len(self._lines) - 1)
        return number, self._lines[number].from_qt(position - block.position())

    def _block(self, number: int) -> QTextBlock:
        return self._document.findBlockByNumber(number)


def _band(visual: QTextLine, low: int, high: int) -> QRectF:
    left, right = sorted((_x(visual, low), _x(visual, high)))
    return QRectF(left, visual.y(), right - left, visual.height())


def _x(visual: QTextLine, position: int) -> float:
    found: tuple[float, int] = visual.cursorToX(position)  # type: ignore[assignment]
    return found[0]
