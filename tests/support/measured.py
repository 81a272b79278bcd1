"""What a benchmark found."""

from pathlib import Path

from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchReport, BenchRow, Speedup
from specchat.domain.types import Device
from specchat.services.bench.measured_pairs import MeasuredPairs
from specchat.store.json_cache import JsonCache


def device(kind: str, description: str) -> Device:
    return Device(kind.upper(), description, kind, 2**34, 2**33)


def row(method: BenchMethod, speedup: float | None, n: int = 3, spread: float = 0.0) -> BenchRow:
    low, high = ((speedup or 0.0) + beside for beside in (-spread, spread))
    ratio = None if speedup is None else Speedup(speedup, low, high, n, low, high)
    return BenchRow(method, None, 50.0, ratio, 0.1, 0.7, 2.4, (0.8, 0.6), 0.2, 0.7, 0.1, same_as_plain=True)


def report(*rows: BenchRow, gpu_layers: int | None = None) -> BenchReport:
    plan = BenchPlan(tuple(row.method for row in rows), (), gpu_layers=gpu_layers)
    return BenchReport(plan, (), rows, (), complete=True)


def measured(facts: Path, target: Path, speedups: dict[Path | None, float]) -> MeasuredPairs:
    """`speedups`: by draft."""
    pairs = MeasuredPairs(JsonCache(facts))
    methods = {draft: BenchMethod(target, draft, "model" if draft else "ngram", None) for draft in speedups}
    pairs.record(report(*(row(methods[draft], speedup) for draft, speedup in speedups.items())))
    return pairs
