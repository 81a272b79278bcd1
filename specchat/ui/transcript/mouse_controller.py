"""Mouse handling in the transcript: selecting, clicking, hovering."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QBasicTimer, QCoreApplication, QObject, QPoint, QPointF, Qt, QTimerEvent
from PySide6.QtGui import QFontMetrics, QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip

from specchat.domain.conversations import Mark
from specchat.domain.drafter_types import draft_type_of_origin
from specchat.domain.types import UNKNOWN
from specchat.ui.documents.document_text import link_label
from specchat.ui.transcript.block import Block
from specchat.ui.transcript.canvas import RowHit
from specchat.ui.transcript.footer import fitted_footer
from specchat.ui.transcript.message_row import MessageRow
from specchat.ui.transcript.row_contents import (
    CodeBlockRef,
    character_at,
    code_block_at,
    copy_button_at,
    document_link_at,
    fold_at,
    is_on_scroll_bar,
    link_at,
    picture_at,
    recording_at,
    source_at,
)
from specchat.ui.transcript.selection import Caret, Selection, range_at_click
from specchat.ui.transcript.token_marks import OriginKind, origin_kind
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.tooltip import tooltip_text
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, join_units

if TYPE_CHECKING:
    from specchat.ui.transcript.interactive_canvas import InteractiveCanvas

_SCROLL_MS = 16
_SPEED = 4
_LEFT = Qt.MouseButton.LeftButton
_AROUND_TIP = 7 * GRID
"""The frame of a tooltip, and the gap that keeps it clear of the mouse's arrow."""


@dataclass(frozen=True, slots=True)
class _CardDrag:
    """The mouse over a code card, whose block begins at `left` in the viewport."""

    block: Block
    number: int
    left: float
    by_bar: bool

    def scroll_to(self, position: QPointF) -> None:
        """Scrolls so that the bar follows the mouse."""
        wanted = self.block.shapes.cards[self.number].scroll_for(position.x() - self.left)
        self.block.scroll_code(self.number, wanted - self.block.code_scroll(self.number))

    def beyond(self, position: QPointF) -> float:
        """Returns how far left (negative) or right of a scrollable card the mouse is."""
        card, x = self.block.shapes.cards[self.number], position.x() - self.left
        if not card.overflow:
            return 0.0
        return min(0.0, x - card.area.left()) or max(0.0, x - card.area.right())


