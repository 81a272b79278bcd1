"""A strip with the last passes as columns from left to right; when full, the oldest leave.

From the bottom: accepted guesses, the target's own token as a cap, and above it the guesses that did not hold.
"""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from specchat.domain.drafter_types import is_draft_origin
from specchat.services.generation.stats_tracker import StepSummary
from specchat.ui.widgets.theme import Theme
from specchat.ui.widgets.theme_service import current_theme
from specchat.ui.widgets.tooltip import tooltip_text

_PITCH = 3
HEIGHT = 42
_FEWEST_ROWS = 7


class StepStrip(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stepStrip")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFixedHeight(HEIGHT)
        explanation = self.tr(
            "Each column is one target pass: accepted guesses, the target's own token on top, and rejected "
            "guesses in gray. Striped guesses come from earlier text."
        )
        self.setToolTip(tooltip_text(explanation))
        self._steps: tuple[StepSummary, ...] = ()
        self._rows = _FEWEST_ROWS

    def show_steps(self, steps: tuple[StepSummary, ...]) -> None:
        if steps == self._steps:
            return
        self._steps = steps
        longest = max((step.drafted for step in steps), default=0)
        self._rows = max(self._rows, longest + 1) if steps else _FEWEST_ROWS
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80 * _PITCH, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), current_theme().surface)
        density = self.devicePixelRatioF()
        painter.scale(1 / density, 1 / density)  # whole device pixels: sharp at any density
        width, height = round(self.width() * density), round(self.height() * density)
        pitch, gap = round(_PITCH * density), max(1, int(density))
        columns = _Columns(painter, current_theme(), self._rows, height, pitch - gap)
        painter.fillRect(0, height - gap, width, gap, current_theme().line)
        for place, step in enumerate(self._steps[-(width // pitch) :]):
            columns.draw(step, place * pitch)


class _Columns:
    def __init__(self, painter: QPainter, theme: Theme, rows: int, height: int, width: int) -> None:
        self._painter = painter
        self._theme = theme
        self._edges = [height - round(row * height / rows) for row in range(rows + 1)]
        self._width = width

    def draw(self, step: StepSummary, x: int) -> None:
        for row in range(step.accepted):
            self._accepted(self._cell(x, row), step.origin)
        if step.bonus:
            self._painter.fillRect(self._cell(x, step.accepted), self._theme.text)
        for row in range(step.accepted, step.drafted):
            self._painter.fillRect(self._cell(x, row + step.bonus), self._theme.line)

    def _cell(self, x: int, row: int) -> QRect:
        top = self._edges[row + 1]
        return QRect(x, top, self._width, self._edges[row] - top)

    def _accepted(self, cell: QRect, origin: str | None) -> None:
        if origin is not None and is_draft_origin(origin):
            self._painter.fillRect(cell, self._theme.accepted)
        else:
            self._painter.fillRect(cell.adjusted(0, cell.height() // 2, 0, 0), self._theme.ngram)
