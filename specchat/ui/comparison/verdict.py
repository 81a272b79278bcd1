"""Compares two answers: which one was faster, and whether their texts are the same."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Answer
from specchat.domain.types import FinishReason, GenerationStats
from specchat.services.generation.stats_tracker import StatsSnapshot, streaming_s
from specchat.ui.overlay.stats_text import speed_text
from specchat.ui.words.number_format import SEPARATOR, format_number, format_percent, format_seconds

translate = QCoreApplication.translate

_TELLING_TOKENS = 12
"""The fewest tokens for a comparison of speeds."""
_NOTICEABLE = 0.05
_SHOWN = 24
"""Characters of a difference."""


@dataclass(frozen=True, slots=True)
class CompleteAnswer:
    text: str
    answer: Answer
    temperature: float

    @property
    def is_whole(self) -> bool:
        return self.answer.finish is not FinishReason.CANCELLED


def total_s(stats: GenerationStats) -> float:
    """From the question to the last token."""
    return stats.ttft_s + streaming_s(stats)


def figures_text(figures: StatsSnapshot, seconds: float | None = None) -> str:
    """`seconds`: what the whole answer took."""
    parts = [speed_text(figures.tokens_per_s)] if figures.tokens_per_s > 0 else []
    if seconds is not None:
        parts.append(format_seconds(seconds))
    if figures.drafted:
        accepted = format_percent(figures.acceptance_rate)
        parts.append(translate("Comparison", "{n} accepted").format(n=accepted))
    return SEPARATOR.join(parts)


def speed_ratio(one: CompleteAnswer, other: CompleteAnswer) -> float | None:
    """Returns how many times as fast the first answer was; None if they are too short to tell."""
    stats = one.answer.stats, other.answer.stats
    if min(each.n_generated for each in stats) < _TELLING_TOKENS or min(each.tokens_per_s for each in stats) <= 0:
        return None
    return stats[0].tokens_per_s / stats[1].tokens_per_s


def ratio_text(ratio: float | None) -> str:
    """Empty if the other answer was faster, or the difference isn't noticeable."""
    if ratio is None or ratio < 1 + _NOTICEABLE:
        return ""
    return translate("Comparison", "{n}× as fast").format(n=format_number(ratio, 1))


def verdict_text(one: CompleteAnswer, other: CompleteAnswer) -> str:
    parts = [sameness_text(one, other)]
    ratio = speed_ratio(one, other)
    if ratio is not None and not (ratio_text(ratio) or ratio_text(1 / ratio)):
        parts.append(translate("Comparison", "Both were about as fast."))
    return " ".join(filter(None, parts))


def sameness_text(one: CompleteAnswer, other: CompleteAnswer) -> str:
    """Empty if there is no reason to expect the same text."""
    exact = [each.answer.exact == "passed" for each in (one, other)]
    is_comparable = all(exact) or max(one.temperature, other.temperature) <= 0
    is_whole = one.is_whole and other.is_whole
    if one.answer.target != other.answer.target or not is_comparable or not is_whole:
        return ""
    if one.text == other.text:
        return translate("Comparison", "Both answers are the same.")
    at, (left, right) = first_difference(one.text, other.text)
    words = translate("Comparison", "The answers first differ at word {n}: “{left}” and “{right}”.")
    if not (left and right):
        words = translate("Comparison", "The answers are the same up to word {n}, where one of them ends.")
        at -= 1
    said = words.format(n=format_number(at), left=left, right=right)
    if all(exact):
        return said
    exact_mode = translate("Comparison", "In exact mode they are the same.")
    return f"{said} {exact_mode}"


def first_difference(one: str, other: str) -> tuple[int, tuple[str, str]]:
    """Returns the number of the first word that differs, and both texts from there."""
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    ends_word = all(not text[same : same + 1].strip() for text in (one, other))
    begin = same
    while not ends_word and begin and not one[begin - 1].isspace():
        begin -= 1
    return len(one[:begin].split()) + 1, (_shortened(one[begin:]), _shortened(other[begin:]))


def _shortened(text: str) -> str:
    text = " ".join(text[: 2 * _SHOWN].split())
    return text if len(text) <= _SHOWN else text[:_SHOWN].rstrip() + "…"
