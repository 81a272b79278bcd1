"""A block of a message: its source range, its lines, and its document while near the screen."""

import math
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from itertools import groupby
from operator import attrgetter

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextCursor, QTextDocument, QTextTable

from specchat.ui.transcript.fenced_code import CODE_FOOTER_HEIGHT, CODE_HEADER_HEIGHT, FencedCode
from specchat.ui.transcript.line_geometry import LineGeometry
from specchat.ui.transcript.markdown import render_markdown, render_plain_text
from specchat.ui.transcript.markdown_parser import References
from specchat.ui.transcript.rendered_lines import LineKind, RenderedLine, TextRun
from specchat.ui.transcript.shapes import BlockShapes, compute_shapes
from specchat.ui.transcript.text_formats import CODE_MARGIN, CODE_ROW_HEIGHT, ROW_HEIGHT, TextFormats
from specchat.ui.transcript.token_marks import OriginKind, TokenMarks, origin_kind
from specchat.ui.widgets.theme import GRID

_CHARACTERS = 70
Tints = tuple[tuple[QRectF, OriginKind], ...]


class BlockKind(Enum):
    PROSE = auto()
    HEADING = auto()
    ITEM = auto()
    """An item of a list."""
    NOTE = auto()
    """The definition of a footnote."""
    CODE = auto()
    PLAIN = auto()
    """Text that is shown as it is written."""


