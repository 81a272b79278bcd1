"""The geometry of the lines in a laid-out document."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextCursor, QTextDocument, QTextLine

from specchat.ui.transcript.rendered_lines import OBJECT, LineKind, RenderedLine, TextRun, block_numbers
from specchat.ui.transcript.text_formats import CODE_MARGIN, margins
from specchat.ui.widgets.text_direction import has_right_to_left

LineCaret = tuple[int, int]
"""Line and offset."""
_FEW = 24
_LINE_END = 6
_SAME_PLACE = 0.5


@dataclass(frozen=True, slots=True)
class _Visuals:
    """The lines that a paragraph takes on the screen."""

    lines: list[QTextLine]
    starts: list[int]
    """The starts of the lines, and the end of the last one."""
    origin: QPointF
    mixed: bool
    """Whether something of it runs from right to left."""
    drawn: list[int]
    """Where formulas are drawn."""


class LineGeometry:
    def __init__(self, document: QTextDocument, lines: Sequence[RenderedLine]) -> None:
        self._document = document
        self._layout = document.documentLayout()
        self._lines = lines
        self._numbers = block_numbers(lines)
        """The numbers of the document's blocks; the same list leads back."""
        self._known: dict[int, _Visuals] = {}
        self._tabular = any(line.kind is LineKind.FILLER for line in lines)

    def line_rect(self, number: int) -> QRectF:
        """Returns the area of a line with the space above it that Qt forgets for minimal line heights."""
        block = self._block(number)
        area = self._layout.blockBoundingRect(block)
        area.setHeight(block.layout().boundingRect().bottom())
        return area

    def baseline(self, number: int) -> float:
        """Returns the baseline of the first visual line."""
        block = self._block(number)
        first = block.layout().lineAt(0)
        return self._layout.blockBoundingRect(block).top() + first.y() + first.ascent()

    def text_right(self, first: int, last: int) -> float:
        """Returns where the longest of the lines from `first` to `last` ends."""
        if self._document.idealWidth() <= self._document.textWidth():
            return 0.0
        if first == 0 and last == len(self._lines) - 1:  # most code: no line is asked while it grows
            return self._document.idealWidth() - CODE_MARGIN
        return max(self._block(number).layout().boundingRect().right() for number in range(first, last + 1))

    def visible_lines(self, top: float, bottom: float) -> range:
        if self._tabular or len(self._lines) < _FEW:
            return range(len(self._lines))
        numbers = range(len(self._lines))
        first = bisect_left(numbers, top, key=lambda n: self.line_rect(n).bottom())
        last = bisect_right(numbers, bottom, key=lambda n: self.line_rect(n).top())
        return range(first, last)

    def text_rects(self, number: int, start: int, end: int, *, blank_ends: bool = True) -> Iterator[QRectF]:
        """What the text from `start` to `end` covers, on each visual line with the blanks at its end.

        Where letters run from right to left, it may cover several places of one line.
        """
        line, visuals = self._lines[number], self._visuals(number)
        start, end = line.to_utf16(start), line.to_utf16(end)
        for index in range(max(0, bisect_right(visuals.starts, start) - 1), len(visuals.lines)):
            visual, low = visuals.lines[index], max(start, visuals.starts[index])
            if low >= end:
                break
            high = min(end, visuals.starts[index + 1])
            if low < high:
                if visuals.mixed:
                    drawn = [at for at in visuals.drawn if low <= at < high]
                    bands = [*_mixed_bands(visual, low, high, drawn), *(_band(visual, at, at + 1) for at in drawn)]
                    yield from (band.translated(visuals.origin) for band in bands)
                    continue
                band = _band(visual, low, high)
                if visuals.drawn and not any(low <= at < high for at in visuals.drawn):
                    band = self._around_text(band, visual, line)
                end_of_text = visual.naturalTextRect().right()
                if not blank_ends and band.right() > end_of_text:
                    if band.left() >= end_of_text:
                        continue
                    band.setRight(end_of_text)
                yield band.translated(visuals.origin)

    def _visuals(self, number: int) -> "_Visuals":
        if number not in self._known:
            block = self._block(number)
            layout = block.layout()
            lines = [layout.lineAt(index) for index in range(layout.lineCount())]
            starts = [*(visual.textStart() for visual in lines), block.length()]
            origin = self._layout.blockBoundingRect(block).topLeft()
            line = self._lines[number]
            mixed = line.right_to_left or has_right_to_left(line.text)
            drawn = [line.to_utf16(at) for at, sign in enumerate(line.text) if sign == OBJECT]
            self._known[number] = _Visuals(lines, starts, origin, mixed, drawn)
        return self._known[number]

    def _around_text(self, band: QRectF, visual: QTextLine, line: RenderedLine) -> QRectF:
        """Returns a band no higher than text, beside a formula that makes the line higher."""
        if line.kind is LineKind.HEADING:
            return band
        font, baseline = QFontMetricsF(self._document.defaultFont()), visual.y() + visual.ascent()
        text = QRectF(band.left(), baseline - font.ascent(), band.width(), font.height())
        return band.intersected(text)

    def glyph_places(self, number: int, run: TextRun) -> Iterator[tuple[QRectF, int]]:
        """Yields what the glyphs of a formula that is drawn cover, and where each stands in the source."""
        formula, visuals = run.style.formula, self._visuals(number)
        at = self._lines[number].to_utf16(run.start)
        visual = visuals.lines[max(0, bisect_right(visuals.starts, at) - 1)]
        band = next(self.text_rects(number, run.start, run.end), None)
        if not formula or not run.inside or band is None or not formula.width:
            return
        scale = band.width() / formula.width
        origin = QPointF(band.left(), visuals.origin.y() + visual.y() + visual.ascent())
        for glyph in formula.glyphs:
            rect = glyph.rect
            place = QRectF(rect.x() * scale, rect.y() * scale, rect.width() * scale, rect.height() * scale)
            yield place.translated(origin), run.inside.source_at(glyph.start)

    def source_at(self, point: QPointF) -> int | None:
        """Returns where in the source stands what is shown at a point; of a formula the nearest glyph counts."""
        found = self.character_at(point)
        run = self._lines[found[0]].run_at(found[1]) if found else None
        if not found or not run:
            return None
        places = self.glyph_places(found[0], run) if run.style.formula else ()
        nearest = min(places, key=lambda place: _distance(place[0], point), default=None)
        return nearest[1] if nearest else run.source_at(found[1])

    def selection_rects(self, first: LineCaret, last: LineCaret, numbers: range) -> Iterator[QRectF]:
        """Yields what the selection covers on the lines with these numbers."""
        for number in range(max(first[0], numbers.start), min(last[0] + 1, numbers.stop)):
            if first[0] < number < last[0]:
                yield from self._full_line_rects(number)
            else:
                start = first[1] if number == first[0] else 0
                end = last[1] if number == last[0] else len(self._lines[number].text)
                yield from self.text_rects(number, start, end)

    def _full_line_rects(self, number: int) -> Iterator[QRectF]:
        """Yields what a whole line covers, with something to see where it is empty or ends."""
        bands = list(self.text_rects(number, 0, len(self._lines[number].text)))
        if not bands:
            rect = self.line_rect(number)
            left, right = margins(self._lines[number])
            start = rect.right() - right if self._lines[number].right_to_left else rect.left() + left
            bands = [QRectF(start, rect.top(), 0, rect.height())]
        beyond = (-_LINE_END, 0, 0, 0) if self._lines[number].right_to_left else (0, 0, _LINE_END, 0)
        yield from (*bands[:-1], bands[-1].adjusted(*beyond))

    def caret_at(self, point: QPointF) -> LineCaret:
        """Returns the nearest place between characters."""
        return self._caret(self._layout.hitTest(point, Qt.HitTestAccuracy.FuzzyHit))

    def character_at(self, point: QPointF) -> LineCaret | None:
        """Returns the character under a point."""
        position = self._layout.hitTest(point, Qt.HitTestAccuracy.ExactHit)
        if position < 0:
            return None
        number, offset = self._caret(position)
        for at in (offset, offset - 1):
            if at >= 0 and any(band.contains(point) for band in self.text_rects(number, at, at + 1)):
                return number, at
        return None

    def word_at(self, caret: LineCaret) -> tuple[LineCaret, LineCaret]:
        line = self._lines[caret[0]]
        if formula := _formula_at(line, caret[1]):
            return (caret[0], formula[0]), (caret[0], formula[1])
        cursor = QTextCursor(self._document)
        cursor.setPosition(self._block(caret[0]).position() + line.to_utf16(caret[1]))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return self._caret(cursor.selectionStart()), self._caret(cursor.selectionEnd())

    def _caret(self, position: int) -> LineCaret:
        block = self._document.findBlock(max(0, position))
        number = self._numbers[min(block.blockNumber(), len(self._lines) - 1)]
        return number, self._lines[number].from_utf16(position - block.position())

    def _block(self, number: int) -> QTextBlock:
        return self._document.findBlockByNumber(self._numbers[number])


