"""Chart of the generation speed by the maximum number of guesses per pass."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QPainter

from specchat.domain.benchmark import BenchMethod, BenchReport
from specchat.ui.benchmark.chart_canvas import CENTRED, AxisScale, ChartCanvas, LegendEntry, LineStyle, y_position
from specchat.ui.benchmark.line_styles import plain_style, series_styles
from specchat.ui.benchmark.method_labels import MethodLabels, Series, draft_length_label, is_speculative, series_of
from specchat.ui.benchmark.report_stats import rows_by_method, speed_range
from specchat.ui.widgets.theme import Theme
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

_MARK, _AUTO_MARK = 3.5, 5.0
_BESIDE = 8.0
"""Between the marks of lines that share a length."""


def title() -> str:
    return translate("Benchmark", "Tokens per second")


def paint(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, names, speeds = ChartCanvas(painter, theme), MethodLabels(report.plan), _speeds(report)
    ink_of = series_styles(names, theme)
    alone = [method for method in report.plan.methods if not is_speculative(method)]
    plain = {method: plain_style(theme, place) for place, method in enumerate(alone) if method in speeds}
    area = canvas.draw_heading(rect, title())
    entries = [LegendEntry(names.series_name(series), ink_of[series]) for series in names.series]
    area = canvas.draw_legend(
        area, [*entries, *(LegendEntry(names.method_label(method), line_style) for method, line_style in plain.items())]
    )
    scale = AxisScale.up_to(max((speed.high for speed in speeds.values()), default=0.0))
    plot = canvas.draw_value_rows(
        area.adjusted(0, 0, 0, -canvas.footer_height), scale, lambda tick: format_number(tick, scale.decimals)
    )
    canvas.draw_caption(plot, translate("Benchmark", "Max guesses per pass"))
    places = _places(plot, report)
    for length, x in places.items():
        canvas.draw_text(canvas.tick_label_rect(plot, x), draft_length_label(length), CENTRED)
    for method, line_style in plain.items():
        y = y_position(plot, scale, speeds[method].median)
        canvas.draw_curve([QPointF(plot.left(), y), QPointF(plot.right(), y)], line_style, marked=False)
    for place, series in enumerate(names.series):
        aside = (place - (len(names.series) - 1) / 2) * _BESIDE
        _paint_series(canvas, ink_of[series], _points(series, speeds, places, plot, scale, aside))


@dataclass(frozen=True, slots=True)
class _Speed:
    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class _Point:
    at: QPointF
    low: QPointF
    high: QPointF
    is_auto: bool


def _speeds(report: BenchReport) -> dict[BenchMethod, _Speed]:
    """As far as they are painted: plain decoding is a line at its median."""
    found = {}
    for method, row in rows_by_method(report).items():
        middle = row.tokens_per_s
        low, high = speed_range(report, method, middle) if is_speculative(method) else (middle, middle)
        found[method] = _Speed(low, middle, high)
    return found


def _places(plot: QRectF, report: BenchReport) -> dict[int | None, float]:
    """From left to right, "auto" last, as it is no number."""
    lengths = {method.draft_max for method in report.plan.methods if is_speculative(method)}
    ordered = sorted(lengths, key=lambda length: (length is None, length))
    return {length: plot.left() + plot.width() * (at + 0.5) / len(ordered) for at, length in enumerate(ordered)}


def _points(
    series: Series,
    speeds: dict[BenchMethod, _Speed],
    places: dict[int | None, float],
    plot: QRectF,
    scale: AxisScale,
    aside: float,
) -> list[_Point]:
    points = []
    for length, x in places.items():
        method = next((method for method in speeds if series_of(method) == series and method.draft_max == length), None)
        if method is not None:
            speed = speeds[method]
            low, at, high = (
                QPointF(x + aside, y_position(plot, scale, value)) for value in (speed.low, speed.median, speed.high)
            )
            points.append(_Point(at, low, high, is_auto=length is None))
    return points


def _paint_series(canvas: ChartCanvas, line_style: LineStyle, points: list[_Point]) -> None:
    canvas.draw_curve([point.at for point in points if not point.is_auto], line_style, marked=False)
    for point in points:
        canvas.draw_whisker(point.low, point.high, line_style)
        canvas.draw_mark(point.at, line_style, _AUTO_MARK if point.is_auto else _MARK)
