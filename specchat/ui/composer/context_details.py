"""The card that opens above the context meter and says what fills the context."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from specchat.ui.composer.context_text import ContextText
from specchat.ui.composer.context_usage import ContextUsage
from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, tabular_figures
from specchat.ui.words.number_format import format_number

_WIDTH = 30 * GRID


class ContextDetails(QFrame):
    """What is in the context, above the meter: while the mouse is there or, if it `stays`, the keyboard."""

    def __init__(self, use: ContextUsage, words: ContextText, meter: QWidget, *, stays: bool) -> None:
        super().__init__(meter.window())
        self._meter = meter
        self.is_pinned = stays
        meter.installEventFilter(self)
        meter.window().installEventFilter(self)
        self.setObjectName("contextDetails")
        self.setProperty("card", True)
        self.setAccessibleName(words.total(use))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2 * GRID, GRID * 3 // 2, 2 * GRID, GRID * 3 // 2)
        self._grid.setHorizontalSpacing(3 * GRID)
        self._grid.setVerticalSpacing(GRID // 2)
        for part, tokens in use.parts:
            self._add(words.part_label(part), format_number(tokens))
        self._add_across(Separator(self))
        self._add(words.remaining_label(), format_number(use.remaining))
        self._add_across(self._label(words.total(use), muted=True))
        if advice := words.advice(use):
            label = self._label(advice)
            label.setWordWrap(True)
            self._add_across(label)

    def show_above(self) -> None:
        window = self._meter.window()
        place = self._meter.mapTo(window, QPoint(self._meter.width(), -GRID // 2))
        width = max(_WIDTH, self.minimumSizeHint().width())
        self.resize(width, self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height())
        furthest_left = window.width() - width - GRID
        self.move(max(GRID, min(place.x() - width, furthest_left)), max(GRID, place.y() - self.height()))
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moved = event.type() == QEvent.Type.Resize and watched is self.parent()
        left = event.type() == QEvent.Type.Leave and not self.is_pinned
        if moved or left or event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self.hide()
        return False

    def _add(self, words: str, figure: str) -> None:
        row = self._grid.rowCount()
        self._grid.addWidget(self._label(words), row, 0)
        self._grid.addWidget(self._label(figure), row, 1, Qt.AlignmentFlag.AlignRight)

    def _add_across(self, widget: QWidget) -> None:
        self._grid.addWidget(widget, self._grid.rowCount(), 0, 1, 2)

    def _label(self, words: str, *, muted: bool = False) -> QLabel:
        label = QLabel(words, self)
        label.setProperty("muted" if muted else "small", True)
        label.setFont(tabular_figures(body_font(SMALL_PX)))
        return label
