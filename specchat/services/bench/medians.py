"""Detects median speeds that seem to contradict the median speed-up."""

from collections.abc import Sequence

from specchat.domain.benchmark import BenchRow

_NOTICED = 0.1


def medians_disagree(rows: Sequence[BenchRow]) -> bool:
    """Returns whether dividing the median speeds gives a different ratio than the shown one."""
    overall = {row.method: row for row in rows if row.workload is None}
    return any(_is_apart(row, overall.get(row.method.baseline)) for row in overall.values())


def _is_apart(row: BenchRow, plain: BenchRow | None) -> bool:
    if row.ratio is None or plain is None or not plain.tokens_per_s or not row.ratio.median:
        return False
    divided = row.tokens_per_s / plain.tokens_per_s
    return abs(divided / row.ratio.median - 1) > _NOTICED
