"""Paints the rows of the conversation list."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout

from specchat.domain.conversations import Conversation, SearchHit
from specchat.domain.projects import Project
from specchat.ui.sidebar.rows import has_unsent_message
from specchat.ui.sidebar.snippets import Snippet, build_snippet
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.text_direction import isolate_direction
from specchat.ui.widgets.theme import GRID, RADIUS, SMALL_PX, Theme, body_font

SIDEBAR_WIDTH = 33 * GRID
ROW_HEIGHT = 4 * GRID
HIT_HEIGHT = 7 * GRID
_MARK = 2 * GRID
_INDENT = _MARK + GRID // 2
"""Of a project's name and its chats."""
_DOT = 7.0
_RING = 1.5
_SHARE_OF_PROJECT = 0.4
"""Of the line of a hit."""
_NUMBER = re.compile(r" \(\d+\)$")


@dataclass(frozen=True, slots=True)
class ConversationRowState:
    """What a line shows besides its own text."""

    open: bool = False
    """It is shown in the window."""
    selected: bool = False
    hovered: bool = False
    focused: bool = False
    busy: bool = False
    waiting: bool = False
    asking: bool = False
    """The user, whether a tool may run."""
    damaged: bool = False
    editing: bool = False
    """It was left amid an edit."""


def pill_rect(line: QRect) -> QRect:
    """As wide with a scroll bar, which takes the margin, as without."""
    return QRect(
        line.left() + GRID, line.top() + 1, min(line.width() - GRID, SIDEBAR_WIDTH - 2 * GRID), line.height() - 2
    )


