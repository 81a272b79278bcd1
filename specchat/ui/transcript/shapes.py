"""Computes and paints the shapes around a text: code cards, quote bars, list markers, rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from specchat.ui.transcript.fenced_code import CODE_FOOTER_HEIGHT, CODE_HEADER_HEIGHT, header_height
from specchat.ui.transcript.line_geometry import LineGeometry
from specchat.ui.transcript.markdown import DONE_TASK, OPEN_TASK
from specchat.ui.transcript.rendered_lines import LineKind, RenderedLine
from specchat.ui.transcript.text_formats import CODE_MARGIN, TextFormats, indent, margins
from specchat.ui.widgets.icons import ICON_SIZE, draw_icon
from specchat.ui.widgets.theme import GRID, RADIUS, Theme

BAR_WIDTH = 3
_BUTTON = 3 * GRID
_ICON = 16
_HANDLE_SHARE = 0.6
_TASK_BOX = 14
_FADE = 2 * GRID
_TRACK_BOTTOM, _TRACK_HEIGHT, _SHORTEST_HANDLE = 7, 4, 24


@dataclass(frozen=True, slots=True)
class CodeCard:
    area: QRectF
    language: str
    first: int
    last: int
    overflow: float = 0
    """The pixels of its longest line for which there is no room."""

    @property
    def track_rect(self) -> QRectF:
        """The strip in which its scroll bar moves."""
        left, width = self.area.left() + CODE_MARGIN, self.area.width() - 2 * CODE_MARGIN
        return QRectF(left, self.area.bottom() - _TRACK_BOTTOM, width, _TRACK_HEIGHT)

    def handle_rect(self, scroll: float) -> QRectF:
        """Returns the bar's place where the code is scrolled by `scroll` pixels."""
        track = self.track_rect
        width = max(_SHORTEST_HANDLE, track.width() ** 2 / (track.width() + self.overflow))
        left = track.left() + (track.width() - width) * scroll / self.overflow
        return QRectF(left, track.top(), width, track.height())

    def scroll_for(self, x: float) -> float:
        """Returns how far the code is scrolled where the middle of the bar is at `x`."""
        track, width = self.track_rect, self.handle_rect(0).width()
        return (x - width / 2 - track.left()) / max(1.0, track.width() - width) * self.overflow

    @property
    def copy_button_rect(self) -> QRectF:
        inset = (CODE_HEADER_HEIGHT - _BUTTON) / 2
        corner = QPointF(self.area.right() - inset - _BUTTON, self.area.top() + inset)
        return QRectF(corner, QSizeF(_BUTTON, _BUTTON))


@dataclass(frozen=True, slots=True)
class ListMarker:
    text: str
    end: QPointF
    """The end of its baseline, beside the text of the item."""
    right_to_left: bool


@dataclass(frozen=True, slots=True)
class BlockShapes:
    cards: tuple[CodeCard, ...] = ()
    bars: tuple[QRectF, ...] = ()
    markers: tuple[ListMarker, ...] = ()
    rules: tuple[QRectF, ...] = ()


def compute_shapes(geometry: LineGeometry, lines: Sequence[RenderedLine], width: float) -> BlockShapes:
    return BlockShapes(
        tuple(_cards(geometry, lines, width)),
        tuple(_bars(geometry, lines, width)),
        tuple(_markers(geometry, lines, width)),
        tuple(_rules(geometry, lines, width)),
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
            (left, right), top = margins(line), _top(geometry, lines, first)
            area = QRectF(left, top, width - left - right, _bottom(geometry, lines, number) - top)
            overflow = max(0.0, geometry.text_right(first, number) - area.right() + CODE_MARGIN)
            yield CodeCard(area, lines[first].language, first, number, overflow)


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
    line = lines[number]
    return geometry.line_rect(number).top() - (header_height(line.language) if line.kind is LineKind.CODE else 0)


def _bottom(geometry: LineGeometry, lines: Sequence[RenderedLine], number: int) -> float:
    return geometry.line_rect(number).bottom() + (CODE_FOOTER_HEIGHT if lines[number].kind is LineKind.CODE else 0)


def _rules(geometry: LineGeometry, lines: Sequence[RenderedLine], width: float) -> Iterator[QRectF]:
    for number, line in enumerate(lines):
        if line.kind is LineKind.RULE:
            left, right = margins(line)
            yield QRectF(left, geometry.line_rect(number).center().y(), width - left - right, 1)


def paint_shapes(painter: QPainter, shapes: BlockShapes, formats: TextFormats) -> None:
    """Paints all shapes but the code cards."""
    theme = formats.theme
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.line)
    for bar in shapes.bars:
        painter.drawRoundedRect(bar, 1.5, 1.5)
    for rule in shapes.rules:
        painter.fillRect(rule, theme.line)
    painter.setFont(formats.body)
    painter.setPen(theme.text_muted)
    for marker in shapes.markers:
        _paint_marker(painter, marker, theme)


