"""Paints one message: its body, its attachments and its footer."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from specchat.ui.transcript.block import Block
from specchat.ui.transcript.block_painter import BlockPaintState, LineCaret, paint_block
from specchat.ui.transcript.chips import paint_chip
from specchat.ui.transcript.message_body import FOLD_HEIGHT, Fold, PlacedItem
from specchat.ui.transcript.message_row import TOP_MARGIN, MessageRow
from specchat.ui.transcript.row_paint_state import CodeBlockRef, MessageCaret, RowPaintState
from specchat.ui.transcript.shapes import BAR_WIDTH
from specchat.ui.transcript.text_formats import ROW_HEIGHT
from specchat.ui.transcript.version_switcher import paint_version_switcher
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import GRID, RADIUS
from specchat.ui.words.number_format import SEPARATOR

_CHEVRON = 2 * GRID
_INSET = GRID // 2
"""The icon is empty at its left."""
_RING_MARGIN = GRID


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
    _paint_foot(painter, row, look)


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


def fitted_footer(row: MessageRow, look: RowPaintState) -> str:
    """As much of it as there is room for beside the buttons, without the last parts if need be."""
    words = row.details.footer if row.details else ""
    room, metrics = int(row.footer_rect.width()) - look.foot_room, QFontMetrics(look.text_formats.small)
    shorter = words
    while shorter:
        if room >= metrics.horizontalAdvance(shorter):
            return shorter
        shorter = shorter.rpartition(SEPARATOR)[0]
    return metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)


def _paint_foot(painter: QPainter, row: MessageRow, look: RowPaintState) -> None:
    foot = row.footer_rect
    if row.details and row.details.footer:
        painter.setFont(look.text_formats.small)
        painter.setPen(look.text_formats.theme.text_muted)
        painter.drawText(foot, Qt.AlignmentFlag.AlignVCenter, fitted_footer(row, look))
    if look.switcher and row.entry.versions > 1:
        paint_version_switcher(painter, foot, row.entry, look.text_formats)
