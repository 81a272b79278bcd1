"""Paints one message: its blocks with tints, matches and selection, its folds and attachments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAbstractTextDocumentLayout, QColor, QPainter, QPen

from specchat.ui.transcript.block import Block
from specchat.ui.transcript.chips import paint_chip
from specchat.ui.transcript.fenced_code import CODE_HEADER_HEIGHT
from specchat.ui.transcript.footer import paint_footer
from specchat.ui.transcript.line_geometry import LineGeometry
from specchat.ui.transcript.message_row import FOLD_HEIGHT, TOP_MARGIN, Fold, MessageRow, PlacedItem
from specchat.ui.transcript.rendered_lines import OriginKind, TokenMarks
from specchat.ui.transcript.shapes import BAR_WIDTH, CodeCard, ListMarker
from specchat.ui.transcript.text_formats import CODE_MARGIN, ROW_HEIGHT, TINT, TextFormats
from specchat.ui.widgets.icons import ICON_SIZE, draw_icon
from specchat.ui.widgets.theme import GRID, RADIUS

_CHEVRON = 2 * GRID
_INSET = GRID // 2
"""The icon is empty at its left."""
_RING_MARGIN = GRID
_SELECTED = 0.2
_SMALL = 16
_FENCE = 1.2


LineCaret = tuple[int, int]


MessageCaret = tuple[int, int, int]
"""Item of the message, line, offset."""


@dataclass(frozen=True, slots=True)
class TranscriptLabels:
    thinking: str
    thought: str
    thought_seconds: str
    thought_minutes: str
    waiting: str

    def reasoning_label(self, seconds: float | None, *, going_on: bool) -> str:
        if going_on:
            return self.thinking
        if seconds is None:
            return self.thought
        whole = max(1, round(seconds))
        if whole < 60:
            return self.thought_seconds.format(s=whole)
        return self.thought_minutes.format(m=whole // 60, s=whole % 60)


@dataclass(frozen=True, slots=True)
class MatchRange:
    start: int
    end: int
    current: bool


@dataclass(frozen=True, slots=True)
class CodeBlockRef:
    """A code block: the item it is in, and its number there."""

    index: int
    card: int


@dataclass(frozen=True, slots=True)
class RowPaintState:
    text_formats: TextFormats
    labels: TranscriptLabels
    colouring: bool = False
    ring: bool = False
    """Reached with the keyboard."""
    switcher: bool = True
    """The versions are drawn, not shown by the action bar."""
    foot_room: int = 0
    """Width that the footer leaves free."""
    finds: Sequence[MatchRange] = ()
    found_files: Mapping[int, bool] = field(default_factory=dict)
    """By their numbers, whether what is found there is the current match."""
    selection: tuple[MessageCaret, MessageCaret] | None = None
    hovered_code_block: CodeBlockRef | None = None
    """Under the mouse."""
    copied_code_block: CodeBlockRef | None = None


@dataclass(frozen=True, slots=True)
class BlockPaintState:
    text_formats: TextFormats
    muted: bool = False
    marks: TokenMarks | None = None
    """Where accepted guesses are to be seen."""
    finds: Iterable[MatchRange] = ()
    selection: tuple[LineCaret, LineCaret] | None = None
    hovered_code_block: int = -1
    copied_code_block: int = -1


def paint_row(painter: QPainter, row: MessageRow, clip: QRectF, look: RowPaintState) -> None:
    theme = look.text_formats.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if look.ring:
        painter.setPen(QPen(theme.accent, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        area = QRectF(-_RING_MARGIN, 1, row.width + 2 * _RING_MARGIN, row.height - 2)
        painter.drawRoundedRect(area, RADIUS, RADIUS)
    if row.is_from_user:
        _paint_mine(painter, row, look)
    for index, placed in row.body.items_between(clip.top() - row.body_top, clip.bottom() - row.body_top):
        area = QRectF(row.item_origin(placed), QPointF(row.width, row.body_top + placed.bottom))
        painter.translate(area.topLeft())
        _paint_item(painter, row, index, placed, clip.translated(-area.topLeft()), look)
        painter.translate(-area.topLeft())
    if not row.is_from_user and not row.body.items:
        painter.setFont(look.text_formats.body)
        painter.setPen(theme.text_muted)
        painter.drawText(
            QRectF(0, row.body_top, row.width, ROW_HEIGHT), Qt.AlignmentFlag.AlignVCenter, look.labels.waiting
        )
    paint_footer(painter, row, look.foot_room, look.text_formats, switcher=look.switcher)


def _paint_mine(painter: QPainter, row: MessageRow, look: RowPaintState) -> None:
    if row.chips:
        painter.translate(0, TOP_MARGIN)
        for number, chip in enumerate(row.chips):
            paint_chip(painter, chip, look.text_formats, look.found_files.get(number))
        painter.translate(0, -TOP_MARGIN)
    if row.text:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.text_formats.theme.sunken)
        painter.drawRoundedRect(row.bubble_rect(), 1.5 * RADIUS, 1.5 * RADIUS)


def _paint_item(
    painter: QPainter, row: MessageRow, index: int, placed: PlacedItem, clip: QRectF, look: RowPaintState
) -> None:
    if isinstance(placed.item, Fold):
        _paint_fold(painter, row, placed.item, look)
        return
    if placed.muted:
        following = row.body.items[index + 1 : index + 2]
        joined = any(other.muted and isinstance(other.item, Block) for other in following)
        bottom = following[0].top if joined else placed.bottom
        painter.fillRect(QRectF(-2 * GRID, 0, BAR_WIDTH, bottom - placed.top), look.text_formats.theme.line)
    paint_block(painter, placed.item, clip, _block_look(row, index, placed, placed.item, look))


def _block_look(row: MessageRow, index: int, placed: PlacedItem, block: Block, look: RowPaintState) -> BlockPaintState:
    return BlockPaintState(
        look.text_formats,
        placed.muted,
        row.marks if look.colouring and not row.is_from_user else None,
        look.finds,
        _within(look.selection, index, block),
        _card(look.hovered_code_block, index),
        _card(look.copied_code_block, index),
    )


def _card(spot: CodeBlockRef | None, index: int) -> int:
    return spot.card if spot and spot.index == index else -1


def _within(
    selection: tuple[MessageCaret, MessageCaret] | None, index: int, block: Block
) -> tuple[LineCaret, LineCaret] | None:
    if selection is None or not selection[0][0] <= index <= selection[1][0]:
        return None
    (first, *start), (last, *end) = selection
    last_line = len(block.lines) - 1
    return (
        (start[0], start[1]) if first == index else (0, 0),
        (end[0], end[1]) if last == index else (last_line, len(block.lines[last_line].text)),
    )


def _paint_fold(painter: QPainter, row: MessageRow, fold: Fold, look: RowPaintState) -> None:
    colour = look.text_formats.theme.text_muted
    chevron = QRectF(-_INSET, (FOLD_HEIGHT - _CHEVRON) / 2, _CHEVRON, _CHEVRON)
    draw_icon(painter, "chevron-down" if fold.open else "chevron-right", colour, chevron)
    seconds = row.details.thought_s if row.details else None
    painter.setFont(look.text_formats.small)
    painter.setPen(colour)
    area = QRectF(_CHEVRON, 0, row.width, FOLD_HEIGHT)
    painter.drawText(
        area, Qt.AlignmentFlag.AlignVCenter, look.labels.reasoning_label(seconds, going_on=fold.is_streaming)
    )


def paint_block(painter: QPainter, block: Block, clip: QRectF, look: BlockPaintState) -> None:
    if block.geometry is None or block.document is None:
        return
    origin = block.origin
    painter.translate(origin)
    clip = clip.translated(-origin)
    numbers = block.geometry.visible_lines(clip.top(), clip.bottom())
    _paint_shapes(painter, block, look)
    _paint_inline_code(painter, block, numbers, look.text_formats)
    _paint_boxes(painter, block, numbers, look.text_formats)
    if look.marks:
        _paint_tints(painter, block, numbers, look.marks, look.text_formats)
    for find, band in _found(block, numbers, look.finds):
        _paint_find(painter, band, look.text_formats, current=find.current)
    if look.selection:
        for band in _selected(block.geometry, block, numbers, look.selection):
            _fill(painter, band, look.text_formats.theme.accent, _SELECTED)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette = look.text_formats.palette(muted=look.muted)
    context.clip = clip
    block.document.documentLayout().draw(painter, context)
    painter.translate(-origin)


def _fill(painter: QPainter, band: QRectF, colour: QColor, share: float) -> None:
    tint = QColor(colour)
    tint.setAlphaF(share)
    painter.fillRect(band, tint)


def _paint_find(painter: QPainter, band: QRectF, formats: TextFormats, *, current: bool) -> None:
    painter.fillRect(band, formats.match_colour(current=current))
    if current:
        painter.setPen(formats.theme.warning)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(band.adjusted(-0.5, -0.5, 0.5, 0.5))


def _paint_shapes(painter: QPainter, block: Block, look: BlockPaintState) -> None:
    theme = look.text_formats.theme
    for number, card in enumerate(block.shapes.cards):
        _paint_card(painter, card, look, hot=number == look.hovered_code_block, copied=number == look.copied_code_block)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.line)
    for bar in block.shapes.bars:
        painter.drawRoundedRect(bar, 1.5, 1.5)
    for rule in block.shapes.rules:
        painter.fillRect(rule, theme.line)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.text_muted if look.muted else theme.text, _FENCE))
    for fence in block.shapes.fences:
        painter.drawPath(fence.path())
    painter.setFont(look.text_formats.body)
    painter.setPen(theme.text_muted)
    for marker in block.shapes.markers:
        _paint_marker(painter, marker)


def _paint_marker(painter: QPainter, marker: ListMarker) -> None:
    if marker.right_to_left:
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(marker.end, marker.text)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    else:
        width = painter.fontMetrics().horizontalAdvance(marker.text)
        painter.drawText(marker.end - QPointF(width, 0), marker.text)


def _paint_card(painter: QPainter, card: CodeCard, look: BlockPaintState, *, hot: bool, copied: bool) -> None:
    theme = look.text_formats.theme
    painter.setPen(theme.line)
    painter.setBrush(theme.sunken)
    painter.drawRoundedRect(card.area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    head = QRectF(card.area.topLeft(), card.area.topRight() + QPointF(0, CODE_HEADER_HEIGHT))
    painter.setFont(look.text_formats.small)
    painter.setPen(theme.text_muted)
    room = head.adjusted(CODE_MARGIN, 0, -CODE_MARGIN - ICON_SIZE - GRID, 0)
    label = painter.fontMetrics().elidedText(card.language, Qt.TextElideMode.ElideRight, int(room.width()))
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, label)
    button = card.copy_button_rect
    if hot:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.selected)
        painter.drawRoundedRect(button, RADIUS / 2, RADIUS / 2)
    inset = (button.width() - _SMALL) / 2
    colour = theme.accepted if copied else theme.text_muted
    draw_icon(painter, "check" if copied else "copy", colour, button.adjusted(inset, inset, -inset, -inset))


def _paint_inline_code(painter: QPainter, block: Block, numbers: range, formats: TextFormats) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(formats.theme.hover)
    for number in numbers:
        for span in block.code_spans(number):
            painter.drawRoundedRect(span.adjusted(-2, 0, 2, 1), 3, 3)


def _paint_boxes(painter: QPainter, block: Block, numbers: range, formats: TextFormats) -> None:
    painter.setPen(formats.theme.text_muted)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for number in numbers:
        for span in block.boxes(number):
            painter.drawRoundedRect(span.adjusted(-3.5, 0.5, 3.5, 1.5), 3, 3)


def _paint_tints(painter: QPainter, block: Block, numbers: range, marks: TokenMarks, formats: TextFormats) -> None:
    for number in numbers:
        for band, whose in block.tints(number, marks):
            paint_guess_highlight(painter, band, whose, formats)


def paint_guess_highlight(painter: QPainter, band: QRectF, whose: OriginKind, formats: TextFormats) -> None:
    """A hue for those who see it, and a line for everyone: solid for the draft, dots for other drafters."""
    colour = formats.theme.accepted if whose is OriginKind.DRAFT else formats.theme.ngram
    _fill(painter, band, colour, TINT)
    if whose is OriginKind.DRAFT:
        painter.fillRect(QRectF(band.left(), band.bottom(), band.width(), 1.5), colour)
    else:
        pen = QPen(colour, 2)
        pen.setDashPattern([1, 1.5])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLine(band.bottomLeft() + QPointF(0, 1), band.bottomRight() + QPointF(0, 1))


def _found(block: Block, numbers: range, finds: Iterable[MatchRange]) -> Iterator[tuple[MatchRange, QRectF]]:
    assert block.geometry is not None
    inside = [find for find in finds if find.start < block.end and find.end > block.start]
    for number in numbers if inside else ():
        for find in inside:
            if shown := block.lines[number].visible_range(find.start, find.end):
                for band in block.geometry.text_rects(number, *shown):
                    yield find, band


def _selected(
    geometry: LineGeometry, block: Block, numbers: range, selection: tuple[LineCaret, LineCaret]
) -> Iterator[QRectF]:
    first, last = selection
    for number in numbers:
        if first[0] <= number <= last[0]:
            if first[0] < number < last[0]:
                yield from geometry.full_line_rects(number)
            else:
                start = first[1] if number == first[0] else 0
                end = last[1] if number == last[0] else len(block.lines[number].text)
                yield from geometry.text_rects(number, start, end)
