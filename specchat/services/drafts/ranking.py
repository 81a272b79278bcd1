"""Ranks draft candidates and explains the ranking in a sentence."""

from collections.abc import Iterable

from specchat.domain.translatable_text import TranslatableText, with_decimals
from specchat.services.bench.method_names import guess_count_phrase
from specchat.services.drafts.draft_candidates import (
    DraftCandidate,
    ModelLocation,
    SpeedupEstimate,
    distance_from_best_size,
    is_faster,
    slowdown_percent,
)
from specchat.services.drafts.speedup import ModelCost, Relation
from specchat.services.models.pair_fit import DraftVerdict, Fit

_TOKENS = {
    DraftVerdict.IDENTICAL: TranslatableText("same vocabulary"),
    DraftVerdict.COMPATIBLE: TranslatableText("compatible vocabulary"),
    DraftVerdict.TRANSLATABLE: TranslatableText("different vocabulary"),
}
_MORE_THAN_ITS_SIZE = 1.3
"""Above this factor, the size of a mixture of experts is misleading, because a pass reads only part of it."""


def rank_candidates(candidates: Iterable[DraftCandidate], target_size: int) -> list[DraftCandidate]:
    return sorted(candidates, key=lambda candidate: _rank(candidate, target_size))


def explain_candidate(
    verdict: DraftVerdict,
    expected: SpeedupEstimate,
    relation: Relation,
    sizes: tuple[int, int],
    sides: tuple[ModelCost, ModelCost],
) -> TranslatableText:
    """`sizes`, `sides`: of target and draft."""
    facts = {
        "smaller": _smaller(sizes, sides),
        "tokens": _TOKENS[verdict],
        "accepted": _acceptance_text(expected, relation),
    }
    if expected.measured:
        return TranslatableText(
            "{smaller}, {tokens}, {accepted}; {speed}.", **facts, speed=describe_measured_speed(expected)
        )
    if expected.in_chats:
        return TranslatableText("{smaller}, {tokens}; {speed}.", **facts, speed=describe_chat_speed(expected.speedup))
    if expected.tiny:
        return TranslatableText("{smaller}, {tokens}, {accepted}. Run a benchmark to see how fast it is.", **facts)
    return TranslatableText("{smaller}, {tokens}, {accepted}: {speed}.", **facts, speed=_speed(expected.speedup))


def describe_measured_speed(expected: SpeedupEstimate) -> TranslatableText:
    if percent := slowdown_percent(expected.speedup):
        speed = TranslatableText("measured here: {percent} % slower", percent=percent)
    else:
        speed = TranslatableText("measured here: {times}×", times=_number(expected.speedup))
    if expected.guesses is None:
        return speed
    return TranslatableText("{speed} with {length}", speed=speed, length=guess_count_phrase(expected.guesses))


def describe_chat_speed(speedup: float) -> TranslatableText:
    if is_faster(speedup):
        return TranslatableText("{times}× in your chats", times=_number(speedup))
    return TranslatableText("no faster in your chats")


def _rank(candidate: DraftCandidate, target_size: int) -> tuple[object, ...]:
    """Those with the same estimate in the order of the picker."""
    if candidate.expected is None:
        return True, list(DraftVerdict).index(candidate.verdict), candidate.name.casefold(), candidate.reference
    return (
        False,
        candidate.fit is Fit.DOES_NOT_FIT,
        candidate.verdict is DraftVerdict.TRANSLATABLE and not candidate.expected.measured,
        candidate.expected.rank,
        candidate.where is ModelLocation.HUB,
        distance_from_best_size(candidate.size, target_size),
        candidate.reference,
    )


def _smaller(sizes: tuple[int, int], sides: tuple[ModelCost, ModelCost]) -> TranslatableText:
    times = sizes[0] / max(1, sizes[1])
    less_to_read = sides[0].read / max(1.0, sides[1].read)
    if times <= _MORE_THAN_ITS_SIZE * less_to_read:
        return TranslatableText("{times}× smaller file", times=_number(times))
    return TranslatableText("reads {times}× less data per token", times=_number(less_to_read))


def _acceptance_text(expected: SpeedupEstimate, relation: Relation) -> TranslatableText:
    percent = round(100 * expected.acceptance)
    if expected.is_known:
        return TranslatableText("{percent} % accepted", percent=percent)
    match relation:
        case Relation.MADE_FOR_IT:
            return TranslatableText("about {percent} % accepted (made for this target)", percent=percent)
        case Relation.RELATED:
            return TranslatableText("about {percent} % accepted (related model)", percent=percent)
    return TranslatableText("maybe {percent} % accepted (another family)", percent=percent)


def _speed(speedup: float) -> TranslatableText:
    if is_faster(speedup):
        return TranslatableText("about {times}× as fast", times=_number(speedup))
    return TranslatableText("barely faster") if speedup >= 1 else TranslatableText("slower than the target alone")


def _number(value: float) -> str:
    return with_decimals(value, 1) if value < 10 else f"{value:.0f}"
