"""Paints the rows of a choice list and computes their geometry."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen

from specchat.ui.overlay.elided_text import draw_elided_text
from specchat.ui.pair.choice_rows import ChoiceRow
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import BODY_PX, GRID, RADIUS, SMALL_PX, Theme, body_font

HEIGHT = 6 * GRID
"""Unless the text is large."""
_TOP = 7
_DOT = 8.0
_DIMMED = 0.5
_ICON = 2 * GRID
_TEXT = 5 * GRID
_WIDEST_PLACE = 0.5
"""The largest share of a row for the model's folder; the title needs the rest."""


@dataclass(frozen=True, slots=True)
class ChoiceRowState:
    chosen: bool = False
    hovered: bool = False
    focused: bool = False
    over_remove: bool = False
    enabled: bool = True


def default_row_height() -> int:
    lines = (QFontMetrics(body_font(pixels)).height() for pixels in (BODY_PX, SMALL_PX))
    return max(HEIGHT, 2 * _TOP + sum(lines))


def row_height(row: ChoiceRow, width: int) -> int:
    """A reason may take a second line."""
    if row.is_heading:
        return _TOP + QFontMetrics(body_font(SMALL_PX)).height() + _TOP // 2
    metrics = QFontMetrics(body_font(SMALL_PX))
    room = text_area(QRect(0, 0, width, HEIGHT), row).width()
    fits = row.selectable or metrics.horizontalAdvance(row.line) <= room
    return default_row_height() if fits else default_row_height() + metrics.height()


def remove_area(line: QRect) -> QRect:
    side = 3 * GRID
    return QRect(line.right() - GRID - side + 1, line.center().y() - side // 2 + 1, side, side)


def text_area(line: QRect, row: ChoiceRow) -> QRect:
    right = remove_area(line).left() if row.removable else line.right() - GRID
    return QRect(line.left() + _TEXT, line.top() + _TOP, right - line.left() - _TEXT, line.height() - GRID)


def paint_row(painter: QPainter, line: QRect, row: ChoiceRow, state: ChoiceRowState, theme: Theme) -> None:
    if row.is_heading:
        _paint_heading(painter, line.adjusted(GRID, _TOP, -GRID, 0), row, theme)
        return
    painter.setOpacity(1.0 if state.enabled else _DIMMED)
    _paint_background(painter, line, row, state, theme)
    if row.selectable:
        _paint_mark(painter, line, state, theme)
    else:
        _paint_icon(painter, "warning", QRect(line.left() + GRID + 4, line.top() + GRID, _ICON, _ICON + 4), theme)
    _paint_text(painter, text_area(line, row), row, theme)
    if row.removable and (state.hovered or state.focused):
        area = remove_area(line)
        if state.over_remove:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.selected)
            painter.drawRoundedRect(area, RADIUS - 2, RADIUS - 2)
        _paint_icon(painter, "close", area, theme)


def _paint_heading(painter: QPainter, area: QRect, row: ChoiceRow, theme: Theme) -> None:
    font = body_font(SMALL_PX)
    bold = QFont(font)
    bold.setBold(True)
    metrics, wide = QFontMetrics(font), QFontMetrics(bold)
    title = wide.elidedText(row.title, Qt.TextElideMode.ElideMiddle, round(_WIDEST_PLACE * area.width()))
    painter.setPen(theme.text_muted)
    painter.setFont(bold)
    painter.drawText(area.left(), area.top() + metrics.ascent(), title)
    end = wide.horizontalAdvance(title) + GRID
    painter.setFont(font)
    place = metrics.elidedText(row.place, Qt.TextElideMode.ElideRight, area.width() - end)
    painter.drawText(area.left() + end, area.top() + metrics.ascent(), place)


def _paint_background(painter: QPainter, line: QRect, row: ChoiceRow, state: ChoiceRowState, theme: Theme) -> None:
    fill = theme.selected if state.chosen else theme.hover if state.hovered and row.selectable else None
    if fill is None and not state.focused:
        return
    painter.setBrush(fill or Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.accent, 1) if state.focused else Qt.PenStyle.NoPen)
    painter.drawRoundedRect(QRectF(line).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS - 2, RADIUS - 2)


def _paint_mark(painter: QPainter, line: QRect, state: ChoiceRowState, theme: Theme) -> None:
    centre = QPointF(line.left() + 2.5 * GRID, line.center().y() + 0.5)
    painter.setPen(QPen(theme.accent if state.chosen else theme.rejected, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, _DOT, _DOT)
    if state.chosen:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.accent)
        painter.drawEllipse(centre, _DOT / 2, _DOT / 2)


def _paint_text(painter: QPainter, area: QRect, row: ChoiceRow, theme: Theme) -> None:
    font = body_font(BODY_PX)
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(theme.text if row.selectable else theme.text_muted)
    small = QFontMetrics(body_font(SMALL_PX))
    beside = min(small.horizontalAdvance(row.place) + GRID, round(_WIDEST_PLACE * area.width())) if row.place else 0
    widths = [small.horizontalAdvance(badge) + 2 * GRID for badge in row.badges]
    title = metrics.elidedText(row.title, Qt.TextElideMode.ElideMiddle, area.width() - beside - sum(widths))
    painter.drawText(area.left(), area.top() + metrics.ascent(), title)
    painter.setFont(body_font(SMALL_PX))
    painter.setPen(theme.text_muted)
    end = metrics.horizontalAdvance(title) + GRID
    for badge, width in zip(row.badges, widths, strict=True):
        _paint_badge(painter, QPointF(area.left() + end, area.top() + metrics.height() / 2), badge, theme)
        end += width
    place = small.elidedText(row.place, Qt.TextElideMode.ElideMiddle, area.width() - end)
    painter.drawText(area.left() + end, area.top() + metrics.ascent(), place)
    below = area.adjusted(0, metrics.height() + 1, 0, 0)
    draw_elided_text(painter, below, row.line, 1 if row.selectable else 2)


def _paint_badge(painter: QPainter, middle_left: QPointF, words: str, theme: Theme) -> None:
    """As the cards of models have it."""
    metrics = QFontMetrics(body_font(SMALL_PX))
    frame = QRectF(0, 0, metrics.horizontalAdvance(words) + GRID, metrics.height() + 1)
    frame.moveTopLeft(QPointF(round(middle_left.x()) + 0.5, round(middle_left.y() - frame.height() / 2) + 0.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.line, 1))
    painter.drawRoundedRect(frame, GRID // 2, GRID // 2)
    painter.setPen(theme.text_muted)
    painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, words)


def _paint_icon(painter: QPainter, name: str, area: QRect, theme: Theme) -> None:
    square = QRectF(0, 0, _ICON, _ICON)
    square.moveCenter(QRectF(area).center())
    draw_icon(painter, name, theme.text_muted, square)
