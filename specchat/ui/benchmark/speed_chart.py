"""Tokens per second, by the most guesses that one pass verifies."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QPainter

from specchat.domain.benchmarking import BenchReport, Way
from specchat.ui.benchmark.canvas import CENTRED, Canvas, Entry, Ink, Scale, level
from specchat.ui.benchmark.figures import overall, speed_range
from specchat.ui.benchmark.inks import inks, plain_ink
from specchat.ui.benchmark.names import Names, Series, guesses, length_words, series_of
from specchat.ui.widgets.theme import Theme
from specchat.ui.words.amounts import number

translate = QCoreApplication.translate

_MARK, _AUTO_MARK = 3.5, 5.0
_BESIDE = 8.0
"""Between the marks of lines that share a length."""


def title() -> str:
    return translate("Benchmark", "Tokens per second")


def paint(painter: QPainter, rect: QRectF, report: BenchReport, theme: Theme) -> None:
    canvas, names, speeds = Canvas(painter, theme), Names(report.plan), _speeds(report)
    ink_of = inks(names, theme)
    alone = [way for way in report.plan.ways if not guesses(way)]
    plain = {way: plain_ink(theme, place) for place, way in enumerate(alone) if way in speeds}
    area = canvas.heading(rect, title())
    entries = [Entry(names.of_series(series), ink_of[series]) for series in names.series]
    area = canvas.legend(area, [*entries, *(Entry(names.of_way(way), ink) for way, ink in plain.items())])
    scale = Scale.up_to(max((speed.high for speed in speeds.values()), default=0.0))
    plot = canvas.rows(area.adjusted(0, 0, 0, -canvas.foot), scale, lambda tick: number(tick, scale.decimals))
    canvas.caption(plot, translate("Benchmark", "Most guesses per pass"))
    places = _places(plot, report)
    for length, x in places.items():
        canvas.write(canvas.below(plot, x), length_words(length), CENTRED)
    for way, ink in plain.items():
        y = level(plot, scale, speeds[way].median)
        canvas.curve([QPointF(plot.left(), y), QPointF(plot.right(), y)], ink, marked=False)
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


def _speeds(report: BenchReport) -> dict[Way, _Speed]:
    """As far as they are painted: plain decoding is a line at its median."""
    found = {}
    for way, row in overall(report).items():
        middle = row.tokens_per_s
        low, high = speed_range(report, way, middle) if guesses(way) else (middle, middle)
        found[way] = _Speed(low, middle, high)
    return found


def _places(plot: QRectF, report: BenchReport) -> dict[int | None, float]:
    """From left to right, "auto" last, as it is no number."""
    lengths = {way.draft_max for way in report.plan.ways if guesses(way)}
    ordered = sorted(lengths, key=lambda length: (length is None, length))
    return {length: plot.left() + plot.width() * (at + 0.5) / len(ordered) for at, length in enumerate(ordered)}


def _points(
    series: Series,
    speeds: dict[Way, _Speed],
    places: dict[int | None, float],
    plot: QRectF,
    scale: Scale,
    aside: float,
) -> list[_Point]:
    points = []
    for length, x in places.items():
        way = next((way for way in speeds if series_of(way) == series and way.draft_max == length), None)
        if way is not None:
            speed = speeds[way]
            low, at, high = (
                QPointF(x + aside, level(plot, scale, value)) for value in (speed.low, speed.median, speed.high)
            )
            points.append(_Point(at, low, high, is_auto=length is None))
    return points


def _paint_series(canvas: Canvas, ink: Ink, points: list[_Point]) -> None:
    canvas.curve([point.at for point in points if not point.is_auto], ink, marked=False)
    for point in points:
        canvas.whisker(point.low, point.high, ink)
        canvas.mark(point.at, ink, _AUTO_MARK if point.is_auto else _MARK)
