"""Bar chart of the speed-up over plain decoding for each kind of prompt."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QPainter

from specchat.domain.benchmark import BenchMethod, BenchReport, Speedup
from specchat.ui.benchmark.chart_canvas import RIGHT, AxisScale, ChartCanvas, LegendEntry, LineStyle, x_position
from specchat.ui.benchmark.line_styles import plain_style, series_styles
from specchat.ui.benchmark.method_labels import MethodLabels
from specchat.ui.benchmark.report_stats import best_method, compared_workloads, rows_by_workload
from specchat.ui.benchmark.workload_labels import workload_name
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

_PITCH, _BAR = 18.0, 12.0
_BETWEEN = 10.0
"""The gap between two kinds of prompts."""
_WIDEST_NAME = 0.35


def title() -> str:
    return translate("Benchmark", "Speed-up over plain decoding")


def height(canvas: ChartCanvas, width: float, report: BenchReport) -> float:
    methods = _shown(canvas, report)
    head = canvas.line_height + GRID + canvas.legend_height(width, _entries(report, methods))
    return (
        head + len(compared_workloads(report)) * (max(1, len(methods)) * _PITCH + _BETWEEN) + canvas.line_height + GRID
    )


def paint(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, found = ChartCanvas(painter, theme), rows_by_workload(report)
    methods, kinds = _shown(canvas, report), compared_workloads(report)
    area = canvas.draw_legend(canvas.draw_heading(rect, title()), _entries(report, methods))
    ratios = {
        key: row.ratio
        for key, row in found.items()
        if row.ratio is not None and any(key[1] == method for method, _ in methods)
    }
    beside = max((canvas.text_width(_times(ratio.median)) for ratio in ratios.values()), default=0.0) + 2 * GRID
    widest = max((canvas.text_width(workload_name(kind)) for kind in kinds), default=0.0)
    gutter = min(widest + GRID, _WIDEST_NAME * rect.width())
    plot = area.adjusted(gutter, 0, -beside, -canvas.line_height - GRID)
    scale = AxisScale.up_to(max((1.0, *(ratio.highest for ratio in ratios.values()))))
    canvas.draw_value_columns(plot, scale, lambda tick: format_number(tick, scale.decimals))
    group = len(methods) * _PITCH + _BETWEEN
    for place, kind in enumerate(kinds):
        top = plot.top() + place * group + _BETWEEN / 2
        name = QRectF(area.left(), top + (group - _BETWEEN - canvas.line_height) / 2, gutter - GRID, canvas.line_height)
        canvas.draw_text(name, workload_name(kind), RIGHT, theme.text)
        for at, (method, line_style) in enumerate(methods):
            ratio = ratios.get((kind, method))
            if ratio is not None:
                middle = top + (at + 0.5) * _PITCH
                _paint_bar(canvas, plot, scale, ratio, line_style, middle)
                value = QRectF(plot.right(), middle - canvas.line_height / 2, beside, canvas.line_height)
                canvas.draw_text(value, _times(ratio.median), RIGHT, theme.text)
    _paint_plain(canvas, plot, scale)


def _paint_bar(
    canvas: ChartCanvas, plot: QRectF, scale: AxisScale, ratio: Speedup, line_style: LineStyle, middle: float
) -> None:
    end = x_position(plot, scale, ratio.median)
    canvas.painter.fillRect(QRectF(plot.left(), middle - _BAR / 2, end - plot.left(), _BAR), line_style.colour)
    low, high = (QPointF(x_position(plot, scale, value), middle) for value in (ratio.lowest, ratio.highest))
    canvas.draw_whisker(low, high, LineStyle(canvas.theme.text))


def _paint_plain(canvas: ChartCanvas, plot: QRectF, scale: AxisScale) -> None:
    x = round(x_position(plot, scale, 1.0)) + 0.5
    canvas.painter.setPen(plain_style(canvas.theme).pen(1.5))
    canvas.painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))


def _shown(canvas: ChartCanvas, report: BenchReport) -> list[tuple[BenchMethod, LineStyle]]:
    """The method to be used of each line of the other charts."""
    ink_of = series_styles(MethodLabels(report.plan), canvas.theme)
    found = [(best_method(report, series), line_style) for series, line_style in ink_of.items()]
    return [(method, line_style) for method, line_style in found if method is not None]


def _entries(report: BenchReport, methods: list[tuple[BenchMethod, LineStyle]]) -> list[LegendEntry]:
    names = MethodLabels(report.plan)
    return [LegendEntry(names.method_label(method), line_style, is_area=True) for method, line_style in methods]


def _times(ratio: float) -> str:
    return format_number(ratio, 2) + "×"
