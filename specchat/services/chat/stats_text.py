"""Formats an answer's stats for the terminal and for exports."""

from dataclasses import asdict

from specchat.domain.speculation_status import SpeculationOff, parse_speculation
from specchat.domain.types import GenerationStats
from specchat.services.chat.titles import one_line

_SHOWN_S = 0.005


def plain_stats(stats: GenerationStats) -> dict[str, object]:
    """Converts stats for JSON, with null for values that the engine doesn't report."""
    figures = asdict(stats)
    return figures | dict.fromkeys(figures.pop("unreported"))


def format_amounts(stats: GenerationStats) -> list[str]:
    if not stats.is_length_known:
        return ["tokens not reported"]
    tokens = "1 token" if stats.n_generated == 1 else f"{stats.n_generated:,} tokens"
    return [tokens, f"{stats.tokens_per_s:.1f} tokens/s"] if stats.tokens_per_s > 0 else [tokens]


def format_guesses(stats: GenerationStats) -> list[str]:
    """Or why there are none."""
    reason = parse_speculation(stats.speculation)
    if reason is SpeculationOff.NOT_REPORTED:
        return ["guesses not reported"]
    if not stats.n_drafted:
        return ["no guesses" if reason is None else f"no guesses: {one_line(str(reason))}"]
    return [
        f"{stats.n_accepted:,} of {stats.n_drafted:,} guesses accepted ({stats.acceptance_rate:.0%})",
        f"{stats.mean_accepted_length:.2f} tokens per pass",
        *([] if "saved_s" in stats.unreported else [_saved_text(stats)]),
        *([] if reason is None else [f"speculation off: {one_line(str(reason))}"]),
    ]


def _saved_text(stats: GenerationStats) -> str:
    if abs(stats.saved_s) < _SHOWN_S:
        return "no time saved"
    words = f"{stats.saved_s:.2f} s saved" if stats.saved_s > 0 else f"{-stats.saved_s:.2f} s lost"
    return f"roughly {words}: the computer was busy" if stats.saved_is_rough else words
