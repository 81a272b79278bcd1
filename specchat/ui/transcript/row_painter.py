"""Paints one message: its blocks with tints, matches and selection, its folds and attachments."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAbstractTextDocumentLayout, QColor, QImage, QPainter, QPen

from specchat.domain.pictures import Picture
from specchat.ui.pictures.thumbnails import paint_thumbnail
from specchat.ui.transcript.block import Block
from specchat.ui.transcript.chips import paint_chip
from specchat.ui.transcript.finder import MatchRange
from specchat.ui.transcript.footer import paint_footer
from specchat.ui.transcript.line_geometry import LineCaret
from specchat.ui.transcript.message_row import FOLD_HEIGHT, TOP_MARGIN, Fold, MessageRow, PlacedItem
from specchat.ui.transcript.row_contents import CodeBlockRef
from specchat.ui.transcript.selection import CaretRange, block_part
from specchat.ui.transcript.shapes import (
    BAR_WIDTH,
    CodeCard,
    paint_card,
    paint_copy_button,
    paint_fades,
    paint_scroll_bar,
    paint_shapes,
)
from specchat.ui.transcript.text_formats import ROW_HEIGHT, TINT, TextFormats
from specchat.ui.transcript.token_marks import OriginKind, TokenMarks
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import GRID, RADIUS

_CHEVRON = 2 * GRID
_INSET = GRID // 2
"""The width that is empty at the icon's left."""
_RING_MARGIN = GRID
_SELECTED = 0.2
_UNDERLINE = 2
"""The distance from a text to the bottom of its underline."""


@dataclass(frozen=True, slots=True)
class TranscriptLabels:
    thinking: str
    thought: str
    thought_seconds: str
    thought_minutes: str
    waiting: str
    empty: str
    """In place of an answer without text."""

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
class RowPaintState:
    text_formats: TextFormats
    labels: TranscriptLabels
    colouring: bool = False
    ring: bool = False
    """Whether the keyboard has focused the message."""
    switcher: bool = True
    """Whether the versions are drawn, as the action bar does not show them."""
    foot_room: int = 0
    """The width that the footer leaves free."""
    foot_inset: int = 0
    """The part of it at the left."""
    finds: Sequence[MatchRange] = ()
    found_files: Mapping[int, bool] = field(default_factory=dict)
    """The matching files by number, and whether each is the current match."""
    selection: CaretRange | None = None
    hovered_code_block: CodeBlockRef | None = None
    """The code block under the mouse."""
    on_copy_button: bool = False
    """Whether the mouse is on its copy button."""
    copied_code_block: CodeBlockRef | None = None
    thumbnail: Callable[[Picture], QImage | None] = lambda _: None


@dataclass(frozen=True, slots=True)
class BlockPaintState:
    text_formats: TextFormats
    muted: bool = False
    marks: TokenMarks | None = None
    """The marks by which accepted guesses are tinted."""
    finds: Iterable[MatchRange] = ()
    selection: tuple[LineCaret, LineCaret] | None = None
    hovered_code_block: int = -1
    copied_code_block: int = -1
    on_copy_button: bool = False
    scroll_bars: bool = False


def paint_row(painter: QPainter, row: MessageRow, clip: QRectF, state: RowPaintState) -> None:
    theme = state.text_formats.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if state.ring:
        painter.setPen(QPen(theme.accent, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        area = QRectF(-_RING_MARGIN, 1, row.width + 2 * _RING_MARGIN, row.height - 2)
        painter.drawRoundedRect(area, RADIUS, RADIUS)
    if row.is_from_user:
        _paint_mine(painter, row, clip, state)
    for index, placed in row.body.items_between(clip.top() - row.body_top, clip.bottom() - row.body_top):
        area = QRectF(row.item_origin(placed), QPointF(row.width, row.body_top + placed.bottom))
        painter.translate(area.topLeft())
        _paint_item(painter, row, index, placed, clip.translated(-area.topLeft()), state)
        painter.translate(-area.topLeft())
    if not row.is_from_user and not row.body.items:
        painter.setFont(state.text_formats.body)
        painter.setPen(theme.text_muted)
        area = QRectF(0, row.body_top, row.width, ROW_HEIGHT)
        words = state.labels.empty if row.is_empty else state.labels.waiting
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, words)
    paint_footer(*(painter, row, state.foot_room, state.text_formats), inset=state.foot_inset, switcher=state.switcher)


def _paint_mine(painter: QPainter, row: MessageRow, clip: QRectF, state: RowPaintState) -> None:
    for placed in row.pictures:
        area = placed.area.translated(0, TOP_MARGIN)
        if area.intersects(clip):
            paint_thumbnail(painter, state.thumbnail(placed.picture), area, state.text_formats.theme)
    if row.chips:
        painter.translate(0, row.chips_top)
        for number, chip in enumerate(row.chips):
            paint_chip(painter, chip, state.text_formats, state.found_files.get(number))
        painter.translate(0, -row.chips_top)
    if row.text:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(state.text_formats.theme.sunken)
        painter.drawRoundedRect(row.bubble_rect(), 1.5 * RADIUS, 1.5 * RADIUS)


def _paint_item(
    painter: QPainter, row: MessageRow, index: int, placed: PlacedItem, clip: QRectF, state: RowPaintState
) -> None:
    if isinstance(placed.item, Fold):
        _paint_fold(painter, row, placed.item, state)
        return
    if placed.muted:
        following = row.body.items[index + 1 : index + 2]
        joined = any(other.muted and isinstance(other.item, Block) for other in following)
        bottom = following[0].top if joined else placed.bottom
        painter.fillRect(QRectF(-2 * GRID, 0, BAR_WIDTH, bottom - placed.top), state.text_formats.theme.line)
    _paint_block(painter, placed.item, clip, _block_state(row, index, placed, placed.item, state))


def _block_state(
    row: MessageRow, index: int, placed: PlacedItem, block: Block, state: RowPaintState
) -> BlockPaintState:
    return BlockPaintState(
        state.text_formats,
        placed.muted,
        row.marks if state.colouring and not row.is_from_user else None,
        state.finds,
        block_part(state.selection, index, block) if state.selection else None,
        _card(state.hovered_code_block, index),
        _card(state.copied_code_block, index),
        state.on_copy_button,
        state.ring,
    )


def _card(spot: CodeBlockRef | None, index: int) -> int:
    return spot.card if spot and spot.index == index else -1


def _paint_fold(painter: QPainter, row: MessageRow, fold: Fold, state: RowPaintState) -> None:
    colour = state.text_formats.theme.text_muted
    chevron = QRectF(-_INSET, (FOLD_HEIGHT - _CHEVRON) / 2, _CHEVRON, _CHEVRON)
    draw_icon(painter, "chevron-down" if fold.open else "chevron-right", colour, chevron)
    seconds = row.details.thought_s if row.details else None
    painter.setFont(state.text_formats.small)
    painter.setPen(colour)
    area = QRectF(_CHEVRON, 0, row.width, FOLD_HEIGHT)
    label = row.entry.title or state.labels.reasoning_label(seconds, going_on=fold.is_streaming)
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, label)