class Block:
    """A block from `start` to `end` of the text; the end moves while the block grows."""

    def __init__(self, kind: BlockKind, start: int, end: int, number: int | None = None) -> None:
        """`number` is that of an item in a numbered list."""
        self.kind, self.start, self.end, self.number = kind, start, end, number
        self.right_to_left = False
        """Whether the list around an item without a letter runs from right to left."""
        self.height = _guessed_height(kind, end - start)
        self.exact = False
        """Whether the height is known, not guessed."""
        self.lines: tuple[RenderedLine, ...] = ()
        self.shapes = BlockShapes()
        self.geometry: LineGeometry | None = None
        self._program: FencedCode | None = None
        self._read: tuple[int, bool] | None = None
        self.document: QTextDocument | None = None
        """The document, which exists only near the screen."""
        self._shown: tuple[RenderedLine, ...] = ()
        self._tints: dict[int, Tints] = {}
        self._code: dict[int, tuple[QRectF, ...]] = {}
        self._scrolled: dict[int, float] = {}
        """How far each code card is scrolled sideways."""

    def has_same_start(self, other: "Block") -> bool:
        return (self.kind, self.start, self.number) == (other.kind, other.start, other.number)

    def update_range(self, end: int, *, right_to_left: bool) -> None:
        """Makes this the same block after it has grown."""
        if (end, right_to_left) != (self.end, self.right_to_left):
            self.end, self.right_to_left, self.exact = end, right_to_left, False

    def render_lines(self, text: str, references: References) -> tuple[RenderedLine, ...]:
        if self._read != (self.end, self.right_to_left):
            self.lines = self._render(text[self.start : self.end], references)
            self._read = (self.end, self.right_to_left)
        return self.lines

    def _render(self, source: str, references: References) -> tuple[RenderedLine, ...]:
        if self.kind is BlockKind.PLAIN:
            return render_plain_text(source, self.start)
        if self.kind is BlockKind.CODE:
            self._program = self._program or FencedCode()
            return tuple(self._program.render_lines(source, self.start))
        in_list = self.kind is BlockKind.ITEM
        return render_markdown(source, self.start, references, self.number, in_list, self.right_to_left)

    def lay_out(self, text: str, references: References, width: int, formats: TextFormats) -> None:
        lines = self.render_lines(text, references)
        if self.document is None:
            self.document, self._shown = new_document(formats), ()
            self.document.setTextWidth(width)
        if self.document.textWidth() != width and any(line.has_drawn_formula for line in lines):
            self._shown = ()  # Qt asks objects for their size only once
            self.document.setTextWidth(width)
        if lines is not self._shown:
            first = write_lines(self.document, lines, self._shown, formats)
            self._shown = lines
            self._forget_from(first)
        if self.document.textWidth() != width:
            self.document.setTextWidth(width)
            self._forget_from(0)
        self._measure(width)

    def _measure(self, width: int) -> None:
        assert self.document is not None
        self.geometry = LineGeometry(self.document, self.lines)
        self.shapes = compute_shapes(self.geometry, self.lines, width)
        foot = CODE_FOOTER_HEIGHT if self.lines[-1].kind is LineKind.CODE else 0
        self.height = self.lines[0].above + math.ceil(self.document.size().height()) + foot
        self.exact = True

    def shrink_to_text(self) -> int:
        """Makes the document no wider than its text needs, and returns that width."""
        assert self.document is not None
        width = math.ceil(self.document.idealWidth()) + 1
        self.document.setTextWidth(width)
        self._measure(width)
        return width

    def release(self) -> None:
        self.document = self.geometry = None
        self._shown = ()
        self._forget_from(0)

    def restyle(self) -> None:
        """Forgets the painted places, as the marks or the theme have changed."""
        self._forget_from(0)

    @property
    def has_document(self) -> bool:
        return self.document is not None

    @property
    def origin(self) -> QPointF:
        """Returns where the document begins within the block: Qt leaves out the space above its first line."""
        return QPointF(0, self.lines[0].above if self.lines else 0)

    def reveal_text(self, start: int, end: int) -> int:
        """Scrolls code sideways to the source from `start` to `end` and returns how far down it is shown."""
        assert self.geometry is not None
        for number, line in enumerate(self.lines):
            if shown := line.visible_range(start, end):
                for band in self.geometry.text_rects(number, *shown):
                    self._reveal(number, band)
                    return round(self.origin.y() + band.top())
        return 0

    def _reveal(self, number: int, band: QRectF) -> None:
        for index, card in enumerate(self.shapes.cards):
            if card.first <= number <= card.last:
                seen = card.area.adjusted(CODE_MARGIN, 0, -CODE_MARGIN, 0).translated(self.code_scroll(index), 0)
                before, beyond = band.left() - seen.left(), band.right() - seen.right()
                self.scroll_code(index, min(before, max(0.0, beyond)))

    def code_scroll(self, card: int) -> float:
        return min(self._scrolled.get(card, 0.0), self.shapes.cards[card].overflow)

    def keep_scroll(self, before: "Block | None") -> None:
        """Takes over how far the block that it replaces was scrolled."""
        self._scrolled = dict(before._scrolled) if before else {}

    def scroll_code(self, card: int, by: float) -> bool:
        """Scrolls a card sideways and says whether it has anything to scroll."""
        overflow = self.shapes.cards[card].overflow
        self._scrolled[card] = max(0.0, min(overflow, self.code_scroll(card) + by))
        return overflow > 0

    def card_at(self, point: QPointF) -> int | None:
        """Returns the code card at the height of a point within the block."""
        y = (point - self.origin).y()
        cards = enumerate(self.shapes.cards)
        return next((n for n, card in cards if card.area.top() <= y < card.area.bottom()), None)

    def document_point(self, point: QPointF) -> QPointF:
        """Returns the place in the document for a point within the block; a scrolled card shifts it."""
        place, number = point - self.origin, self.card_at(point)
        if number is not None:
            area = self.shapes.cards[number].area
            place.setX(max(area.left(), min(place.x(), area.right())) + self.code_scroll(number))
        return place

    def tints(self, number: int, marks: TokenMarks) -> Tints:
        """Returns what accepted guesses cover on a line."""
        if number not in self._tints:
            assert self.geometry is not None
            self._tints[number] = tuple(
                (band, whose)
                for start, end, whose in marks.guessed_ranges(self.lines[number])
                for band in self.geometry.text_rects(number, start, end, blank_ends=False)
            ) + tuple(self._formula_tints(number, marks))
        return self._tints[number]

    def _formula_tints(self, number: int, marks: TokenMarks) -> Iterator[tuple[QRectF, OriginKind]]:
        """Yields what accepted guesses cover in formulas; neighbors that came from the same are joined."""
        assert self.geometry is not None
        for run in self.lines[number].runs:
            joined, before = QRectF(), OriginKind.TARGET
            for rect, source in self.geometry.glyph_places(number, run) if run.style.formula else ():
                mark = marks.mark_at(source)
                whose = origin_kind(mark) if mark else OriginKind.TARGET
                if whose is before and _is_beside(joined, rect):
                    joined = joined.united(rect)
                    continue
                if before is not OriginKind.TARGET:
                    yield joined, before
                joined, before = rect, whose
            if before is not OriginKind.TARGET:
                yield joined, before

    def code_spans(self, number: int) -> tuple[QRectF, ...]:
        """Returns what inline code covers on a line."""
        if number not in self._code:
            self._code[number] = tuple(self._spans(number, lambda run: run.style.code))
        return self._code[number]

    def _spans(self, number: int, wanted: Callable[[TextRun], bool]) -> Iterator[QRectF]:
        assert self.geometry is not None
        for found, runs in groupby(self.lines[number].runs, wanted):
            if found:
                alike = list(runs)
                yield from self.geometry.text_rects(number, alike[0].start, alike[-1].end)

    def _forget_from(self, first: int) -> None:
        """Forgets the places on a line and on those below it, which may have moved."""
        for cache in (self._tints, self._code):
            for number in [number for number in cache if number >= first]:
                del cache[number]