def more_button_rect(line: QRect) -> QRect:
    """Where the button with the actions is."""
    side = 3 * GRID
    inside = pill_rect(line)
    return QRect(inside.right() - side - 2, inside.center().y() - side // 2 + 1, side, side)


def paint_heading(painter: QPainter, line: QRect, words: str, theme: Theme) -> None:
    painter.setFont(_font(QFont.Weight.DemiBold))
    painter.setPen(theme.text_muted)
    text = pill_rect(line).adjusted(GRID, 0, -GRID, -GRID // 2)
    painter.drawText(text, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, words)


def paint_project(painter: QPainter, line: QRect, project: Project, state: ConversationRowState, theme: Theme) -> None:
    _paint_background(painter, line, state, theme)
    text = pill_rect(line).adjusted(GRID, 0, -GRID, 0)
    chevron = QRect(text.left() - GRID // 4, text.top(), _MARK, text.height())
    _paint_icon(painter, "chevron-right" if project.is_folded else "chevron-down", theme.text_muted, chevron)
    text.setLeft(text.left() + _INDENT)
    if state.hovered or state.focused:
        area = more_button_rect(line)
        _paint_icon(painter, "more", theme.text, area)
        text.setRight(area.left() - GRID // 2)
    _paint_title(painter, text, project.name, state, theme)


def paint_conversation(
    painter: QPainter, line: QRect, conversation: Conversation, state: ConversationRowState, theme: Theme
) -> None:
    _paint_background(painter, line, state, theme)
    text = pill_rect(line).adjusted(GRID, 0, -GRID, 0)
    if conversation.project is not None:
        text.setLeft(text.left() + _INDENT)
    if state.hovered or state.focused:
        area = more_button_rect(line)
        _paint_icon(painter, "more", theme.text, area)
        text.setRight(area.left() - GRID // 2)
    else:
        for name in _marks(conversation, state):
            text.setRight(text.right() - _MARK - GRID // 2)
            mark = QRect(text.right() + GRID // 2, text.top(), _MARK, text.height())
            _paint_icon(painter, name, theme.text_muted, mark)
    _paint_title(painter, text, conversation.title, state, theme)


def _paint_title(painter: QPainter, text: QRect, title: str, state: ConversationRowState, theme: Theme) -> None:
    """With a dot behind it while an answer is being written there, a ring while a question waits for the model,
    and a question mark while a tool waits for consent.
    """
    if state.asking:
        text.setRight(text.right() - _MARK)
        _paint_icon(painter, "question", theme.warning, QRect(text.right(), text.top(), _MARK, text.height()))
    elif state.busy or state.waiting:
        text.setRight(text.right() - _MARK)
        centre = QPointF(text.right() + _MARK - _DOT, text.center().y() + 1)
        _paint_dot(painter, centre, theme.accent, filled=state.busy)
    font = _font(QFont.Weight.Medium if state.open else QFont.Weight.Normal)
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(text, _LEFT, isolate_direction(shorten_title(title, font, text.width())))


def _marks(conversation: Conversation, state: ConversationRowState) -> Iterator[str]:
    """What is typed in the open one is in sight."""
    if state.damaged:
        yield "warning"
    if conversation.pinned:
        yield "pin"
    if (has_unsent_message(conversation) or state.editing) and not state.open:
        yield "edit"


def title_fits(line: QRect, title: str, *, indented: bool) -> bool:
    room = more_button_rect(line).left() - pill_rect(line).left() - 3 * GRID - (_INDENT if indented else 0)
    return QFontMetrics(_font()).horizontalAdvance(title) <= room


def paint_hit(
    painter: QPainter, line: QRect, hit: SearchHit, state: ConversationRowState, in_title: str, theme: Theme
) -> None:
    """`in_title`: the words below a hit whose title matches."""
    _paint_background(painter, line, state, theme)
    text = pill_rect(line).adjusted(GRID, GRID // 2, -GRID, -GRID // 2)
    upper, lower = QRect(text), QRect(text)
    upper.setBottom(text.center().y())
    lower.setTop(text.center().y() + 1)
    snippet = build_snippet(hit)
    above, below = (snippet, Snippet(in_title)) if hit.message is None else (Snippet(hit.title), snippet)
    if hit.project:
        _paint_project_name(painter, upper, hit.project, theme)
    _paint_snippet(painter, upper, above, theme.text, theme)
    _paint_snippet(painter, lower, below, theme.text_muted, theme)


def _paint_project_name(painter: QPainter, area: QRect, name: str, theme: Theme) -> None:
    """At the right end, where it takes no more than its share."""
    words = elide_text(name, _font(), int(area.width() * _SHARE_OF_PROJECT))
    width = QFontMetrics(_font()).horizontalAdvance(words)
    painter.setFont(_font())
    painter.setPen(theme.text_muted)
    painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, isolate_direction(words))
    area.setRight(area.right() - width - GRID)


def shorten_title(title: str, font: QFont, width: int) -> str:
    """The number that tells it from others stays in sight."""
    known = _NUMBER.search(title)
    number = known[0] if known else ""
    room = width - QFontMetrics(font).horizontalAdvance(number)
    return elide_text(title.removesuffix(number), font, room) + number


def elide_text(text: str, font: QFont, width: int) -> str:
    return QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, width)


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _font(weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    font = body_font(SMALL_PX)
    font.setWeight(weight)
    return font


def _paint_background(painter: QPainter, line: QRect, state: ConversationRowState, theme: Theme) -> None:
    if state.selected or state.hovered or state.focused:
        painter.setBrush(theme.selected if state.selected else theme.hover if state.hovered else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.accent, 1) if state.focused else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(QRectF(pill_rect(line)).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS - 2, RADIUS - 2)


def _paint_icon(painter: QPainter, name: str, colour: QColor, area: QRect) -> None:
    square = QRectF(0, 0, _MARK, _MARK)
    square.moveCenter(QRectF(area).center())
    draw_icon(painter, name, colour, square)


def _paint_dot(painter: QPainter, centre: QPointF, colour: QColor, *, filled: bool) -> None:
    """Filled, or a ring of the same size."""
    painter.setPen(QPen(colour, _RING))
    painter.setBrush(colour if filled else Qt.BrushStyle.NoBrush)
    radius = (_DOT - _RING) / 2
    painter.drawEllipse(centre, radius, radius)


def _paint_snippet(painter: QPainter, area: QRect, snippet: Snippet, colour: QColor, theme: Theme) -> None:
    regular, bold = QFontMetrics(_font()), QFontMetrics(_font(QFont.Weight.Bold))
    matched = [snippet.text[start:end] for start, end in snippet.matches]
    wider = sum(bold.horizontalAdvance(match) - regular.horizontalAdvance(match) for match in matched)
    text = elide_text(snippet.text, _font(), area.width() - wider)
    layout = QTextLayout(text, _font())
    layout.setFormats(
        [_emphasis(text[:start], text[start:end], theme) for start, end in snippet.matches if start < len(text)]
    )
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(area.width())
    layout.endLayout()
    painter.setPen(colour)
    layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2))


def _emphasis(before: str, match: str, theme: Theme) -> QTextLayout.FormatRange:
    emphasised = QTextLayout.FormatRange()
    emphasised.start, emphasised.length = _units(before), _units(match)
    emphasised.format = QTextCharFormat()
    emphasised.format.setFontWeight(QFont.Weight.Bold)
    emphasised.format.setForeground(theme.text)
    return emphasised


def _units(text: str) -> int:
    """As Qt counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
