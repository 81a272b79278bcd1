"""Defines all charts and computes their layout."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from specchat.domain.benchmark import BenchReport
from specchat.ui.benchmark import acceptance_charts, speed_chart, time_chart, workload_chart
from specchat.ui.benchmark.chart_canvas import ChartCanvas
from specchat.ui.benchmark.report_stats import has_comparison, has_guesses
from specchat.ui.widgets.theme import GRID, Theme

GAP = 4.0 * GRID
_TALL, _USUAL = 34.0 * GRID, 30.0 * GRID

Paint = Callable[[QPainter, QRectF, BenchReport, Theme], None]
Height = Callable[[ChartCanvas, float, BenchReport], float]
Shows = Callable[[BenchReport], bool]


def _always(height: float) -> Height:
    return lambda canvas, width, report: height


@dataclass(frozen=True, slots=True)
class Chart:
    name: str
    title: Callable[[], str]
    paint: Paint
    height: Height
    shows: Shows
    """Whether there is anything to show yet."""


def _is_measured(report: BenchReport) -> bool:
    return bool(report.rows)


_WIDE = Chart("speedChart", speed_chart.title, speed_chart.paint, _always(_TALL), _is_measured)
_ROWS = (
    (
        Chart("workloadChart", workload_chart.title, workload_chart.paint, workload_chart.height, has_comparison),
        Chart("timeChart", time_chart.title, time_chart.paint, time_chart.height, _is_measured),
    ),
    (
        Chart(
            "positionChart",
            acceptance_charts.title_by_position,
            acceptance_charts.paint_by_position,
            _always(_USUAL),
            has_guesses,
        ),
        Chart(
            "answerChart",
            acceptance_charts.title_over_answer,
            acceptance_charts.paint_over_answer,
            _always(_USUAL),
            has_guesses,
        ),
    ),
)
CHARTS = (_WIDE, *(chart for row in _ROWS for chart in row))


def arrange_charts(theme: Theme, width: float, report: BenchReport) -> dict[Chart, QRectF]:
    """The first one across, the others two in a row."""
    canvas, places, y, half = ChartCanvas.for_measuring(theme), {}, 0.0, (width - GAP) / 2
    for row in ((_WIDE,), *_ROWS):
        shown = [chart for chart in row if chart.shows(report)]
        each = width if row == (_WIDE,) else half
        heights = [chart.height(canvas, each, report) for chart in shown]
        for column, (chart, height) in enumerate(zip(shown, heights, strict=True)):
            places[chart] = QRectF(column * (half + GAP), y, each, height)
        y += max(heights) + GAP if heights else 0.0
    return places
