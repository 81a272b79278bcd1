"""From single answers to medians and ratios."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.benches import AUTO, PLAIN, PROMPTS, TARGET, plan, run, runs

from specchat.domain.benchmark import BenchMethod, BenchRun, Speedup
from specchat.services.bench.summary import summarize_runs

OTHER = BenchMethod(TARGET.with_name("other.gguf"))


def test_ratios_are_of_the_same_prompt_in_the_same_round() -> None:
    measured = [*runs(PLAIN, (10, 20), (40, 50)), *runs(AUTO, (20, 30), (40, 25))]
    rows = {(row.method, row.workload): row for row in summarize_runs(plan(PLAIN, AUTO), measured).rows}
    assert rows[AUTO, None].ratio == Speedup(1.25, 0.5, 2.0, 4, 0.5, 2.0, 1, 1.25 / 4)
    assert rows[AUTO, "chat"].ratio == Speedup(1.75, 1.5, 2.0, 2, 1.5, 2.0, 0, 1.75 / 4)
    assert rows[AUTO, "code"].ratio == Speedup(0.75, 0.5, 1.0, 2, 0.5, 1.0, 1, 0.75 / 4)
    assert rows[PLAIN, None].ratio is None
    assert (rows[AUTO, None].tokens_per_s, rows[AUTO, None].slowest, rows[AUTO, None].fastest) == (27.5, 20, 40)
    assert rows[AUTO, None].n_runs == 4


def test_what_the_median_may_be_narrows_with_more_answers() -> None:
    """One that something held up does not widen it."""

    def between(*speeds: float) -> tuple[float, float]:
        measured = [*runs(PLAIN, [10.0] * len(speeds)), *runs(AUTO, speeds)]
        (ratio,) = (
            row.ratio for row in summarize_runs(plan(PLAIN, AUTO), measured).rows if row.ratio and not row.workload
        )
        assert (ratio.lowest, ratio.highest) == (min(speeds) / 10, max(speeds) / 10)
        return ratio.at_least, ratio.at_most

    assert between(4, 15, 16) == (0.4, 1.6)
    assert between(4, 15, 15, 15, 16, 16, 16, 40) == (1.5, 1.6)
    assert between(*range(1, 21)) == (0.6, 1.5)
    assert between(15) == (1.5, 1.5)


def test_each_target_is_compared_with_itself() -> None:
    guessing = replace(AUTO, target=OTHER.target)
    measured = [run(PLAIN, 10), run(OTHER, 100), run(guessing, 120), run(AUTO, 5)]
    rows = summarize_runs(plan(PLAIN, AUTO, OTHER, guessing), measured).rows
    found = {row.method: row.ratio.median for row in rows if row.workload is None and row.ratio}
    assert found == {AUTO: 0.5, guessing: 1.2}


def test_a_method_whose_plain_run_is_missing_has_no_ratio() -> None:
    rows = summarize_runs(plan(PLAIN, AUTO), [run(AUTO, 5)]).rows
    assert [(row.method, row.ratio) for row in rows] == [(AUTO, None), (AUTO, None)]


def test_counts_are_added_up_and_not_averaged() -> None:
    (row,) = (
        row for row in summarize_runs(plan(AUTO, prompts=PROMPTS[:1]), runs(AUTO, (5, 6))).rows if not row.workload
    )
    assert row.acceptance_rate == 0.6
    assert row.mean_accepted_length == 64 / 16
    assert row.accepted_per_position == pytest.approx((1.0, 2 / 3, 0.5, 0.0))
    assert (row.draft_share, row.verify_share, row.sample_share) == (0.25, 0.75, 0.0)


def test_whether_the_text_is_the_same_is_of_every_run() -> None:
    def same(*found: bool | None) -> tuple[bool | None, int, int]:
        measured = [run(AUTO, 5, number=number, same=each) for number, each in enumerate(found)]
        row = summarize_runs(plan(AUTO), measured).rows[0]
        return row.same_as_plain, row.n_same, row.n_compared

    assert (same(True, True), same(True, False)) == ((True, 2, 2), (False, 1, 2))
    assert (same(None, True), same(None)) == ((True, 1, 1), (None, 0, 0))


def test_short_answers_do_not_count_and_are_told() -> None:
    report = summarize_runs(plan(PLAIN, AUTO), [run(PLAIN, 10), run(AUTO, 20), run(AUTO, 500, 1, n=7)], ("before",))
    assert {row.tokens_per_s for row in report.rows if row.method == AUTO} == {20}
    assert len(report.runs) == 3
    assert report.problems == ("before", "1 answer was shorter than 8 tokens and is not counted.")


def test_what_not_all_have_answered_yet_does_not_count() -> None:
    """Speeds and ratios are of the same answers."""
    first, second = [run(PLAIN, 40), run(AUTO, 26)], [run(AUTO, 404, 1), run(PLAIN, 325, 1)]

    def speeds(measured: Sequence[BenchRun]) -> dict[BenchMethod, float]:
        rows = summarize_runs(plan(PLAIN, AUTO), measured, complete=False).rows
        return {row.method: row.tokens_per_s for row in rows if row.workload is None}

    assert speeds(first[:1]) == {PLAIN: 40}
    assert speeds([*first, *second[:1]]) == speeds(first) == {PLAIN: 40, AUTO: 26}
    assert speeds([*first, *second]) == {PLAIN: 182.5, AUTO: 215}


def test_nothing_measured() -> None:
    report = summarize_runs(plan(PLAIN, AUTO), [], complete=False)
    assert (report.rows, report.advice, report.complete) == ((), (), False)
