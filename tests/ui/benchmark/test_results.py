"""What is offered beside the figures."""

from pytestqt.qtbot import QtBot
from support.benches import AUTO, FOUR, PLAIN, PROMPTS, plan, runs

from specchat.domain.benchmarking import BenchReport
from specchat.services.bench.summary import summarised
from specchat.ui.benchmark.results import Results
from specchat.ui.widgets.theme import LIGHT


def report(speed: float, n_prompts: int) -> BenchReport:
    asked = [PROMPTS[number % 2] for number in range(n_prompts)]
    measured = [
        each
        for way, at in ((PLAIN, 10.0), (FOUR, speed), (AUTO, 0.9 * speed))
        for each in runs(way, *[[at]] * n_prompts)
    ]
    return summarised(plan(PLAIN, FOUR, AUTO, prompts=asked), measured, complete=True)


def test_what_is_advised_can_be_used_by_its_name(qtbot: QtBot) -> None:
    results = Results(LIGHT)
    qtbot.addWidget(results)
    results.show_report(report(20.0, 4))
    assert results._use.isVisibleTo(results)
    assert results._use.text() == "Use draft · up to 4"
    results.show_report(report(5.0, 4))
    assert results._use.text() == "Chat without guesses"


def test_so_few_answers_advise_nothing(qtbot: QtBot) -> None:
    results = Results(LIGHT)
    qtbot.addWidget(results)
    results.show_report(report(20.0, 1))
    assert "So few answers tell nothing yet" in results._advice.text()
    assert not results._use.isVisibleTo(results)
