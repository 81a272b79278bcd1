"""Draws a message."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen

from specchat.ui.transcript.block import Block
from specchat.ui.transcript.body import FOLD_HEIGHT, Fold, Placed
from specchat.ui.transcript.chips import paint_chip
from specchat.ui.transcript.ink import ROW
from specchat.ui.transcript.look import CardSpot, Caret, Look
from specchat.ui.transcript.paint_block import BlockLook, LineCaret, paint_block
from specchat.ui.transcript.row import TOP, Row
from specchat.ui.transcript.shapes import BAR
from specchat.ui.transcript.switcher import paint_switcher
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import GRID, RADIUS
from specchat.ui.words.amounts import BETWEEN

_CHEVRON = 2 * GRID
_INSET = GRID // 2
"""The icon is empty at its left."""
_RING_MARGIN = GRID


def paint_row(painter: QPainter, row: Row, clip: QRectF, look: Look) -> None:
    theme = look.ink.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if look.ring:
        painter.setPen(QPen(theme.accent, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        area = QRectF(-_RING_MARGIN, 1, row.width + 2 * _RING_MARGIN, row.height - 2)
        painter.drawRoundedRect(area, RADIUS, RADIUS)
    if row.mine:
        _paint_mine(painter, row, look)
    for index, placed in row.body.between(clip.top() - row.body_top, clip.bottom() - row.body_top):
        area = QRectF(row.origin(placed), QPointF(row.width, row.body_top + placed.bottom))
        painter.translate(area.topLeft())
        _paint_item(painter, row, index, placed, clip.translated(-area.topLeft()), look)
        painter.translate(-area.topLeft())
    if not row.mine and not row.body.items:
        painter.setFont(look.ink.body)
        painter.setPen(theme.text_muted)
        painter.drawText(QRectF(0, row.body_top, row.width, ROW), Qt.AlignmentFlag.AlignVCenter, look.words.waiting)
    _paint_foot(painter, row, look)


def _paint_mine(painter: QPainter, row: Row, look: Look) -> None:
    if row.chips:
        painter.translate(0, TOP)
        for number, chip in enumerate(row.chips):
            paint_chip(painter, chip, look.ink, look.found_files.get(number))
        painter.translate(0, -TOP)
    if row.text:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.ink.theme.sunken)
        painter.drawRoundedRect(row.bubble_area(), 1.5 * RADIUS, 1.5 * RADIUS)


def _paint_item(painter: QPainter, row: Row, index: int, placed: Placed, clip: QRectF, look: Look) -> None:
    if isinstance(placed.item, Fold):
        _paint_fold(painter, row, placed.item, look)
        return
    if placed.muted:
        following = row.body.items[index + 1 : index + 2]
        joined = any(other.muted and isinstance(other.item, Block) for other in following)
        bottom = following[0].top if joined else placed.bottom
        painter.fillRect(QRectF(-2 * GRID, 0, BAR, bottom - placed.top), look.ink.theme.line)
    paint_block(painter, placed.item, clip, _block_look(row, index, placed, placed.item, look))


def _block_look(row: Row, index: int, placed: Placed, block: Block, look: Look) -> BlockLook:
    return BlockLook(
        look.ink,
        placed.muted,
        row.marks if look.colouring and not row.mine else None,
        look.finds,
        _within(look.selection, index, block),
        _card(look.hot, index),
        _card(look.copied, index),
    )


def _card(spot: CardSpot | None, index: int) -> int:
    return spot.card if spot and spot.index == index else -1


def _within(selection: tuple[Caret, Caret] | None, index: int, block: Block) -> tuple[LineCaret, LineCaret] | None:
    if selection is None or not selection[0][0] <= index <= selection[1][0]:
        return None
    (first, *start), (last, *end) = selection
    last_line = len(block.lines) - 1
    return (
        (start[0], start[1]) if first == index else (0, 0),
        (end[0], end[1]) if last == index else (last_line, len(block.lines[last_line].text)),
    )


def _paint_fold(painter: QPainter, row: Row, fold: Fold, look: Look) -> None:
    colour = look.ink.theme.text_muted
    chevron = QRectF(-_INSET, (FOLD_HEIGHT - _CHEVRON) / 2, _CHEVRON, _CHEVRON)
    draw_icon(painter, "chevron-down" if fold.open else "chevron-right", colour, chevron)
    seconds = row.details.thought_s if row.details else None
    painter.setFont(look.ink.small)
    painter.setPen(colour)
    area = QRectF(_CHEVRON, 0, row.width, FOLD_HEIGHT)
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, look.words.reasoning(seconds, going_on=fold.going_on))


def shown_footer(row: Row, look: Look) -> str:
    """As much of it as there is room for beside the buttons, without the last parts if need be."""
    words = row.details.footer if row.details else ""
    room, metrics = int(row.foot.width()) - look.foot_room, QFontMetrics(look.ink.small)
    shorter = words
    while shorter:
        if room >= metrics.horizontalAdvance(shorter):
            return shorter
        shorter = shorter.rpartition(BETWEEN)[0]
    return metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)


def _paint_foot(painter: QPainter, row: Row, look: Look) -> None:
    foot = row.foot
    if row.details and row.details.footer:
        painter.setFont(look.ink.small)
        painter.setPen(look.ink.theme.text_muted)
        painter.drawText(foot, Qt.AlignmentFlag.AlignVCenter, shown_footer(row, look))
    if look.switcher and row.entry.versions > 1:
        paint_switcher(painter, foot, row.entry, look.ink)
