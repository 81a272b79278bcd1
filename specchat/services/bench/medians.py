"""Two medians of the same answers need not agree."""

from collections.abc import Sequence

from specchat.domain.benchmarking import Row

_NOTICED = 0.1


def seem_to_disagree(rows: Sequence[Row]) -> bool:
    """Whether somebody who divides the speeds over all prompts comes to another ratio than the one beside them."""
    overall = {row.way: row for row in rows if row.workload is None}
    return any(_is_apart(row, overall.get(row.way.compared_with)) for row in overall.values())


def _is_apart(row: Row, plain: Row | None) -> bool:
    if row.ratio is None or plain is None or not plain.tokens_per_s or not row.ratio.median:
        return False
    divided = row.tokens_per_s / plain.tokens_per_s
    return abs(divided / row.ratio.median - 1) > _NOTICED
