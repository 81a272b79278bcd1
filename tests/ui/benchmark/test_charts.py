"""The charts as they are painted."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support import bench_reports
from support.bench_reports import DRAFT, TARGET
from support.benches import FOUR, PLAIN, plan, runs

from specchat.domain.benchmark import BenchReport
from specchat.services.bench.summary import summarize_runs
from specchat.ui.benchmark.charts import CHARTS, Chart, arrange_charts
from specchat.ui.benchmark.charts_view import ChartsView
from specchat.ui.benchmark.speed_chart import _speeds
from specchat.ui.widgets.theme import DARK, LIGHT, Theme

WIDTHS = (560, 800, 1400)
REPORTS = {
    "whole": bench_reports.report(),
    "begun": bench_reports.report(share=0.03),
    "one draft": bench_reports.report(bench_reports.plan((DRAFT,), lengths=(4,), workloads=("chat",), repeat=1)),
    "no draft": bench_reports.report(bench_reports.plan((), targets=(TARGET, bench_reports.LARGE_TARGET))),
    "nothing": bench_reports.report(share=0.0),
}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_chart_overlaps_another_or_paints_beyond_its_place(
    qapp: QApplication, report: BenchReport, width: int, theme: Theme
) -> None:
    places = arrange_charts(theme, width, report)
    taken = list(places.values())
    assert not any(one.intersects(other) for at, one in enumerate(taken) for other in taken[at + 1 :])
    for chart, place in places.items():
        assert place.right() <= width
        assert edge_colours(painted(chart, place, report, theme)) == {theme.window.name()}


def test_what_is_not_measured_yet_has_no_chart(qapp: QApplication) -> None:
    assert arrange_charts(LIGHT, 800, REPORTS["nothing"]) == {}
    plain = {chart.name for chart in arrange_charts(LIGHT, 800, REPORTS["no draft"])}
    assert plain == {"speedChart", "timeChart"}
    assert set(arrange_charts(LIGHT, 800, REPORTS["whole"])) == set(CHARTS)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.name)
def test_each_draft_has_its_colour(qapp: QApplication, chart: Chart) -> None:
    report = REPORTS["whole"]
    place = arrange_charts(LIGHT, 800, report)[chart]
    seen = colours(painted(chart, place, report, LIGHT))
    expected = {LIGHT.accepted.name(), LIGHT.accent.name()}
    if chart.name != "timeChart":
        expected.add(LIGHT.ngram.name())
    assert expected <= seen


def test_bars_are_as_long_as_the_gain(qapp: QApplication) -> None:
    """Twice as fast is twice as far from zero."""
    chart = next(chart for chart in CHARTS if chart.name == "workloadChart")
    report = bench_reports.report(bench_reports.plan((DRAFT,), workloads=("chat", "code")))
    image = painted(chart, arrange_charts(LIGHT, 800, report)[chart], report, LIGHT)
    lengths = bar_lengths(image, LIGHT.accepted)
    ratios = [row.ratio.median for row in report.rows if row.workload and row.ratio and row.method.draft_max is None]
    assert lengths[1] / lengths[0] == pytest.approx(ratios[1] / ratios[0], rel=0.03)


def test_the_view_is_as_high_as_its_charts(qtbot: QtBot) -> None:
    view = ChartsView()
    qtbot.addWidget(view)
    view.show_report(REPORTS["begun"])
    before = view.heightForWidth(800)
    view.show_report(REPORTS["whole"])
    assert view.heightForWidth(800) > before
    assert view.heightForWidth(800) == round(
        max(place.bottom() for place in arrange_charts(LIGHT, 800, REPORTS["whole"]).values())
    )


def painted(chart: Chart, place: QRectF, report: BenchReport, theme: Theme, margin: int = 12) -> QImage:
    """With a margin, in which nothing should be."""
    image = QImage(round(place.width()) + 2 * margin, round(place.height()) + 2 * margin, QImage.Format.Format_RGB32)
    image.fill(theme.window)
    painter = QPainter(image)
    chart.paint(painter, QRectF(margin, margin, place.width(), place.height()), report, theme)
    painter.end()
    return image


def edge_colours(image: QImage) -> set[str]:
    """Of the margin, a little apart from what may be blurred into it."""
    right, bottom = image.width() - 1, image.height() - 1
    spots = [(x, y) for x in range(0, right, 2) for y in (0, 4, bottom - 4, bottom)]
    spots += [(x, y) for y in range(0, bottom, 2) for x in (0, 4, right - 4, right)]
    return {image.pixelColor(x, y).name() for x, y in spots}


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def bar_lengths(image: QImage, colour: QColor) -> Sequence[int]:
    """Of each run of lines in this colour, below the legend."""
    found, above = [], 0
    for y in range(70, image.height()):
        here = sum(image.pixelColor(x, y) == colour for x in range(image.width()))
        if here > 20 and above <= 20:
            found.append(here)
        above = here
    return found


def test_the_axis_ends_with_what_is_painted() -> None:
    """Of plain decoding only the median is: a single fast answer of it would leave the chart empty."""
    plain, four = runs(PLAIN, [10.0, 10.0, 90.0]), runs(FOUR, [20.0, 20.0, 20.0])
    report = summarize_runs(plan(PLAIN, FOUR), [*plain, *four], complete=True)
    assert max(speed.high for speed in _speeds(report).values()) == pytest.approx(20.0)