def _band(visual: QTextLine, low: int, high: int) -> QRectF:
    left, right = sorted((_x(visual, low), _x(visual, high)))
    return QRectF(left, visual.y(), right - left, visual.height())


def _formula_at(line: RenderedLine, offset: int) -> tuple[int, int] | None:
    """Returns where a formula is drawn before or behind a place."""
    for run in filter(None, (line.run_at(offset), line.run_at(offset - 1) if offset else None)):
        if run.style.formula:
            parts = [part for part in line.runs if part.formula == run.formula]
            return parts[0].start, parts[-1].end
    return None


def _distance(rect: QRectF, point: QPointF) -> float:
    beside = max(rect.left() - point.x(), 0.0, point.x() - rect.right())
    return beside + max(rect.top() - point.y(), 0.0, point.y() - rect.bottom())


def _mixed_bands(visual: QTextLine, low: int, high: int, drawn: Sequence[int]) -> list[QRectF]:
    """Returns what glyphs cover: where the direction changes, Qt tells only one of a place's two edges."""
    glyphs = (run.boundingRect() for run in visual.glyphRuns(low, high - low))
    bands: list[QRectF] = []
    for rect in sorted(glyphs, key=QRectF.left):
        if bands and rect.left() <= bands[-1].right() + _SAME_PLACE:
            bands[-1].setRight(max(bands[-1].right(), rect.right()))
        else:
            bands.append(QRectF(rect.left(), visual.y(), rect.width(), visual.height()))
    return bands or ([] if drawn else [_band(visual, low, high)])


def _x(visual: QTextLine, position: int) -> float:
    found: tuple[float, int] = visual.cursorToX(position)  # type: ignore[assignment]
    return found[0]
