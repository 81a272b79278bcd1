"""Summarizes single answers into medians: a pure function of plan and runs."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import comb
from pathlib import Path
from statistics import median

from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchReport, BenchRow, BenchRun, Speedup, StepPoint
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import NGRAM
from specchat.services.bench.advice import build_advice

MIN_TOKENS = 8
"""Tokens: the speed of shorter answers is noise."""

_DOUBT = 0.05
"""On each side."""

_Place = tuple[Path, int, int]


def summarize_runs(
    plan: BenchPlan,
    runs: Sequence[BenchRun],
    problems: Sequence[str] = (),
    *,
    complete: bool = True,
    peak: int | None = None,
) -> BenchReport:
    counting = [run for run in runs if run.stats.n_generated >= MIN_TOKENS]
    rows = tuple(_rows(plan, counting if complete else _answered_by_all(plan, runs, counting)))
    short = len(runs) - len(counting)
    if short:
        said = TranslatableText(
            "1 answer was shorter than {least} tokens and is not counted."
            if short == 1
            else "{n} answers were shorter than {least} tokens and are not counted.",
            n=short,
            least=MIN_TOKENS,
        )
        problems = (*problems, said)
    return BenchReport(plan, tuple(runs), rows, build_advice(rows), complete, peak, tuple(problems))


def ratios(runs: Iterable[BenchRun]) -> Mapping[tuple[BenchMethod, int, int], float]:
    """Returns the ratios by method, prompt and round, if both times are known."""
    runs = list(runs)
    plain = {_place(run): run.stats.tokens_per_s for run in runs if run.method == run.method.baseline}
    return {
        (run.method, run.prompt, run.round): run.stats.tokens_per_s / plain[_place(run)]
        for run in runs
        if plain.get(_place(run)) and run.method != run.method.baseline
    }


def _answered_by_all(plan: BenchPlan, runs: Sequence[BenchRun], counting: Sequence[BenchRun]) -> Sequence[BenchRun]:
    """Without the prompt at which it is: a method that has answered it already, and another that has not, would have
    medians of different prompts, which contradict the ratios. The first prompt counts from the beginning."""
    places = [(run.round, run.prompt) for run in runs]
    if not places or places.count(places[-1]) in (len(places), len(plan.methods)):
        return counting
    return [run for run in counting if (run.round, run.prompt) != places[-1]]


def _place(run: BenchRun) -> _Place:
    return run.method.target, run.prompt, run.round


def _rows(plan: BenchPlan, runs: Sequence[BenchRun]) -> Iterable[BenchRow]:
    compared = ratios(runs)
    workloads = dict.fromkeys(prompt.workload for prompt in plan.prompts)
    for workload in (None, *workloads):
        for method in plan.methods:
            own = [
                run
                for run in runs
                if run.method == method and (workload is None or plan.prompts[run.prompt].workload == workload)
            ]
            if own:
                found = [(run, compared[key]) for run in own if (key := (method, run.prompt, run.round)) in compared]
                yield _row(method, workload, own, _ratio(found))


def _ratio(found: Sequence[tuple[BenchRun, float]]) -> Speedup | None:
    if not found:
        return None
    ordered, beside = sorted(ratio for _, ratio in found), _beside(len(found))
    return Speedup(
        median(ordered),
        ordered[0],
        ordered[-1],
        len(ordered),
        ordered[beside],
        ordered[-1 - beside],
        sum(ratio < 1 for ratio in ordered),
        median(ratio * run.stats.n_verify_steps / run.stats.n_generated for run, ratio in found),
    )


@cache
def _beside(n: int) -> int:
    """How many of n lie on either side of what the median may be: each falls to its left or right like a coin. One
    answer that something held up would otherwise make all others worthless, and more rounds would tell less."""
    left_out, chance = -1, 0.0
    while (chance := chance + comb(n, left_out + 1) / 2**n) <= _DOUBT:
        left_out += 1
    return max(0, left_out)


def _row(method: BenchMethod, workload: str | None, runs: Sequence[BenchRun], ratio: Speedup | None) -> BenchRow:
    stats = [run.stats for run in runs]
    speeds = [each.tokens_per_s for each in stats]
    draft, target, sample = (
        sum(each.draft_time_s for each in stats),
        sum(each.target_time_s for each in stats),
        sum(each.sample_time_s for each in stats),
    )
    whole = draft + target + sample
    same = [run.same_as_plain for run in runs if run.same_as_plain is not None]
    return BenchRow(
        method=method,
        workload=workload,
        tokens_per_s=median(speeds),
        ratio=ratio,
        ttft_s=median(each.ttft_s for each in stats),
        acceptance_rate=_share(sum(each.n_accepted for each in stats), sum(each.n_drafted for each in stats)),
        mean_accepted_length=_share(
            sum(each.n_generated for each in stats), sum(each.n_verify_steps for each in stats)
        ),
        accepted_per_position=_per_position([step for run in runs for step in run.steps]),
        draft_share=_share(draft, whole),
        verify_share=_share(target, whole),
        sample_share=_share(sample, whole),
        same_as_plain=all(same) if same else None,
        n_runs=len(runs),
        slowest=min(speeds),
        fastest=max(speeds),
        n_same=sum(same),
        n_compared=len(same),
        n_drafted=sum(each.n_drafted for each in stats),
        n_from_text=sum(each.drafted_per_source.get(NGRAM, 0) for each in stats),
    )


def _per_position(steps: Sequence[StepPoint]) -> tuple[float, ...]:
    """Of the guesses at each place of a draft."""
    longest = max((step.reach for step in steps), default=0)
    return tuple(
        _share(sum(step.accepted > place for step in steps), sum(step.reach > place for step in steps))
        for place in range(longest)
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
