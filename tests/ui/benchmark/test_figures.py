"""What the charts show is what was measured."""

from dataclasses import replace
from pathlib import Path

import pytest
from support import bench_reports, benches
from support.bench_reports import DRAFT, NGRAM, TARGET
from support.benches import AUTO, FOUR, PLAIN, runs

from specchat.domain.benchmark import BenchMethod, BenchReport, Speedup
from specchat.services.bench.summary import summarize_runs
from specchat.ui.benchmark.chart_canvas import AxisScale
from specchat.ui.benchmark.method_labels import MethodLabels, series_of
from specchat.ui.benchmark.report_stats import (
    acceptance_over_answer,
    best_method,
    best_row,
    compared_workloads,
    longest_method,
    rows_by_method,
    speed_range,
)
from specchat.ui.benchmark.workload_labels import advice_lines


@pytest.fixture(scope="module")
def report() -> BenchReport:
    return bench_reports.report()


def test_a_range_is_that_of_the_rounds_and_holds_the_median(report: BenchReport) -> None:
    for method, row in rows_by_method(report).items():
        low, high = speed_range(report, method, row.tokens_per_s)
        assert row.slowest <= low <= row.tokens_per_s <= high <= row.fastest


def test_the_longest_method_shows_positions(report: BenchReport) -> None:
    assert longest_method(report, series_of(BenchMethod(TARGET, DRAFT, "model", 2))) == BenchMethod(
        TARGET, DRAFT, "model", 8
    )


@pytest.mark.parametrize(("four", "auto", "shown"), [(20, 17, FOUR), (18, 20, AUTO)])
def test_what_is_advised_shows_the_gain(four: float, auto: float, shown: BenchMethod) -> None:
    measured = [
        each for method, at in ((PLAIN, 10), (FOUR, four), (AUTO, auto)) for each in runs(method, (at, at), (at, at))
    ]
    report = summarize_runs(benches.plan(PLAIN, FOUR, AUTO), measured)
    advised = best_row(report)
    assert advised is not None
    assert advised.method == shown
    assert best_method(report, series_of(AUTO)) == shown


def test_nothing_compared_shows_no_gain(report: BenchReport) -> None:
    alone = replace(report, rows=tuple(replace(row, ratio=None) for row in report.rows))
    assert best_method(alone, series_of(BenchMethod(TARGET, DRAFT, "model", 2))) is None


def test_the_best_method_gains_most(report: BenchReport) -> None:
    best = best_row(report)
    assert best is not None
    assert best.ratio is not None
    assert best.ratio.median == max(
        row.ratio.median for row in rows_by_method(report).values() if row.ratio is not None
    )


def test_acceptance_over_an_answer_reaches_its_end(report: BenchReport) -> None:
    points = acceptance_over_answer(report, BenchMethod(TARGET, DRAFT, "model", 8))
    places, rates = zip(*points, strict=True)
    assert list(places) == sorted(places)
    assert places[-1] > 110
    assert all(0 <= rate <= 1 for rate in rates)


def test_only_workloads_that_are_compared_are_shown() -> None:
    """While it runs, those that all methods have answered."""
    started = bench_reports.report(share=0.2)
    assert compared_workloads(started) == ("chat",)


def test_nothing_measured_shows_nothing() -> None:
    nothing = bench_reports.report(share=0.0)
    assert best_row(nothing) is None
    assert rows_by_method(nothing) == {}


def test_targets_are_told_apart_by_what_differs() -> None:
    other = Path("Qwen2.5-7B-Instruct-F16.gguf")
    names = MethodLabels(bench_reports.plan((DRAFT, NGRAM), targets=(TARGET, other)))
    assert names.method_label(BenchMethod(other)) == "Plain, F16"
    assert names.method_label(BenchMethod(TARGET, DRAFT, "model", 4)) == f"{DRAFT.stem} for Q4_K_M · up to 4"
    assert names.method_label(BenchMethod(TARGET, None, "ngram", None)) == "Earlier text for Q4_K_M · auto"


def test_a_server_is_named_with_its_ways() -> None:
    plan = bench_reports.plan((DRAFT,))
    peer = Path("llama-server")
    names = MethodLabels(
        replace(
            plan,
            methods=(*plan.methods, BenchMethod(TARGET, peer=peer), BenchMethod(TARGET, DRAFT, "model", None, peer)),
        )
    )
    assert names.method_label(BenchMethod(TARGET, peer=peer)) == "Plain, llama-server"
    assert (
        names.method_label(BenchMethod(TARGET, DRAFT, "model", None, peer))
        == f"{DRAFT.stem}, llama-server · default settings"
    )


@pytest.mark.parametrize(
    ("value", "high"), [(0.0, 1.0), (0.9, 1.0), (3.7, 4.0), (27.0, 30.0), (101.0, 150.0), (2e4, 2e4)]
)
def test_an_axis_ends_at_a_round_number(value: float, high: float) -> None:
    scale = AxisScale.up_to(value)
    assert scale.high == pytest.approx(high)
    assert 2 <= len(scale.ticks) <= 6


def test_models_and_prompts_have_one_name_everywhere() -> None:
    plan = replace(bench_reports.plan((DRAFT, NGRAM)), names={DRAFT: "Small one"})
    report = bench_reports.report(plan)
    assert MethodLabels(plan).method_label(BenchMethod(TARGET, DRAFT, "model", 4)) == "Small one · up to 4"
    rows = [row for row in report.rows if row.method.draft == DRAFT or row.method.is_plain]
    (first, *_) = advice_lines(replace(report, rows=tuple(rows)))
    assert "Small one" in first
    assert DRAFT.stem not in first
    ratios = {
        None: Speedup(1.4, 0.9, 1.9, 6, 0.9, 1.9),
        "edit": Speedup(1.8, 1.7, 1.9, 3, 1.7, 1.9),
        "chat": Speedup(1.0, 0.9, 1.1, 3, 0.9, 1.1),
    }
    (row,) = (
        row for row in report.rows if row.method == BenchMethod(TARGET, None, "ngram", None) and row.workload is None
    )
    rows = [replace(row, workload=workload, ratio=ratio) for workload, ratio in ratios.items()]
    (first, *_) = advice_lines(replace(report, rows=tuple(rows)))
    assert (
        first == "Use earlier text with auto: 1.40× as fast as plain decoding overall, and clearly faster for Editing."
    )