def _paint_block(painter: QPainter, block: Block, clip: QRectF, state: BlockPaintState) -> None:
    if block.geometry is None or block.document is None:
        return
    origin = block.origin
    painter.translate(origin)
    clip = clip.translated(-origin)
    for card in block.shapes.cards:
        paint_card(painter, card, state.text_formats)
    paint_shapes(painter, block.shapes, state.text_formats)
    if any(card.overflow for card in block.shapes.cards):
        _paint_stripes(painter, block, clip, state)
    else:
        _paint_text(painter, block, clip, state)
    for number, card in enumerate(block.shapes.cards):
        if card.overflow:
            paint_fades(painter, card, block.code_scroll(number), state.text_formats, clip)
        _paint_controls(painter, block, number, card, state)
    painter.translate(-origin)


def _paint_stripes(painter: QPainter, block: Block, clip: QRectF, state: BlockPaintState) -> None:
    """Paints each code card as it is scrolled, and what is between the cards where it stands."""
    top = clip.top()
    for number, card in enumerate(block.shapes.cards):
        between = QRectF(clip.left(), top, clip.width(), card.area.top() - top)
        _paint_clipped(painter, block, between.intersected(clip), 0, state)
        inside = card.area.adjusted(1, 0, -1, 0).intersected(clip)
        _paint_clipped(painter, block, inside, block.code_scroll(number), state)
        top = max(top, card.area.bottom())
    below = QRectF(clip.left(), top, clip.width(), clip.bottom() - top)
    _paint_clipped(painter, block, below.intersected(clip), 0, state)


def _paint_clipped(painter: QPainter, block: Block, stripe: QRectF, scroll: float, state: BlockPaintState) -> None:
    if stripe.isEmpty():
        return
    painter.save()
    painter.setClipRect(stripe, Qt.ClipOperation.IntersectClip)
    painter.translate(-scroll, 0)
    _paint_text(painter, block, stripe.translated(scroll, 0), state)
    painter.restore()


def _paint_controls(painter: QPainter, block: Block, number: int, card: CodeCard, state: BlockPaintState) -> None:
    hovered, copied = number == state.hovered_code_block, number == state.copied_code_block
    if card.language or hovered or copied:
        hot = hovered and state.on_copy_button
        paint_copy_button(painter, card, state.text_formats, hot=hot, copied=copied)
    if card.overflow and (hovered or state.scroll_bars):
        paint_scroll_bar(painter, card, block.code_scroll(number), state.text_formats)


def _paint_text(painter: QPainter, block: Block, clip: QRectF, state: BlockPaintState) -> None:
    assert block.geometry is not None
    assert block.document is not None
    numbers = block.geometry.visible_lines(clip.top(), clip.bottom())
    _paint_inline_code(painter, block, numbers, state.text_formats)
    if state.marks:
        for number in numbers:
            for band, whose in block.tints(number, state.marks):
                if clip.intersects(band.adjusted(0, 0, 0, _UNDERLINE)):
                    paint_guess_highlight(painter, band, whose, state.text_formats)
    for find, band in _found(block, numbers, state.finds):
        _paint_find(painter, band, state.text_formats, current=find.current)
    if state.selection:
        for band in block.geometry.selection_rects(*state.selection, numbers):
            _fill(painter, band, state.text_formats.theme.accent, _SELECTED)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette = state.text_formats.palette(muted=state.muted)
    context.clip = clip
    block.document.documentLayout().draw(painter, context)


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


def _paint_inline_code(painter: QPainter, block: Block, numbers: range, formats: TextFormats) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(formats.theme.hover)
    for number in numbers:
        for span in block.code_spans(number):
            painter.drawRoundedRect(span.adjusted(-2, 0, 2, 1), 3, 3)


def paint_guess_highlight(painter: QPainter, band: QRectF, whose: OriginKind, formats: TextFormats) -> None:
    """Paints a hue, and a line for those who do not see hues: solid for the draft, dotted for other drafters. Words of
    the user are gray, without a line.
    """
    if whose is OriginKind.USER:
        _fill(painter, band, formats.theme.text_muted, TINT)
        return
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
