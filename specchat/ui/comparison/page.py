"""The page that answers one question side by side."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from specchat.services.engines.compared_sides import Side
from specchat.ui.comparison.column import AnswerColumn
from specchat.ui.composer.composer import Composer
from specchat.ui.transcript import ColouringLegend
from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.form_fields import CheckBox, describe_field, muted_label
from specchat.ui.widgets.text_column import TextColumn
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.widgets.two_part_view import TwoPartView
from specchat.ui.window.window_page import WindowPage

_LEAST_BOTH = 84 * GRID
_OWN_NAMES = {
    "composer": "comparisonQuestion",
    "sendButton": "comparisonSend",
    "stopButton": "comparisonStop",
    "attachButton": "comparisonAttach",
}
"""The chat's composer in the same window has the usual names."""


class ComparisonPage(WindowPage):
    sides_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_running = False
        self.setObjectName("comparisonPage")
        self.setWindowTitle(self.tr("Side by side"))
        self.setAccessibleName(self.windowTitle())
        names = self.tr("Left"), self.tr("Right")
        self.columns = (
            AnswerColumn("comparisonLeft", names[0], self),
            AnswerColumn("comparisonRight", names[1], self),
        )
        for column in self.columns:
            column.side_changed.connect(self.sides_changed)
        self._parts = TwoPartView(self.columns, names, _LEAST_BOTH, self)
        self._note = muted_label("", self)
        """Shows the order in which they answer, then the verdict."""
        self._note.setObjectName("comparisonVerdict")
        self._order = self._verdict = ""
        self._greedy = CheckBox(self.tr("Temperature 0"), self)
        describe_field(
            self._greedy,
            "comparisonGreedy",
            self._greedy.text(),
            self.tr("Always the most likely token, so that both answers can be compared word for word."),
        )
        self._greedy.setChecked(True)
        self.composer = Composer(self)
        for widget in self.composer.findChildren(QWidget):
            widget.setObjectName(_OWN_NAMES.get(widget.objectName(), widget.objectName()))
        self._foot = TextColumn(self)
        self._arrange()
        self.setFocusProxy(self.composer)
        follow_theme(self._foot.update_width)

    @property
    def help_topic(self) -> str:
        return "benchmark.md#side-by-side"

    @property
    def is_greedy(self) -> bool:
        return self._greedy.isChecked()

    @property
    def sides(self) -> list[Side]:
        """A question needs two sides."""
        return [column.side for column in self.columns if column.side is not None]

    def go_back(self) -> bool:
        """Escape stops the answers first."""
        if self._is_running:
            self.composer.stop_requested.emit()
        return self._is_running

    def show_sides(self, sides: Sequence[tuple[str, Side]], chosen: Sequence[Side | None]) -> None:
        for column, one in zip(self.columns, chosen, strict=True):
            column.show_sides(sides, one)

    @property
    def is_running(self) -> bool:
        return self._is_running

    def set_running(self, running: bool) -> None:
        self._is_running = running
        self.composer.set_answering(running)
        self._greedy.setEnabled(not running)
        for column in self.columns:
            column.set_choosable(not running)

    def show_verdict(self, text: str) -> None:
        """An empty verdict shows the order instead."""
        self._verdict = text
        self._note.setProperty("muted", not text)
        self._note.style().polish(self._note)
        self._note.setText(text or self._order)

    def show_order(self, text: str) -> None:
        self._order = text
        self.show_verdict(self._verdict)

    def _arrange(self) -> None:
        self.composer.toolbar.insert_before_meter(self._greedy)
        rows = self._foot.rows
        rows.setSpacing(GRID // 2)
        rows.addWidget(self._note)
        rows.addWidget(self.composer)
        rows.addWidget(ColouringLegend(self))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._parts, 1)
        layout.addWidget(Separator(self))
        layout.addWidget(self._foot)
