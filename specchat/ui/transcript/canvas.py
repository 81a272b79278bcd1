"""The scroll area that lays out and paints the messages, one of which may be growing."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from specchat.domain.conversations import Mark, MessageState
from specchat.ui.pictures.thumbnails import Thumbnails
from specchat.ui.transcript.entries import EntryDetails
from specchat.ui.transcript.message_layout import MessageLayout, ScrollAnchor
from specchat.ui.transcript.message_row import MessageRow
from specchat.ui.transcript.row_contents import ItemHit, item_at
from specchat.ui.transcript.row_painter import RowPaintState, paint_row
from specchat.ui.transcript.text_formats import ROW_HEIGHT, TextFormats
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_MARGIN = 3 * GRID
_CHEAP_S = 0.006
_REST = 3
"""After slower work, this many times its duration passes before the next."""


@dataclass(frozen=True, slots=True)
class RowHit:
    row: MessageRow
    point: QPointF
    """The point within the row."""

    @property
    def item_hit(self) -> ItemHit | None:
        return item_at(self.row, self.point)


class Canvas(QAbstractScrollArea):
    def __init__(self, details: Callable[[int], EntryDetails], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.text_formats = TextFormats(current_theme())
        self.message_layout = MessageLayout(self.text_formats)
        self.thumbnails = Thumbnails(self)
        self.thumbnails.loaded.connect(self.viewport().update)
        self.at_end = True
        """Whether new text moves the view along."""
        self._details = details
        self._settling = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._reserved = (0, 0)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.is_behind = False
        """Whether text has come that is not laid out yet."""
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._catch_up)
        follow_theme(self._apply_theme, call_now=False)

    def update_text(self, entry_id: int, text: str, marks: Sequence[Mark] = ()) -> None:
        """Takes all text and marks of an answer so far. An answer that costs much is laid out less often."""
        self.message_layout.update_text(entry_id, text, marks)
        self.on_text_changed(entry_id)
        self.is_behind = True
        if not self._rest.isActive():
            self._catch_up()

    def _catch_up(self) -> None:
        if not self.is_behind:
            return
        self.is_behind = False
        start = time.perf_counter()
        self.update_layout()
        self.search_changes()
        spent = time.perf_counter() - start
        if spent > _CHEAP_S:
            self._rest.start(round(1000 * _REST * spent))

    def on_text_changed(self, entry_id: int) -> None:
        """Called when the text of a message is not what it was."""

    def search_changes(self) -> None:
        """Called when what has changed is to be searched."""

    def set_side_margins(self, left: int, right: int) -> None:
        """Keeps room for widgets that float at the sides."""
        if (left, right) != self._reserved:
            self._reserved = (left, right)
            self.update_layout()

    @property
    def scroll_y(self) -> int:
        return self.verticalScrollBar().value()

    @property
    def column_left(self) -> int:
        left, right = self._reserved
        return left + (self.viewport().width() - left - right - self.message_layout.width) // 2

    @property
    def text_right(self) -> int:
        """Returns where the column and the margin beside it end."""
        return self.viewport().width() - self._reserved[1]

    @property
    def first_visible_index(self) -> int:
        """Returns the number of the first message on the screen."""
        return self.message_layout.index_at(self.scroll_y)

    def _apply_theme(self) -> None:
        self.text_formats = TextFormats(current_theme())
        self.message_layout.restyle(self.text_formats)
        self.update_layout()

    def update_layout(self, anchor: ScrollAnchor | None = None) -> None:
        """Brings layout, scroll bar and screen up to date."""
        if not self.isVisible():
            return
        height, bar = self.viewport().height(), self.verticalScrollBar()
        room = self.viewport().width() - sum(self._reserved) - 2 * _MARGIN
        self.message_layout.width = max(1, min(self.text_formats.measure, room))
        scroll = self.message_layout.lay_out_visible(
            self.scroll_y, height, at_end=self.at_end and anchor is None, anchor=anchor
        )
        self._settling = True
        bar.setRange(0, max(0, self.message_layout.height - height))
        bar.setPageStep(height)
        bar.setValue(scroll)
        self._settling = False
        self.at_end = scroll >= bar.maximum()
        self._show_handle(bar.maximum() > 0)
        self.place_controls()
        self.viewport().update()

    def _show_handle(self, shown: bool) -> None:
        """Shows or hides the handle only: the bar keeps its place, so that the text never moves."""
        sheet = "" if shown else "QScrollBar::handle:vertical { background: transparent; }"
        if self.verticalScrollBar().styleSheet() != sheet:
            self.verticalScrollBar().setStyleSheet(sheet)

    def place_controls(self) -> None:
        """Moves the buttons to the messages that they belong to."""

    def row_paint_state(self, row: MessageRow) -> RowPaintState:
        raise NotImplementedError

    def scroll_by(self, distance: int) -> None:
        self.verticalScrollBar().setValue(self.scroll_y + distance)

    def scroll_to_end(self) -> None:
        self.at_end = True
        self.update_layout()

    def _scrolled(self, value: int) -> None:
        if not self._settling:
            self.at_end = value >= self.verticalScrollBar().maximum()
            self.update_layout()

    def visible_rows(self) -> Iterator[tuple[MessageRow, int]]:
        """Yields the rows on the screen and where each begins in the viewport."""
        for row, top in self.message_layout.visible_rows(self.scroll_y, self.viewport().height()):
            yield row, top - self.scroll_y

    def row_hit_at(self, position: QPoint | QPointF) -> RowHit | None:
        for row, top in self.visible_rows():
            if top <= position.y() < top + row.height:
                return RowHit(row, QPointF(position.x() - self.column_left, position.y() - top))
        return None

    def nearest_row_hit(self, position: QPointF) -> RowHit | None:
        """Returns the place in the row at a position, or in the first or last row on the screen."""
        rows = list(self.visible_rows())
        if not rows:
            return None
        row, top = next((each for each in reversed(rows) if each[1] <= position.y()), rows[0])
        return RowHit(row, QPointF(position.x() - self.column_left, position.y() - top))

    def row_area(self, row: MessageRow) -> QRect | None:
        """Returns the area of a row in the viewport, if it is on the screen."""
        for other, top in self.visible_rows():
            if other is row:
                return QRect(self.column_left, top, row.width, row.height)
        return None

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Does nothing, as everything is painted anew."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update_layout()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.update_layout()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), current_theme().window)
        self._paint_rows(painter, QRectF(event.rect()))
        painter.end()

    def _paint_rows(self, painter: QPainter, area: QRectF) -> None:
        for row, top in self.visible_rows():
            if top > area.bottom() or top + row.height < area.top():
                continue
            self._fetch_details(row)
            origin = QPointF(self.column_left, top)
            painter.translate(origin)
            paint_row(painter, row, area.translated(-origin), self.row_paint_state(row))
            painter.translate(-origin)

    def _fetch_details(self, row: MessageRow) -> None:
        if row.details is None and not row.is_from_user and row.entry.state is not MessageState.STREAMING:
            row.set_details(self._details(row.entry.id))
