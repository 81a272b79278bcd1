"""What the charts show is what was measured."""

from dataclasses import replace
from pathlib import Path

import pytest
from support import bench_reports, benches
from support.bench_reports import DRAFT, NGRAM, TARGET
from support.benches import AUTO, FOUR, PLAIN, runs

from specchat.domain.benchmarking import BenchReport, Ratio, Way
from specchat.services.bench.summary import summarised
from specchat.ui.benchmark.canvas import Scale
from specchat.ui.benchmark.figures import (
    best_row,
    longest_way,
    over_the_answer,
    overall,
    shown_way,
    speed_range,
    workloads,
)
from specchat.ui.benchmark.names import Names, series_of
from specchat.ui.benchmark.workload_words import advice_words


@pytest.fixture(scope="module")
def report() -> BenchReport:
    return bench_reports.report()


def test_a_range_is_that_of_the_rounds_and_holds_the_median(report: BenchReport) -> None:
    for way, row in overall(report).items():
        low, high = speed_range(report, way, row.tokens_per_s)
        assert row.slowest <= low <= row.tokens_per_s <= high <= row.fastest


def test_the_longest_way_shows_positions(report: BenchReport) -> None:
    assert longest_way(report, series_of(Way(TARGET, DRAFT, "model", 2))) == Way(TARGET, DRAFT, "model", 8)


@pytest.mark.parametrize(("four", "auto", "shown"), [(20, 17, FOUR), (18, 20, AUTO)])
def test_what_is_advised_shows_the_gain(four: float, auto: float, shown: Way) -> None:
    measured = [each for way, at in ((PLAIN, 10), (FOUR, four), (AUTO, auto)) for each in runs(way, (at, at), (at, at))]
    report = summarised(benches.plan(PLAIN, FOUR, AUTO), measured)
    advised = best_row(report)
    assert advised is not None
    assert advised.way == shown
    assert shown_way(report, series_of(AUTO)) == shown


def test_nothing_compared_shows_no_gain(report: BenchReport) -> None:
    alone = replace(report, rows=tuple(replace(row, ratio=None) for row in report.rows))
    assert shown_way(alone, series_of(Way(TARGET, DRAFT, "model", 2))) is None


def test_the_best_way_gains_most(report: BenchReport) -> None:
    best = best_row(report)
    assert best is not None
    assert best.ratio is not None
    assert best.ratio.median == max(row.ratio.median for row in overall(report).values() if row.ratio is not None)


def test_acceptance_over_an_answer_reaches_its_end(report: BenchReport) -> None:
    points = over_the_answer(report, Way(TARGET, DRAFT, "model", 8))
    places, rates = zip(*points, strict=True)
    assert list(places) == sorted(places)
    assert places[-1] > 110
    assert all(0 <= rate <= 1 for rate in rates)


def test_only_workloads_that_are_compared_are_shown() -> None:
    """While it runs, those that all ways have answered."""
    started = bench_reports.report(share=0.2)
    assert workloads(started) == ("chat",)


def test_nothing_measured_shows_nothing() -> None:
    nothing = bench_reports.report(share=0.0)
    assert best_row(nothing) is None
    assert overall(nothing) == {}


def test_targets_are_told_apart_by_what_differs() -> None:
    other = Path("Qwen2.5-7B-Instruct-F16.gguf")
    names = Names(bench_reports.plan((DRAFT, NGRAM), targets=(TARGET, other)))
    assert names.of_way(Way(other)) == "Plain, F16"
    assert names.of_way(Way(TARGET, DRAFT, "model", 4)) == f"{DRAFT.stem} for Q4_K_M · up to 4"
    assert names.of_way(Way(TARGET, None, "ngram", None)) == "Earlier text for Q4_K_M · auto"


def test_a_server_is_named_with_its_ways() -> None:
    plan = bench_reports.plan((DRAFT,))
    peer = Path("llama-server")
    names = Names(replace(plan, ways=(*plan.ways, Way(TARGET, peer=peer), Way(TARGET, DRAFT, "model", None, peer))))
    assert names.of_way(Way(TARGET, peer=peer)) == "Plain, llama-server"
    assert names.of_way(Way(TARGET, DRAFT, "model", None, peer)) == f"{DRAFT.stem}, llama-server · as it comes"


@pytest.mark.parametrize(
    ("value", "high"), [(0.0, 1.0), (0.9, 1.0), (3.7, 4.0), (27.0, 30.0), (101.0, 150.0), (2e4, 2e4)]
)
def test_an_axis_ends_at_a_round_number(value: float, high: float) -> None:
    scale = Scale.up_to(value)
    assert scale.high == pytest.approx(high)
    assert 2 <= len(scale.ticks) <= 6


def test_models_and_prompts_have_one_name_everywhere() -> None:
    plan = replace(bench_reports.plan((DRAFT, NGRAM)), names={DRAFT: "Small one"})
    report = bench_reports.report(plan)
    assert Names(plan).of_way(Way(TARGET, DRAFT, "model", 4)) == "Small one · up to 4"
    rows = [row for row in report.rows if row.way.draft == DRAFT or row.way.is_plain]
    (first, *_) = advice_words(replace(report, rows=tuple(rows)))
    assert "Small one" in first
    assert DRAFT.stem not in first
    ratios = {
        None: Ratio(1.4, 0.9, 1.9, 6, 0.9, 1.9),
        "edit": Ratio(1.8, 1.7, 1.9, 3, 1.7, 1.9),
        "chat": Ratio(1.0, 0.9, 1.1, 3, 0.9, 1.1),
    }
    (row,) = (row for row in report.rows if row.way == Way(TARGET, None, "ngram", None) and row.workload is None)
    rows = [replace(row, workload=workload, ratio=ratio) for workload, ratio in ratios.items()]
    (first, *_) = advice_words(replace(report, rows=tuple(rows)))
    assert first == "Use earlier text with auto: 1.40× as fast as plain over all, surely faster for Editing."