class MouseController(QObject):
    def __init__(self, view: "InteractiveCanvas") -> None:
        super().__init__(view)
        self._view = view
        self._row: MessageRow | None = None
        """The row in which the button was pressed."""
        self._card: _CardDrag | None = None
        """The code card on which it was pressed."""
        self._pressed = QPoint()
        self._clicks = 0
        self._clicked_ms = 0
        self._scrolling = QBasicTimer()
        self.hovered: int | None = None
        self.hovered_code_block: CodeBlockRef | None = None
        self.on_copy_button = False

    def handle_press(self, event: QMouseEvent) -> None:
        position = event.position()
        self._count_click(event)
        hit = self._view.row_hit_at(position)
        self._row = hit.row if hit else None
        self._card = self._card_drag(hit) if hit else None
        self._view.focus_entry(hit.row.entry.id if hit else None)
        if self._card and self._card.by_bar:
            self._card.scroll_to(position)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._extend(position):
            return
        else:
            taken = self._range_at(hit) if hit else None
            self._view.set_selection(Selection(taken, taken) if taken else None)

    def _card_drag(self, hit: RowHit) -> _CardDrag | None:
        spot, area = hit.item_hit, self._view.row_area(hit.row)
        found = code_block_at(spot) if spot else None
        if spot is None or found is None or area is None or not isinstance(spot.placed.item, Block):
            return None
        origin = area.left() + hit.row.item_origin(spot.placed).x()
        return _CardDrag(spot.placed.item, found.card, origin, by_bar=is_on_scroll_bar(spot))

    def _count_click(self, event: QMouseEvent) -> None:
        """Counts clicks up to three, as Qt tells of double clicks only."""
        near = (event.position().toPoint() - self._pressed).manhattanLength() < QApplication.startDragDistance()
        soon = event.timestamp() - self._clicked_ms < QApplication.doubleClickInterval()
        self._clicks = self._clicks % 3 + 1 if near and soon and self._clicks else 1
        self._pressed, self._clicked_ms = event.position().toPoint(), event.timestamp()

    def _range_at(self, hit: RowHit) -> tuple[Caret, Caret] | None:
        index = self._view.message_layout.index_of(hit.row.entry.id)
        taken = range_at_click(hit.item_hit, self._clicks) if hit.item_hit else None
        return ((index, *taken[0]), (index, *taken[1])) if taken and index is not None else None

    def _extend(self, position: QPointF) -> bool:
        selection, hit = self._view.selection, self._view.nearest_row_hit(position)
        moving = self._range_at(hit) if hit else None
        if selection is None or moving is None:
            return False
        self._view.set_selection(Selection(selection.fixed, moving))
        return True

    def handle_move(self, event: QMouseEvent) -> None:
        if event.buttons() & _LEFT:
            self._drag(event.position())
        else:
            self._hover(event.position())

    def _drag(self, position: QPointF) -> None:
        if self._card and self._card.by_bar:
            self._card.scroll_to(position)
            self._view.viewport().update()
            return
        self._extend(position)
        outside = not 0 <= position.y() < self._view.viewport().height() or self._beyond_card(position)
        if outside and not self._scrolling.isActive():
            self._scrolling.start(_SCROLL_MS, self)
        elif not outside:
            self._scrolling.stop()

    def _beyond_card(self, position: QPointF) -> float:
        return self._card.beyond(position) if self._card and self._view.selection else 0.0

    def timerEvent(self, event: QTimerEvent) -> None:
        viewport = self._view.viewport()
        position = QPointF(viewport.mapFromGlobal(self._view.cursor().pos()))
        beyond = position.y() if position.y() < 0 else max(0.0, position.y() - viewport.height())
        self._view.scroll_by(round(beyond / _SPEED))
        if self._card and (sideways := self._beyond_card(position)):
            self._card.block.scroll_code(self._card.number, sideways / _SPEED)
        self._extend(QPointF(position.x(), min(max(position.y(), 0), viewport.height() - 1)))

    def handle_wheel(self, event: QWheelEvent) -> bool:
        """Scrolls code sideways and says whether the wheel was meant so."""
        hit = self._view.row_hit_at(event.position())
        drag = self._card_drag(hit) if hit else None
        turned = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta() / 2
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        sideways = turned.x() or (turned.y() if shift else 0)
        if drag is None or (abs(sideways) <= abs(turned.y()) and not shift):
            return False
        scrolled = drag.block.scroll_code(drag.number, -sideways)
        self._view.viewport().update()
        return scrolled

    def handle_release(self, event: QMouseEvent) -> None:
        self._scrolling.stop()
        moved = (event.position().toPoint() - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        hit = self._view.row_hit_at(event.position())
        if not moved and hit and hit.row is self._row:
            self._click(hit)
        self._row = self._card = None
        self._view.message_actions.copy_to_primary_selection()

    def _click(self, hit: RowHit) -> None:
        if (number := picture_at(hit.row, hit.point)) is not None:
            self._view.message_actions.open_picture(hit.row, number)
            return
        if (number := recording_at(hit.row, hit.point)) is not None:
            self._view.message_actions.open_recording(hit.row, number)
            return
        spot = hit.item_hit
        if link := document_link_at(hit.row, hit.point):
            self._view.link_requested.emit(link)
        elif spot is None or (self._card and self._card.by_bar):
            return
        elif fold := fold_at(hit.row, hit.point):
            self._view.toggle_fold(hit.row, fold.number)
        elif card := copy_button_at(spot):
            self._view.message_actions.copy_code(hit.row, card)
        elif self._clicks == 1 and (link := link_at(spot)):
            self._view.link_requested.emit(link)

    def _hover(self, position: QPointF) -> None:
        hit = self._view.row_hit_at(position)
        spot = hit.item_hit if hit else None
        hovered = hit.row.entry.id if hit else None
        card = code_block_at(spot) if spot else None
        on_button = spot is not None and copy_button_at(spot) is not None
        if (hovered, card, on_button) != (self.hovered, self.hovered_code_block, self.on_copy_button):
            self.hovered, self.hovered_code_block, self.on_copy_button = hovered, card, on_button
            self._view.place_controls()
            self._view.viewport().update()
        self._view.viewport().setCursor(self._cursor(hit))

    def _cursor(self, hit: RowHit | None) -> Qt.CursorShape:
        if hit is not None and _can_open(hit):
            return Qt.CursorShape.PointingHandCursor
        if hit is None or hit.item_hit is None:
            return Qt.CursorShape.ArrowCursor
        if is_on_scroll_bar(hit.item_hit):
            return Qt.CursorShape.ArrowCursor
        if self.on_copy_button or fold_at(hit.row, hit.point) or link_at(hit.item_hit):
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.IBeamCursor if character_at(hit.item_hit) else Qt.CursorShape.ArrowCursor

    def handle_leave(self) -> None:
        self.hovered = self.hovered_code_block = None
        self.on_copy_button = False
        self._view.place_controls()
        self._view.viewport().update()

    def show_tooltip(self, event: QHelpEvent) -> None:
        hit = self._view.row_hit_at(event.pos())
        words = self._tip(hit) if hit else ""
        if hit and words:
            QToolTip.showText(event.globalPos() - QPoint(0, self._tip_rise(hit)), words, self._view.viewport())
        else:
            QToolTip.hideText()

    def _tip_rise(self, hit: RowHit) -> int:
        """Returns how far a tooltip is lifted: that of the footer ends above it, as the message field is below."""
        foot = hit.row.footer_rect
        if not foot.contains(hit.point):
            return 0
        of_words = QFontMetrics(self._view.row_paint_state(hit.row).text_formats.small).height()
        return round(hit.point.y() - foot.top()) + of_words + _AROUND_TIP

    def _tip(self, hit: RowHit) -> str:
        if hit.row.footer_rect.contains(hit.point):
            return self._of_answer(hit.row)
        if (number := picture_at(hit.row, hit.point)) is not None:
            return tooltip_text(hit.row.entry.pictures[number].name)
        spot = hit.item_hit
        if spot is None:
            return ""
        if copy_button_at(spot):
            return self.tr("Copy code")
        token = self._token(hit) if self._view.colouring else ""
        return "\n".join(part for part in (link_label(link_at(spot)), token) if part)

    def _of_answer(self, row: MessageRow) -> str:
        """Returns the models of an answer, below its figures where these are cut."""
        if row.details is None:
            return ""
        footer, models = row.details.footer, row.details.models
        state = self._view.row_paint_state(row)
        is_cut = fitted_footer(row, state.foot_room, state.text_formats) != footer
        return tooltip_text("\n".join(filter(None, (footer if is_cut else "", models))))

    def _token(self, hit: RowHit) -> str:
        source = source_at(hit.item_hit) if hit.item_hit and not hit.row.is_from_user else None
        mark = hit.row.marks.mark_at(source) if source is not None else None
        return describe_token(mark) if mark else ""


def describe_token(mark: Mark) -> str:
    parts = [_source(mark)]
    if mark.position is not None:
        position = QCoreApplication.translate("Token", "guess {n} in its pass")
        parts.append(position.format(n=mark.position + 1))
    if mark.probability is not None:
        probability = QCoreApplication.translate("Token", "probability {p} %")
        parts.append(join_units(probability.format(p=_percent(mark.probability))))
    return " · ".join(parts)


def _source(mark: Mark) -> str:
    if mark.origin == UNKNOWN:
        return QCoreApplication.translate("Token", "The engine doesn't report where it came from")
    whose = origin_kind(mark)
    if whose is OriginKind.TARGET:
        return QCoreApplication.translate("Token", "Chosen by the target")
    if whose is OriginKind.USER:
        return QCoreApplication.translate("Token", "Written by you")
    if known := draft_type_of_origin(mark.origin):
        return translate_text(known.token)
    return QCoreApplication.translate("Token", "Guessed by {source}, accepted").format(source=mark.origin)


def _percent(share: float) -> str:
    percent = 100 * share
    return format_number(percent, 1 if percent < 10 else 0)


def _can_open(hit: RowHit) -> bool:
    is_media = picture_at(hit.row, hit.point) is not None or recording_at(hit.row, hit.point) is not None
    return is_media or bool(document_link_at(hit.row, hit.point))
