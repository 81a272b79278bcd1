"""What two answers to one question show: which was faster, and whether their texts are the same."""

from collections.abc import Iterator
from dataclasses import dataclass

from specchat.domain.conversations import Answer
from specchat.domain.translatable_text import TranslatableText, group_digits
from specchat.domain.types import FinishReason, GenerationStats
from specchat.services.generation.stats_tracker import streaming_s

_TELLING_TOKENS = 12
"""The fewest from which a speed is compared."""
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

    @property
    def is_exact(self) -> bool:
        return self.answer.exact == "passed"


@dataclass(frozen=True, slots=True)
class TextDifference:
    word: int
    """The number of the first word that differs."""
    left: str
    right: str
    """Both texts from there on, shortened."""


def total_s(stats: GenerationStats) -> float:
    """From the question to the last token."""
    return stats.ttft_s + streaming_s(stats)


def speed_ratio(one: CompleteAnswer, other: CompleteAnswer) -> float | None:
    """How many times as fast the first one was; None: nobody knows, or they are too short to tell."""
    stats = one.answer.stats, other.answer.stats
    if not all(each.is_length_known for each in stats):
        return None
    if min(each.n_generated for each in stats) < _TELLING_TOKENS or min(each.tokens_per_s for each in stats) <= 0:
        return None
    return stats[0].tokens_per_s / stats[1].tokens_per_s


def is_noticeable(ratio: float | None) -> bool:
    """The first one was faster."""
    return ratio is not None and ratio >= 1 + _NOTICEABLE


def should_be_same(one: CompleteAnswer, other: CompleteAnswer) -> bool:
    """Otherwise there is no reason why the texts should be the same."""
    is_comparable = (one.is_exact and other.is_exact) or max(one.temperature, other.temperature) <= 0
    return one.answer.target == other.answer.target and is_comparable and one.is_whole and other.is_whole


def describe_comparison(one: CompleteAnswer, other: CompleteAnswer) -> Iterator[TranslatableText]:
    """In sentences. Different texts of different targets need no word."""
    are_whole = one.is_whole and other.is_whole
    if are_whole and one.text == other.text:
        yield TranslatableText("Both answers are the same.")
    elif are_whole and one.answer.target == other.answer.target:
        yield from _describe_difference(one, other)
    ratio = speed_ratio(one, other)
    if ratio is not None and not is_noticeable(ratio) and not is_noticeable(1 / ratio):
        yield TranslatableText("Both were about as fast.")


def _describe_difference(one: CompleteAnswer, other: CompleteAnswer) -> Iterator[TranslatableText]:
    found = first_difference(one.text, other.text)
    if found.left and found.right:
        yield TranslatableText(
            "The answers first differ at word {n}: “{left}” and “{right}”.",
            n=group_digits(found.word),
            left=found.left,
            right=found.right,
        )
    else:
        yield TranslatableText(
            "The answers are the same up to word {n}, where one of them ends.", n=group_digits(found.word - 1)
        )
    if not should_be_same(one, other):
        yield TranslatableText("Above temperature 0, this is expected without exact mode.")
    elif not (one.is_exact and other.is_exact):
        yield TranslatableText("In exact mode they are the same.")


def first_difference(one: str, other: str) -> TextDifference:
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    ends_word = all(not text[same : same + 1].strip() for text in (one, other))
    begin = same
    while not ends_word and begin and not one[begin - 1].isspace():
        begin -= 1
    return TextDifference(len(one[:begin].split()) + 1, _shortened(one[begin:]), _shortened(other[begin:]))


def _shortened(text: str) -> str:
    text = " ".join(text[: 2 * _SHOWN].split())
    return text if len(text) <= _SHOWN else text[:_SHOWN].rstrip() + "…"
