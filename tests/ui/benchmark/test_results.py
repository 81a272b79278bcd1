"""What is offered beside the figures."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyle, QStyleOptionButton
from pytestqt.qtbot import QtBot
from support import bench_reports
from support.benches import AUTO, FOUR, PLAIN, PROMPTS, plan, runs

from specchat.domain.benchmark import BenchReport
from specchat.services.bench.summary import summarize_runs
from specchat.ui.benchmark.method_table import MethodTableView
from specchat.ui.benchmark.results_view import ResultsView


def report(speed: float, n_prompts: int) -> BenchReport:
    asked = [PROMPTS[number % 2] for number in range(n_prompts)]
    measured = [
        each
        for method, at in ((PLAIN, 10.0), (FOUR, speed), (AUTO, 0.8 * speed))
        for each in runs(method, *[[at]] * n_prompts)
    ]
    return summarize_runs(plan(PLAIN, FOUR, AUTO, prompts=asked), measured, complete=True)


def test_what_is_advised_can_be_used_by_its_name(qtbot: QtBot) -> None:
    results = ResultsView()
    qtbot.addWidget(results)
    results.show_report(report(20.0, 4))
    assert results._use.isVisibleTo(results)
    assert results._use.text() == "Use draft · up to 4"
    results.show_report(report(5.0, 4))
    assert results._use.text() == "Chat without speculation"


def test_so_few_answers_advise_nothing(qtbot: QtBot) -> None:
    results = ResultsView()
    qtbot.addWidget(results)
    results.show_report(report(20.0, 1))
    assert "Too few answers for a result" in results._advice.text()
    assert not results._use.isVisibleTo(results)


def test_the_advice_comes_into_sight(qtbot: QtBot) -> None:
    """Whoever has scrolled to the figures meanwhile would not see it."""
    results = ResultsView()
    qtbot.addWidget(results)
    results.resize(800, 400)
    results.show()
    results.show_partial_report(bench_reports.report(share=0.5))
    bar = results._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    bar.setValue(bar.maximum())
    results.show_report(bench_reports.report())
    assert bar.value() == 0
    assert results._advice.visibleRegion().boundingRect().height() == results._advice.height()


@pytest.mark.parametrize("width", [1000, 300])
def test_no_figure_is_cut(qtbot: QtBot, choose_text_size: Callable[[int], None], width: int) -> None:
    choose_text_size(22)
    table = MethodTableView()
    qtbot.addWidget(table)
    table.resize(width, 100)
    table.show()
    table.show_report(bench_reports.report())
    header = table.horizontalHeader()
    for column in range(1, header.count()):
        heading = str(table.model().headerData(column, Qt.Orientation.Horizontal))
        words = QFontMetrics(table._model.font).horizontalAdvance(heading)
        assert header.sectionSize(column) >= max(table.sizeHintForColumn(column), words)
    assert header.sectionSize(0) >= table.fontMetrics().horizontalAdvance("Qwen… up to 4")
    assert (table.horizontalScrollBar().maximum() > 0) is (width == 300)
    assert table.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize("exact", [False, True])
def test_another_answer_is_explained_where_it_stands(qtbot: QtBot, exact: bool) -> None:
    results = ResultsView()
    qtbot.addWidget(results)
    of = replace(plan(PLAIN, FOUR, AUTO), exact=exact)
    measured = [*runs(PLAIN, (10, 10), (10, 10)), *runs(FOUR, (20, 20), (20, 20)), *runs(AUTO, (20, 20), (20, 20))]
    measured[4:6] = (replace(each, same_as_plain=False) for each in measured[4:6])
    results.show_report(summarize_runs(of, measured))
    model = results._table.model()
    cells = [model.index(row, model.columnCount() - 1) for row in range(3)]
    assert [cell.data() for cell in cells] == ["–", "2 of 4", "yes"]
    why = "rounding changed the choice between two tokens"
    hints = [" ".join(cell.data(Qt.ItemDataRole.ToolTipRole).split()) for cell in cells]
    assert [why in hint for hint in hints] == [False, True, False]
    remedy = "“Exact” to prevent that"
    assert hints[1].count(remedy) == results._differing.text().count(remedy) == (not exact)
    assert why in results._differing.text()
    assert results._differing.isVisibleTo(results)
    results.show_report(report(20.0, 4))
    assert not results._differing.isVisibleTo(results)


def test_medians_that_seem_to_disagree_are_explained(qtbot: QtBot) -> None:
    results = ResultsView()
    qtbot.addWidget(results)
    results.show_report(summarize_runs(plan(PLAIN, FOUR), [*runs(PLAIN, (10, 10, 40)), *runs(FOUR, (15, 40, 60))]))
    assert "The two can differ" in results._differing.text()
    assert results._differing.isVisibleTo(results)


def test_of_no_guesses_no_share_is_accepted(qtbot: QtBot) -> None:
    results = ResultsView()
    qtbot.addWidget(results)
    measured = [*runs(PLAIN, (10, 10)), *runs(AUTO, (10, 10)), *runs(FOUR, (15, 15))]
    silent = [replace(each, stats=replace(each.stats, n_drafted=0, n_accepted=0)) for each in measured[2:4]]
    results.show_report(summarize_runs(plan(PLAIN, AUTO, FOUR), [*measured[:2], *silent, *measured[4:]]))
    model = results._table.model()
    assert [model.index(row, 3).data() for row in range(3)] == ["–", "–", "60\N{NO-BREAK SPACE}%"]


def test_a_long_name_is_shortened_where_the_window_is_small(qtbot: QtBot) -> None:
    results = ResultsView()
    qtbot.addWidget(results)
    results.resize(560, 400)
    results.show()
    results.show_report(bench_reports.report())
    qtbot.waitExposed(results)
    button, option = results._use, QStyleOptionButton()
    button.initStyleOption(option)
    place = button.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, button)
    assert button.fontMetrics().horizontalAdvance(option.text) <= place.width()
    assert option.text.startswith("Use ")
    assert results.width() == 560