def _is_beside(rect: QRectF, other: QRectF) -> bool:
    """Says whether a glyph stands right of what is before, on about the same line."""
    gap = other.left() - rect.right()
    return abs(gap) < other.height() and rect.top() < other.center().y() < rect.bottom()


def _guessed_height(kind: BlockKind, size: int) -> int:
    if kind is BlockKind.CODE:
        return CODE_HEADER_HEIGHT + CODE_FOOTER_HEIGHT + CODE_ROW_HEIGHT * (1 + size // 40)
    return ROW_HEIGHT * (1 + size // _CHARACTERS) + (GRID if kind is BlockKind.PROSE else 0)


def new_document(formats: TextFormats) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(formats.body)
    document.setDefaultTextOption(formats.text_option())
    return document


def write_lines(
    document: QTextDocument, lines: Sequence[RenderedLine], shown: Sequence[RenderedLine], formats: TextFormats
) -> int:
    """Replaces what the document shows from the first different line on, and returns that line's number."""
    first = _common(lines, shown)
    if any(line.kind is LineKind.FILLER for line in lines) or any(line.kind is LineKind.FILLER for line in shown):
        first = 0
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    if first:
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if first < len(shown):
            cursor.setPosition(document.findBlockByNumber(first).position() - 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            cursor.setBlockFormat(
                formats.block_format(lines[first - 1])
            )  # an empty block takes on that of what followed it
    else:
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
    _insert(cursor, lines, first, formats)
    cursor.endEditBlock()
    return first


def _common(lines: Sequence[RenderedLine], shown: Sequence[RenderedLine]) -> int:
    same = 0
    for line, other in zip(lines, shown, strict=False):
        if line is not other and line != other:
            break
        same += 1
    return same


def _insert(cursor: QTextCursor, lines: Sequence[RenderedLine], first: int, formats: TextFormats) -> None:
    number = first
    in_place = first == 0
    while number < len(lines):
        line = lines[number]
        if line.kind is LineKind.CELL:
            number = _insert_table(cursor, lines, number, formats)
            in_place = True
            continue
        if in_place:
            cursor.setBlockFormat(formats.block_format(line))
        else:
            cursor.insertBlock(formats.block_format(line))
        _insert_text(cursor, line, formats)
        in_place = False
        number += 1


def _insert_text(cursor: QTextCursor, line: RenderedLine, formats: TextFormats) -> None:
    for style, runs in groupby(line.runs, attrgetter("style")):
        alike = list(runs)
        if style.formula:
            _register_formulas(cursor.document())
        cursor.insertText(line.text[alike[0].start : alike[-1].end], formats.char_format(style, line))


def _register_formulas(document: QTextDocument) -> None:
    from specchat.ui.transcript.formula_object import FORMULA_OBJECT, formula_object

    document.documentLayout().registerHandler(FORMULA_OBJECT, formula_object())


def _insert_table(cursor: QTextCursor, lines: Sequence[RenderedLine], first: int, formats: TextFormats) -> int:
    """Inserts a table and returns the number of the line after it, which fills the block that Qt puts there."""
    end = next(n for n in range(first, len(lines)) if lines[n].kind is not LineKind.CELL)
    cells = lines[first:end]
    height, width = (cells[-1].row + 1, max(line.column for line in cells) + 1)
    table: QTextTable = cursor.insertTable(height, width, formats.table_format(cells[0]))
    for line in cells:
        place = table.cellAt(line.row, width - 1 - line.column if line.mirrored else line.column)
        cell = place.firstCursorPosition()
        cell.setBlockFormat(formats.block_format(line))
        _insert_text(cell, line, formats)
    cursor.setPosition(table.lastPosition() + 1)
    return end