def _paint_marker(painter: QPainter, marker: ListMarker, theme: Theme) -> None:
    if marker.text in (OPEN_TASK, DONE_TASK):
        _paint_task(painter, marker, theme)
    elif marker.right_to_left:
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(marker.end, marker.text)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    else:
        width = painter.fontMetrics().horizontalAdvance(marker.text)
        painter.drawText(marker.end - QPointF(width, 0), marker.text)


def _paint_task(painter: QPainter, marker: ListMarker, theme: Theme) -> None:
    painter.save()
    left = marker.end.x() - (0 if marker.right_to_left else _TASK_BOX)
    box = QRectF(left, marker.end.y() - _TASK_BOX + 1, _TASK_BOX, _TASK_BOX)
    done = marker.text == DONE_TASK
    painter.setPen(Qt.PenStyle.NoPen if done else QPen(theme.text_muted, 1.3))
    painter.setBrush(theme.accent if done else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box.adjusted(0.65, 0.65, -0.65, -0.65), 3, 3)
    if done:
        draw_icon(painter, "check", theme.window, box.adjusted(1.5, 1.5, -1.5, -1.5))
    painter.restore()


def paint_card(painter: QPainter, card: CodeCard, formats: TextFormats) -> None:
    """Paints the ground below the code, and its label."""
    painter.setPen(formats.theme.line)
    painter.setBrush(formats.theme.sunken)
    painter.drawRoundedRect(card.area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    if card.language:
        head = QRectF(card.area.topLeft(), card.area.topRight() + QPointF(0, CODE_HEADER_HEIGHT))
        painter.setFont(formats.small)
        painter.setPen(formats.theme.text_muted)
        room = head.adjusted(CODE_MARGIN, 0, -CODE_MARGIN - ICON_SIZE - GRID, 0)
        label = painter.fontMetrics().elidedText(card.language, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, label)


def paint_fades(painter: QPainter, card: CodeCard, scroll: float, formats: TextFormats, clip: QRectF) -> None:
    """Fades the code at each edge beyond which it goes on."""
    code = card.area.adjusted(1, header_height(card.language), -1, -RADIUS).intersected(clip)
    left, right = code.left(), code.right()
    edges = ((left, left + _FADE, scroll > 0), (right, right - _FADE, scroll < card.overflow))
    for edge, inner, goes_on in edges:
        if goes_on:
            fade = QLinearGradient(edge, 0, inner, 0)
            fade.setColorAt(0, formats.theme.sunken)
            fade.setColorAt(1, Qt.GlobalColor.transparent)
            painter.fillRect(QRectF(min(edge, inner), code.top(), _FADE, code.height()), fade)


def paint_copy_button(painter: QPainter, card: CodeCard, formats: TextFormats, *, hot: bool, copied: bool) -> None:
    """Paints the button, which may cover code on a card without a label."""
    button, theme = card.copy_button_rect, formats.theme
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.selected if hot else theme.sunken)
    painter.drawRoundedRect(button, RADIUS / 2, RADIUS / 2)
    inset = (button.width() - _ICON) / 2
    colour = theme.accepted if copied else theme.text_muted
    draw_icon(painter, "check" if copied else "copy", colour, button.adjusted(inset, inset, -inset, -inset))


def paint_scroll_bar(painter: QPainter, card: CodeCard, scroll: float, formats: TextFormats) -> None:
    colour = QColor(formats.theme.text_muted)
    colour.setAlphaF(_HANDLE_SHARE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(card.handle_rect(scroll), _TRACK_HEIGHT / 2, _TRACK_HEIGHT / 2)
