"""Where the time of a token goes, in each way."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QColor, QPainter

from specchat.domain.benchmarking import BenchReport, Row
from specchat.ui.benchmark.canvas import RIGHT, Canvas, Entry, Ink, Scale, reach
from specchat.ui.benchmark.figures import overall
from specchat.ui.benchmark.names import Names, guesses, series_of, up_to
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.words.amounts import number

translate = QCoreApplication.translate

_PITCH, _BAR = 22.0, 13.0
_WIDEST_NAME = 0.42
"""Of the chart."""
_MS = "\u00a0ms"


def title() -> str:
    return translate("Benchmark", "Time for one token")


def height(canvas: Canvas, width: float, report: BenchReport) -> float:
    head = canvas.line + GRID + canvas.legend_height(width, _parts(canvas))
    return head + _PITCH * len(_lines(report)) + canvas.foot


def paint(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, lines = Canvas(painter, theme), _lines(report)
    area = canvas.legend(canvas.heading(rect, title()), _parts(canvas))
    totals = [_milliseconds(line.row) for line in lines if line.row is not None]
    beside = max((canvas.width(_words(total)) for total in totals), default=0.0) + GRID
    widest = max((canvas.width(line.words) for line in lines if line.row is not None), default=0.0)
    gutter = min(widest + GRID, _WIDEST_NAME * rect.width())
    plot = area.adjusted(gutter, 0, -beside, -canvas.foot)
    scale = Scale.up_to(max(totals, default=0.0))
    canvas.columns(plot, scale, lambda tick: number(tick, scale.decimals))
    canvas.caption(plot, translate("Benchmark", "Milliseconds"))
    for place, line in enumerate(lines):
        middle = plot.top() + (place + 0.5) * _PITCH
        name = QRectF(area.left(), middle - canvas.line / 2, area.width(), canvas.line)
        if line.row is None:
            canvas.painter.fillRect(name.adjusted(0, 0, canvas.width(line.words) - name.width(), 0), theme.window)
            canvas.write(name, line.words)
            continue
        name.setWidth(gutter - GRID)
        canvas.write(name, line.words, RIGHT, theme.text)
        canvas.value(_paint_bar(canvas, plot, scale, line.row, middle), middle, _words(_milliseconds(line.row)))


@dataclass(frozen=True, slots=True)
class _Line:
    words: str
    row: Row | None = None
    """None: the heading of those that follow."""


def _lines(report: BenchReport) -> list[_Line]:
    names, rows = Names(report.plan), overall(report)
    lines = [_Line(names.of_way(way), row) for way, row in rows.items() if not guesses(way)]
    for series in names.series:
        ours = [_Line(up_to(way), row) for way, row in rows.items() if guesses(way) and series_of(way) == series]
        if ours:
            lines += [_Line(names.of_series(series)), *ours]
    return lines


def _paint_bar(canvas: Canvas, plot: QRectF, scale: Scale, row: Row, middle: float) -> float:
    """Where it ends."""
    x = plot.left()
    for share, colour in zip((row.draft_share, row.verify_share, row.sample_share), _hues(canvas), strict=True):
        end = x + reach(plot, scale, _milliseconds(row) * share) - plot.left()
        canvas.painter.fillRect(QRectF(x, middle - _BAR / 2, end - x, _BAR), colour)
        x = end
    return x


def _parts(canvas: Canvas) -> list[Entry]:
    words = (
        translate("Benchmark", "Guessing"),
        translate("Benchmark", "Passes of the target"),
        translate("Benchmark", "Choosing tokens"),
    )
    return [Entry(each, Ink(colour), is_area=True) for each, colour in zip(words, _hues(canvas), strict=True)]


def _hues(canvas: Canvas) -> tuple[QColor, QColor, QColor]:
    return canvas.theme.accepted, canvas.theme.accent, canvas.theme.rejected


def _milliseconds(row: Row) -> float:
    return 1000 / row.tokens_per_s if row.tokens_per_s > 0 else 0.0


def _words(milliseconds: float) -> str:
    return number(milliseconds, 1 if milliseconds < 99.95 else 0) + _MS
