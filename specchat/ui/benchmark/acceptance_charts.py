"""Charts of acceptance by position in the draft and over the course of an answer."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QPainter

from specchat.domain.benchmark import BenchMethod, BenchReport
from specchat.ui.benchmark.chart_canvas import (
    CENTRED,
    AxisScale,
    ChartCanvas,
    LegendEntry,
    LineStyle,
    x_position,
    y_position,
)
from specchat.ui.benchmark.line_styles import series_styles
from specchat.ui.benchmark.method_labels import MethodLabels
from specchat.ui.benchmark.report_stats import acceptance_over_answer, longest_method, rows_by_method
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.words.number_format import format_number, format_percent

translate = QCoreApplication.translate

_ALL = AxisScale(1.0, 0.25)


def title_by_position() -> str:
    return translate("Benchmark", "Accepted by position")


def title_over_answer() -> str:
    return translate("Benchmark", "Accepted over the course of an answer")


def paint_by_position(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, rows = ChartCanvas(painter, theme), rows_by_method(report)
    plot, methods = _begin(canvas, rect, report, title_by_position())
    canvas.draw_caption(plot, translate("Benchmark", "Position of the guess"))
    deepest = max((len(rows[method].accepted_per_position) for method, _ in methods), default=0)
    pitch = plot.width() / max(1, deepest)
    every = 1 + int(2.5 * GRID / pitch)
    for place in range(0, deepest, every):
        canvas.draw_text(
            canvas.tick_label_rect(plot, plot.left() + (place + 0.5) * pitch), format_number(place + 1), CENTRED
        )
    for method, line_style in methods:
        rates = enumerate(rows[method].accepted_per_position)
        points = [QPointF(plot.left() + (at + 0.5) * pitch, y_position(plot, _ALL, rate)) for at, rate in rates]
        canvas.draw_curve(points, line_style)


def paint_over_answer(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas = ChartCanvas(painter, theme)
    plot, methods = _begin(canvas, rect, report, title_over_answer())
    canvas.draw_caption(plot, translate("Benchmark", "Position in the answer"))
    curves = [(acceptance_over_answer(report, method), line_style) for method, line_style in methods]
    scale = AxisScale.up_to(max((at for points, _ in curves for at, _ in points), default=0.0))
    for tick in scale.ticks:
        canvas.draw_text(canvas.tick_label_rect(plot, x_position(plot, scale, tick)), format_number(tick), CENTRED)
    for points, line_style in curves:
        places = [QPointF(x_position(plot, scale, at), y_position(plot, _ALL, rate)) for at, rate in points]
        canvas.draw_curve(places, line_style, marked=False)
        for place in places[:: max(1, len(places) // 4)]:
            canvas.draw_mark(place, line_style)


def _begin(
    canvas: ChartCanvas, rect: QRectF, report: BenchReport, title: str
) -> tuple[QRectF, list[tuple[BenchMethod, LineStyle]]]:
    """The plot, and whose curves it is for."""
    names = MethodLabels(report.plan)
    ink_of = series_styles(names, canvas.theme)
    found = [(longest_method(report, series), line_style) for series, line_style in ink_of.items()]
    methods = [(method, line_style) for method, line_style in found if method is not None]
    area = canvas.draw_legend(
        canvas.draw_heading(rect, title),
        [LegendEntry(names.method_label(method), line_style) for method, line_style in methods],
    )
    return canvas.draw_value_rows(area.adjusted(0, 0, -2 * GRID, -canvas.footer_height), _ALL, format_percent), methods
