"""Scrolling and painting of messages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from specchat.domain.conversations import MessageState
from specchat.ui.transcript.flow import Anchor, Flow
from specchat.ui.transcript.ink import ROW, Ink
from specchat.ui.transcript.look import Look
from specchat.ui.transcript.paint_row import paint_row
from specchat.ui.transcript.row import Row, Spot
from specchat.ui.transcript.values import EntryDetails
from specchat.ui.widgets.theme import GRID, Theme

_MARGIN = 3 * GRID


@dataclass(frozen=True, slots=True)
class Hit:
    row: Row
    point: QPointF
    """Within the row."""

    @property
    def spot(self) -> Spot | None:
        return self.row.spot(self.point)


class Canvas(QAbstractScrollArea):
    def __init__(self, theme: Theme, details: Callable[[int], EntryDetails], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.ink = Ink(theme)
        self.flow = Flow(self.ink)
        self.at_end = True
        """New text moves the view along."""
        self._details = details
        self._settling = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._reserved = (0, 0)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.verticalScrollBar().setSingleStep(ROW)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

    def reserve(self, left: int, right: int) -> None:
        """Room for what floats there."""
        if (left, right) != self._reserved:
            self._reserved = (left, right)
            self.settle()

    @property
    def scroll_y(self) -> int:
        return self.verticalScrollBar().value()

    @property
    def column_left(self) -> int:
        left, right = self._reserved
        return left + (self.viewport().width() - left - right - self.flow.width) // 2

    @property
    def text_right(self) -> int:
        """Where the column and the margin beside it end."""
        return self.viewport().width() - self._reserved[1]

    @property
    def first_visible(self) -> int:
        """The number of a message."""
        return self.flow.at(self.scroll_y)

    def restyle(self, theme: Theme) -> None:
        self.theme, self.ink = theme, Ink(theme)
        self.flow.restyle(self.ink)
        self.settle()

    def settle(self, anchor: Anchor | None = None) -> None:
        """Brings layout, scroll bar and screen up to date."""
        if not self.isVisible():
            return
        height, bar = self.viewport().height(), self.verticalScrollBar()
        room = self.viewport().width() - sum(self._reserved) - 2 * _MARGIN
        self.flow.width = max(1, min(self.ink.measure, room))
        scroll = self.flow.settle(self.scroll_y, height, at_end=self.at_end and anchor is None, anchor=anchor)
        self._settling = True
        bar.setRange(0, max(0, self.flow.height - height))
        bar.setPageStep(height)
        bar.setValue(scroll)
        self._settling = False
        self.at_end = scroll >= bar.maximum()
        self._show_handle(bar.maximum() > 0)
        self.place_controls()
        self.viewport().update()

    def _show_handle(self, shown: bool) -> None:
        """The bar keeps its place, so that the text does not move when it is needed."""
        sheet = "" if shown else "QScrollBar::handle:vertical { background: transparent; }"
        if self.verticalScrollBar().styleSheet() != sheet:
            self.verticalScrollBar().setStyleSheet(sheet)

    def place_controls(self) -> None:
        """Buttons follow what they belong to."""

    def look(self, row: Row) -> Look:
        raise NotImplementedError

    def scroll_by(self, distance: int) -> None:
        self.verticalScrollBar().setValue(self.scroll_y + distance)

    def scroll_to_end(self) -> None:
        self.at_end = True
        self.settle()

    def _scrolled(self, value: int) -> None:
        if not self._settling:
            self.at_end = value >= self.verticalScrollBar().maximum()
            self.settle()

    def visible_rows(self) -> Iterator[tuple[Row, int]]:
        """And where each begins in the viewport."""
        for row, top in self.flow.visible(self.scroll_y, self.viewport().height()):
            yield row, top - self.scroll_y

    def hit(self, position: QPoint | QPointF) -> Hit | None:
        for row, top in self.visible_rows():
            if top <= position.y() < top + row.height:
                return Hit(row, QPointF(position.x() - self.column_left, position.y() - top))
        return None

    def row_area(self, row: Row) -> QRect | None:
        """In the viewport."""
        for other, top in self.visible_rows():
            if other is row:
                return QRect(self.column_left, top, row.width, row.height)
        return None

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Everything is painted anew."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.settle()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.settle()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.theme.window)
        self._paint_rows(painter, QRectF(event.rect()))
        painter.end()

    def _paint_rows(self, painter: QPainter, area: QRectF) -> None:
        for row, top in self.visible_rows():
            if top > area.bottom() or top + row.height < area.top():
                continue
            self._fetch_details(row)
            origin = QPointF(self.column_left, top)
            painter.translate(origin)
            paint_row(painter, row, area.translated(-origin), self.look(row))
            painter.translate(-origin)

    def _fetch_details(self, row: Row) -> None:
        if row.details is None and not row.mine and row.entry.state is not MessageState.STREAMING:
            row.show_details(self._details(row.entry.id))
