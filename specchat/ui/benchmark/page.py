"""The benchmark page, with the form on the left and the results on the right."""

from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from specchat.domain.serialization import from_plain, to_plain
from specchat.ui.benchmark.bench_config import BenchConfig
from specchat.ui.benchmark.bench_form import BenchForm
from specchat.ui.benchmark.results_view import ResultsView
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.widgets.two_part_view import TwoPartView
from specchat.ui.window.window_page import WindowPage
from specchat.ui.window.window_state import WindowState

_LEAST_BOTH = 120 * GRID
_FORM = 44 * GRID
_LAST = "last"


class BenchmarkPage(WindowPage):
    def __init__(self, place: Path, parent: QWidget | None = None) -> None:
        """`place`: the file that remembers what was asked for."""
        super().__init__(parent)
        self.setObjectName("benchmarkPanel")
        self.setAccessibleName(self.tr("Benchmark"))
        self.setWindowTitle(self.tr("Benchmark"))
        self._state = WindowState(place)
        self.form, self.results = BenchForm(self), ResultsView(self)
        names = self.tr("What to measure"), self.tr("Results")
        self._parts = TwoPartView((self.form, self.results), names, _LEAST_BOTH, self)
        self._parts.set_part_width(self.form, scaled_px(_FORM))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._parts)
        for signal in (self.form.start_requested, self.results.problem_shown):
            signal.connect(self.show_results)
        follow_theme(self._apply_theme)

    @property
    def help_topic(self) -> str:
        return "benchmark.md"

    def restore_config(self) -> None:
        """What was measured last is proposed again, in another run of the program too."""
        try:
            last = from_plain(BenchConfig, self._state.get(_LAST))
        except ValueError:  # nothing is kept, or nothing that can be used
            return
        self.form.show_config(last)

    def save_config(self, config: BenchConfig) -> None:
        self._state.put(_LAST, to_plain(config))
        self._state.save()
        self.form.set_last_config(config)

    def show_results(self) -> None:
        self._parts.show_part(self.results)

    def _apply_theme(self) -> None:
        self._parts.set_part_width(self.form, scaled_px(_FORM))
