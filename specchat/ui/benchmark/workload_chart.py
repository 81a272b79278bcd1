"""How many times as fast as plain decoding each kind of text is answered."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QPainter

from specchat.domain.benchmarking import BenchReport, Ratio, Way
from specchat.ui.benchmark.canvas import RIGHT, Canvas, Entry, Ink, Scale, reach
from specchat.ui.benchmark.figures import per_workload, shown_way, workloads
from specchat.ui.benchmark.inks import inks, plain_ink
from specchat.ui.benchmark.names import Names
from specchat.ui.benchmark.workload_words import workload_name
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.words.amounts import number

translate = QCoreApplication.translate

_PITCH, _BAR = 18.0, 12.0
_BETWEEN = 10.0
"""Of two kinds of text."""
_WIDEST_NAME = 0.35


def title() -> str:
    return translate("Benchmark", "Times as fast as plain")


def height(canvas: Canvas, width: float, report: BenchReport) -> float:
    ways = _shown(canvas, report)
    head = canvas.line + GRID + canvas.legend_height(width, _entries(report, ways))
    return head + len(workloads(report)) * (max(1, len(ways)) * _PITCH + _BETWEEN) + canvas.line + GRID


def paint(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, found = Canvas(painter, theme), per_workload(report)
    ways, kinds = _shown(canvas, report), workloads(report)
    area = canvas.legend(canvas.heading(rect, title()), _entries(report, ways))
    ratios = {
        key: row.ratio for key, row in found.items() if row.ratio is not None and any(key[1] == way for way, _ in ways)
    }
    beside = max((canvas.width(_times(ratio.median)) for ratio in ratios.values()), default=0.0) + 2 * GRID
    widest = max((canvas.width(workload_name(kind)) for kind in kinds), default=0.0)
    gutter = min(widest + GRID, _WIDEST_NAME * rect.width())
    plot = area.adjusted(gutter, 0, -beside, -canvas.line - GRID)
    scale = Scale.up_to(max((1.0, *(ratio.highest for ratio in ratios.values()))))
    canvas.columns(plot, scale, lambda tick: number(tick, scale.decimals))
    group = len(ways) * _PITCH + _BETWEEN
    for place, kind in enumerate(kinds):
        top = plot.top() + place * group + _BETWEEN / 2
        name = QRectF(area.left(), top + (group - _BETWEEN - canvas.line) / 2, gutter - GRID, canvas.line)
        canvas.write(name, workload_name(kind), RIGHT, theme.text)
        for at, (way, ink) in enumerate(ways):
            ratio = ratios.get((kind, way))
            if ratio is not None:
                middle = top + (at + 0.5) * _PITCH
                _paint_bar(canvas, plot, scale, ratio, ink, middle)
                value = QRectF(plot.right(), middle - canvas.line / 2, beside, canvas.line)
                canvas.write(value, _times(ratio.median), RIGHT, theme.text)
    _paint_plain(canvas, plot, scale)


def _paint_bar(canvas: Canvas, plot: QRectF, scale: Scale, ratio: Ratio, ink: Ink, middle: float) -> None:
    end = reach(plot, scale, ratio.median)
    canvas.painter.fillRect(QRectF(plot.left(), middle - _BAR / 2, end - plot.left(), _BAR), ink.colour)
    low, high = (QPointF(reach(plot, scale, value), middle) for value in (ratio.lowest, ratio.highest))
    canvas.whisker(low, high, Ink(canvas.theme.text))


def _paint_plain(canvas: Canvas, plot: QRectF, scale: Scale) -> None:
    x = round(reach(plot, scale, 1.0)) + 0.5
    canvas.painter.setPen(plain_ink(canvas.theme).pen(1.5))
    canvas.painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))


def _shown(canvas: Canvas, report: BenchReport) -> list[tuple[Way, Ink]]:
    """Each line of the other charts in the way to be used."""
    ink_of = inks(Names(report.plan), canvas.theme)
    found = [(shown_way(report, series), ink) for series, ink in ink_of.items()]
    return [(way, ink) for way, ink in found if way is not None]


def _entries(report: BenchReport, ways: list[tuple[Way, Ink]]) -> list[Entry]:
    names = Names(report.plan)
    return [Entry(names.of_way(way), ink, is_area=True) for way, ink in ways]


def _times(ratio: float) -> str:
    return number(ratio, 2) + "×"
