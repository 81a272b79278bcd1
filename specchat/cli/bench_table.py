"""Formats a benchmark report as tables for all prompts and each workload, with advice."""

from collections.abc import Iterator, Sequence

from specchat.cli.output import one_line
from specchat.cli.quantities import format_size
from specchat.cli.text_table import format_table, wrap_text
from specchat.domain.benchmark import BenchReport, BenchRow
from specchat.services.bench.medians import medians_disagree
from specchat.services.bench.method_names import method_name

_NUMBERS = ("tokens/s", "ratio", "lowest", "highest", "accepted", "per pass", "first token")
_HEADINGS = ("target", "draft", "method", *_NUMBERS, "same answer")
_TWO_MEDIANS = (
    "RATIO compares answers to the same prompt in the same round. TOKENS/S is the median of all "
    "answers. The two can differ."
)


def report_lines(report: BenchReport) -> list[str]:
    workloads = dict.fromkeys(row.workload for row in report.rows if row.workload is not None)
    kinds: list[str | None] = [*workloads] if len(workloads) > 1 else []
    lines: list[str] = []
    for workload in (*kinds, None):
        rows = [row for row in report.rows if row.workload == workload]
        if rows:
            title = "All prompts" if workload is None else workload
            lines += [f"{one_line(title)}:", *_table(report, rows), ""]
    return [*lines, *(line for words in _words(report) for line in wrap_text(words))]


def _table(report: BenchReport, rows: Sequence[BenchRow]) -> list[str]:
    several_targets = len({method.target for method in report.plan.methods}) > 1
    several_drafts = len({method.draft for method in report.plan.methods if method.draft is not None}) > 1
    cells = [
        (
            row.method.target.stem if several_targets else "",
            row.method.draft.stem if several_drafts and row.method.draft is not None else "",
            method_name(row.method),
            *_figures(row),
        )
        for row in rows
    ]
    return format_table(_HEADINGS, cells, right=_NUMBERS)


def _figures(row: BenchRow) -> tuple[str, ...]:
    ratio = row.ratio
    return (
        f"{row.tokens_per_s:.1f}",
        *((f"{part:.2f}×" for part in (ratio.median, ratio.lowest, ratio.highest)) if ratio else ("", "", "")),
        f"{row.acceptance_rate:.0%}" if row.n_drafted else "",
        f"{row.mean_accepted_length:.2f}" if row.mean_accepted_length and not row.method.is_plain else "",
        f"{row.ttft_s:.3f} s",
        "" if row.method.is_plain else _same(row),
    )


def _same(row: BenchRow) -> str:
    if row.n_same == row.n_compared:
        return "yes" if row.n_compared else ""
    return f"{row.n_same} of {row.n_compared}"


def _why_differing(*, exact: bool) -> str:
    why = "If answers differ, rounding changed the choice between two tokens that were almost equally likely"
    return f"{why}." if exact else f"{why}. --exact prevents this."


def _words(report: BenchReport) -> Iterator[str]:
    yield from map(one_line, report.advice)
    if medians_disagree(report.rows):
        yield _TWO_MEDIANS
    if any(row.n_same < row.n_compared for row in report.rows):
        yield _why_differing(exact=report.plan.exact)
    if report.peak_memory is not None:
        yield f"Peak memory of this process: {format_size(report.peak_memory)}."
    if not report.complete:
        yield "Interrupted. These are the results so far."
    yield from (f"Note: {one_line(problem)}" for problem in report.problems)
