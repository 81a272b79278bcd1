"""How many of the guesses were accepted: by their position in the draft, and over the tokens of an answer."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QPainter

from specchat.domain.benchmarking import BenchReport, Way
from specchat.ui.benchmark.canvas import CENTRED, Canvas, Entry, Ink, Scale, level, reach
from specchat.ui.benchmark.figures import longest_way, over_the_answer, overall
from specchat.ui.benchmark.inks import inks
from specchat.ui.benchmark.names import Names
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.words.amounts import number, percent

translate = QCoreApplication.translate

_ALL = Scale(1.0, 0.25)


def title_by_position() -> str:
    return translate("Benchmark", "Accepted by position")


def title_over_answer() -> str:
    return translate("Benchmark", "Accepted over an answer")


def paint_by_position(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, rows = Canvas(painter, theme), overall(report)
    plot, ways = _begin(canvas, rect, report, title_by_position())
    canvas.caption(plot, translate("Benchmark", "Position of the guess in the draft"))
    deepest = max((len(rows[way].accepted_per_position) for way, _ in ways), default=0)
    pitch = plot.width() / max(1, deepest)
    every = 1 + int(2.5 * GRID / pitch)
    for place in range(0, deepest, every):
        canvas.write(canvas.below(plot, plot.left() + (place + 0.5) * pitch), number(place + 1), CENTRED)
    for way, ink in ways:
        rates = enumerate(rows[way].accepted_per_position)
        points = [QPointF(plot.left() + (at + 0.5) * pitch, level(plot, _ALL, rate)) for at, rate in rates]
        canvas.curve(points, ink)


def paint_over_answer(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas = Canvas(painter, theme)
    plot, ways = _begin(canvas, rect, report, title_over_answer())
    canvas.caption(plot, translate("Benchmark", "Token of the answer"))
    curves = [(over_the_answer(report, way), ink) for way, ink in ways]
    scale = Scale.up_to(max((at for points, _ in curves for at, _ in points), default=0.0))
    for tick in scale.ticks:
        canvas.write(canvas.below(plot, reach(plot, scale, tick)), number(tick), CENTRED)
    for points, ink in curves:
        places = [QPointF(reach(plot, scale, at), level(plot, _ALL, rate)) for at, rate in points]
        canvas.curve(places, ink, marked=False)
        for place in places[:: max(1, len(places) // 4)]:
            canvas.mark(place, ink)


def _begin(canvas: Canvas, rect: QRectF, report: BenchReport, title: str) -> tuple[QRectF, list[tuple[Way, Ink]]]:
    """The plot, and whose curves it is for."""
    names = Names(report.plan)
    ink_of = inks(names, canvas.theme)
    found = [(longest_way(report, series), ink) for series, ink in ink_of.items()]
    ways = [(way, ink) for way, ink in found if way is not None]
    area = canvas.legend(canvas.heading(rect, title), [Entry(names.of_way(way), ink) for way, ink in ways])
    return canvas.rows(area.adjusted(0, 0, -2 * GRID, -canvas.foot), _ALL, percent), ways
