"""Computes the stats shown in the charts from a benchmark report."""

from collections.abc import Iterable
from statistics import median

from specchat.domain.benchmark import BenchMethod, BenchReport, BenchRow, BenchRun
from specchat.services.bench.advice import best_row as advised
from specchat.services.bench.advice import choose_best
from specchat.ui.benchmark.method_labels import Series, is_speculative, series_of

_WINDOWS = 12
_NARROWEST = 8
"""Tokens."""


def rows_by_method(report: BenchReport) -> dict[BenchMethod, BenchRow]:
    return {row.method: row for row in report.rows if row.workload is None}


def rows_by_workload(report: BenchReport) -> dict[tuple[str, BenchMethod], BenchRow]:
    return {(row.workload, row.method): row for row in report.rows if row.workload is not None}


def compared_workloads(report: BenchReport) -> tuple[str, ...]:
    """Those of which something is compared, in the plan's order."""
    measured = {row.workload for row in report.rows if row.ratio is not None}
    return tuple(name for name in dict.fromkeys(p.workload for p in report.plan.prompts) if name in measured)


def has_guesses(report: BenchReport) -> bool:
    return any(is_speculative(row.method) for row in report.rows)


def has_comparison(report: BenchReport) -> bool:
    return any(row.ratio is not None and row.workload is not None for row in report.rows)


def speed_range(report: BenchReport, method: BenchMethod, middle: float) -> tuple[float, float]:
    """The slowest and the fastest round: what the machine does to the figure, not what the prompts do."""
    rounds: dict[int, list[float]] = {}
    for run in report.runs:
        if run.method == method:
            rounds.setdefault(run.round, []).append(run.stats.tokens_per_s)
    medians = [middle, *map(median, rounds.values())]
    return min(medians), max(medians)


def longest_method(report: BenchReport, series: Series) -> BenchMethod | None:
    """Whose guesses reach furthest, of those measured: a fixed number shows more than what "auto" dares."""
    methods = [method for method in rows_by_method(report) if is_speculative(method) and series_of(method) == series]
    return max(methods, key=lambda method: method.draft_max or 0, default=None)


def best_method(report: BenchReport, series: Series) -> BenchMethod | None:
    """The one that would be advised of these. None: none is compared yet."""
    rows = [
        row for method, row in rows_by_method(report).items() if is_speculative(method) and series_of(method) == series
    ]
    compared = [(row, row.ratio) for row in rows if row.ratio is not None]
    return choose_best(compared)[0].method if compared else None


def has_differing_answers(report: BenchReport) -> bool:
    """Whether any answer is another than plain decoding's."""
    return any(row.n_same < row.n_compared for row in report.rows if is_speculative(row.method))


def best_row(report: BenchReport) -> BenchRow | None:
    """None: nothing is compared yet."""
    return advised(report.rows)


def acceptance_over_answer(report: BenchReport, method: BenchMethod) -> list[tuple[float, float]]:
    """Where in an answer, and how many of the guesses made around there were accepted."""
    steps = [step for run in _runs(report, method) for step in run.steps if step.drafted]
    longest = max((step.at for step in steps), default=0)
    width = max(_NARROWEST, round(longest / _WINDOWS))
    points = []
    for middle in range(width // 2, longest + 1, max(1, width // 2)):
        near = [step for step in steps if abs(step.at - middle) <= width]
        drafted = sum(step.drafted for step in near)
        if drafted:
            points.append((float(middle), sum(step.accepted for step in near) / drafted))
    return points


def _runs(report: BenchReport, method: BenchMethod) -> Iterable[BenchRun]:
    return (run for run in report.runs if run.method == method)
