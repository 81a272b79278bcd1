"""The view of the benchmark results: advice, charts and a table."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.benchmark import BenchPlan, BenchReport
from specchat.domain.errors import UserError
from specchat.services.bench.advice import is_conclusive
from specchat.services.bench.medians import medians_disagree
from specchat.ui.benchmark.charts_view import ChartsView
from specchat.ui.benchmark.method_labels import MethodLabels
from specchat.ui.benchmark.method_table import MethodTableView, differing_answers_note, two_medians_note
from specchat.ui.benchmark.progress_strip import ProgressStrip
from specchat.ui.benchmark.report_stats import best_row, has_differing_answers
from specchat.ui.benchmark.workload_labels import advice_lines
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import ElidedButton, ElidedLabel, Separator, TextButton
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID, TITLE_PX, scaled_px
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.words.message_translation import translate_text

_MARGIN = 3 * GRID
_WIDEST_WORDS = 56 * GRID
_WIDEST_BUTTON = 40 * GRID


class ResultsView(QWidget):
    save_picture_requested = Signal()
    export_requested = Signal()
    use_requested = Signal()
    problem_shown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = ErrorCard(self)
        self.progress = ProgressStrip(self)
        self._advice = QLabel(self)
        self._more = QLabel(self)
        self._charts = ChartsView(self)
        self._table = MethodTableView(self)
        self._differing = muted_label("", self)
        self._figures = QWidget(self)
        self._scroll = ContentScrollArea(self._figures, QMargins(_MARGIN, GRID, _MARGIN, _MARGIN), self)
        self._empty = QWidget(self)
        self._pages = QStackedWidget(self)
        self._foot = QWidget(self)
        self._picture = TextButton(self.tr("Save as image…"), self)
        self._export = TextButton(self.tr("Export… (JSON, CSV)"), self)
        self._use = ElidedButton(_WIDEST_BUTTON, self, primary=True)
        self._saved = ElidedLabel(self)
        self._title, self._explanation = QLabel(self), muted_label("", self)
        self._arrange()
        self._connect()
        follow_theme(self._apply_theme)
        self.show_empty()

    def show_empty(self) -> None:
        self._say(
            self.tr("How much does speculation help?"),
            self.tr(
                "Choose what to compare, then click Start. The target answers the same prompts with and without "
                "each draft, and the results show what is fastest on this computer."
            ),
        )
        self._pages.setCurrentWidget(self._empty)
        self.progress.hide()
        self._foot.hide()

    def begin(self, plan: BenchPlan) -> None:
        self._problem.dismiss()
        self.progress.begin(plan)
        self.progress.show()
        self._foot.hide()
        self._say(
            self.tr("Measuring"),
            self.tr(
                "All methods take turns on each prompt so that background load affects them equally. For the "
                "best results, leave the computer idle. Your pair reloads afterward."
            ),
        )
        self._pages.setCurrentWidget(self._empty)

    def show_partial_report(self, report: BenchReport) -> None:
        """While it runs: figures, but no advice yet."""
        self._show_figures(report, ())

    def show_report(self, report: BenchReport) -> None:
        self.progress.hide()
        if not report.rows:
            self.show_empty()
            return
        self._show_figures(report, advice_lines(report))
        self._scroll.verticalScrollBar().setValue(0)  # where the advice stands
        self._saved.clear()
        self._foot.show()
        self._offer(report)

    def show_problem(self, error: UserError) -> None:
        self._problem.show_error(error)
        self.problem_shown.emit()

    def show_saved(self, name: str) -> None:
        self._saved.setText(self.tr("Saved as {name}").format(name=name))

    def _apply_theme(self) -> None:
        for title in (self._advice, self._title):
            title.setStyleSheet(f"font-size: {scaled_px(TITLE_PX)}px; font-weight: 600;")

    def _say(self, title: str, explanation: str) -> None:
        self._title.setText(title)
        self._explanation.setText(explanation)

    def _show_figures(self, report: BenchReport, advice: Sequence[str]) -> None:
        self._advice.setText(advice[0] if advice else "")
        others = advice[1:] if report.complete or not advice else [*advice[1:], self._cut_short(report)]
        self._more.setText("\n".join([*others, *(translate_text(problem) for problem in report.problems)]))
        for label in (self._advice, self._more):
            label.setVisible(bool(label.text()))
        self._charts.show_report(report)
        self._table.show_report(report)
        self._differing.setText("\n".join(_notes(report)))
        self._differing.setVisible(bool(self._differing.text()))
        self._pages.setCurrentIndex(1)

    def _offer(self, report: BenchReport) -> None:
        """What is advised; nothing where the figures tell nothing."""
        best = best_row(report)
        ratio = best.ratio if best is not None else None
        if best is None or ratio is None or not is_conclusive(report.rows):
            self._use.hide()
            return
        words = self.tr("Use {way}").format(way=MethodLabels(report.plan).method_label(best.method))
        words = words if ratio.median >= 1 else self.tr("Chat without speculation")
        self._use.set_words(words)
        self._use.show()

    def _cut_short(self, report: BenchReport) -> str:
        plan = report.plan
        total = len(plan.methods) * len(plan.prompts) * plan.repeat
        words = self.tr("Stopped after {n} of {total} answers. The results cover only these answers.")
        return words.format(n=len(report.runs), total=total)

    def _connect(self) -> None:
        self._picture.clicked.connect(self.save_picture_requested)
        self._export.clicked.connect(self.export_requested)
        self._use.clicked.connect(self.use_requested)

    def _arrange(self) -> None:
        for button, name in ((self._picture, "benchPicture"), (self._export, "benchExport"), (self._use, "benchUse")):
            button.setObjectName(name)
        self._advice.setObjectName("benchAdvice")
        self._more.setObjectName("benchMore")
        self._differing.setObjectName("benchDiffering")
        self._more.setProperty("muted", True)
        for label in (self._advice, self._more):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._arrange_empty()
        self._arrange_figures()
        top = QVBoxLayout()
        top.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        top.setSpacing(2 * GRID)
        top.addWidget(self._problem)
        top.addWidget(self.progress)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * GRID, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._arranged_foot())

    def _arrange_empty(self) -> None:
        layout = QVBoxLayout(self._empty)
        layout.setContentsMargins(_MARGIN, 0, _MARGIN, _MARGIN)
        layout.setSpacing(GRID)
        layout.addStretch(2)
        for label in (self._title, self._explanation):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
            label.setFixedWidth(_WIDEST_WORDS)
            line = QHBoxLayout()
            line.addStretch()
            line.addWidget(label)
            line.addStretch()
            layout.addLayout(line)
        layout.addStretch(3)
        self._pages.addWidget(self._empty)

    def _arrange_figures(self) -> None:
        column = QVBoxLayout(self._figures)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self._advice)
        column.addWidget(self._more)
        column.addSpacing(GRID)
        column.addWidget(self._charts)
        column.addSpacing(2 * GRID)
        column.addWidget(self._table)
        column.addWidget(self._differing)
        column.addStretch(1)
        self._scroll.setObjectName("benchFigures")
        self._scroll.setAccessibleName(self.tr("Results"))
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # arrow keys scroll
        self._pages.addWidget(self._scroll)

    def _arranged_foot(self) -> QWidget:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(_MARGIN, 3 * GRID // 2, _MARGIN, 2 * GRID)
        buttons.setSpacing(GRID)
        buttons.addWidget(self._picture)
        buttons.addWidget(self._export)
        self._saved.setProperty("muted", True)
        buttons.addWidget(self._saved, 1)
        buttons.addWidget(self._use)
        layout = QVBoxLayout(self._foot)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(Separator(self._foot))
        layout.addLayout(buttons)
        return self._foot


def _notes(report: BenchReport) -> Iterator[str]:
    """What the figures above leave open."""
    if medians_disagree(report.rows):
        yield two_medians_note()
    if has_differing_answers(report):
        yield differing_answers_note(exact=report.plan.exact)
