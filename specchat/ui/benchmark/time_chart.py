"""Bar chart of how the time per token is spent, for each method."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QColor, QPainter

from specchat.domain.benchmark import BenchReport, BenchRow
from specchat.ui.benchmark.chart_canvas import RIGHT, AxisScale, ChartCanvas, LegendEntry, LineStyle, x_position
from specchat.ui.benchmark.method_labels import MethodLabels, is_speculative, max_guesses_label, series_of
from specchat.ui.benchmark.report_stats import rows_by_method
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

_PITCH, _BAR = 22.0, 13.0
_WIDEST_NAME = 0.42
"""The largest share of the chart for a name."""
_MS = "\u00a0ms"


def title() -> str:
    return translate("Benchmark", "Time per token")


def height(canvas: ChartCanvas, width: float, report: BenchReport) -> float:
    head = canvas.line_height + GRID + canvas.legend_height(width, _parts(canvas))
    return head + _PITCH * len(_lines(report)) + canvas.footer_height


def paint(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, lines = ChartCanvas(painter, theme), _lines(report)
    area = canvas.draw_legend(canvas.draw_heading(rect, title()), _parts(canvas))
    totals = [_milliseconds(line.row) for line in lines if line.row is not None]
    beside = max((canvas.text_width(_words(total)) for total in totals), default=0.0) + GRID
    widest = max((canvas.text_width(line.words) for line in lines if line.row is not None), default=0.0)
    gutter = min(widest + GRID, _WIDEST_NAME * rect.width())
    plot = area.adjusted(gutter, 0, -beside, -canvas.footer_height)
    scale = AxisScale.up_to(max(totals, default=0.0))
    canvas.draw_value_columns(plot, scale, lambda tick: format_number(tick, scale.decimals))
    canvas.draw_caption(plot, translate("Benchmark", "Milliseconds"))
    for place, line in enumerate(lines):
        middle = plot.top() + (place + 0.5) * _PITCH
        name = QRectF(area.left(), middle - canvas.line_height / 2, area.width(), canvas.line_height)
        if line.row is None:
            canvas.painter.fillRect(name.adjusted(0, 0, canvas.text_width(line.words) - name.width(), 0), theme.window)
            canvas.draw_text(name, line.words)
            continue
        name.setWidth(gutter - GRID)
        canvas.draw_text(name, line.words, RIGHT, theme.text)
        canvas.draw_bar_value(
            _paint_bar(canvas, plot, scale, line.row, middle), middle, _words(_milliseconds(line.row))
        )


@dataclass(frozen=True, slots=True)
class _Line:
    words: str
    row: BenchRow | None = None
    """None: the heading of those that follow."""


def _lines(report: BenchReport) -> list[_Line]:
    names, rows = MethodLabels(report.plan), rows_by_method(report)
    lines = [_Line(names.method_label(method), row) for method, row in rows.items() if not is_speculative(method)]
    for series in names.series:
        ours = [
            _Line(max_guesses_label(method), row)
            for method, row in rows.items()
            if is_speculative(method) and series_of(method) == series
        ]
        if ours:
            lines += [_Line(names.series_name(series)), *ours]
    return lines


def _paint_bar(canvas: ChartCanvas, plot: QRectF, scale: AxisScale, row: BenchRow, middle: float) -> float:
    """Where it ends."""
    x = plot.left()
    for share, colour in zip((row.draft_share, row.verify_share, row.sample_share), _hues(canvas), strict=True):
        end = x + x_position(plot, scale, _milliseconds(row) * share) - plot.left()
        canvas.painter.fillRect(QRectF(x, middle - _BAR / 2, end - x, _BAR), colour)
        x = end
    return x


def _parts(canvas: ChartCanvas) -> list[LegendEntry]:
    words = (
        translate("Benchmark", "Drafting"),
        translate("Benchmark", "Target passes"),
        translate("Benchmark", "Sampling"),
    )
    return [
        LegendEntry(each, LineStyle(colour), is_area=True) for each, colour in zip(words, _hues(canvas), strict=True)
    ]


def _hues(canvas: ChartCanvas) -> tuple[QColor, QColor, QColor]:
    return canvas.theme.accepted, canvas.theme.accent, canvas.theme.rejected


def _milliseconds(row: BenchRow) -> float:
    return 1000 / row.tokens_per_s if row.tokens_per_s > 0 else 0.0


def _words(milliseconds: float) -> str:
    return format_number(milliseconds, 1 if milliseconds < 99.95 else 0) + _MS
