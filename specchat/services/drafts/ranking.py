"""Which draft is offered first, and the reasoning in a sentence."""

from collections.abc import Iterable

from specchat.domain.said import Said
from specchat.services.bench.names import spoken_guesses
from specchat.services.drafts.speedup import Relation, Side
from specchat.services.drafts.values import DraftCandidate, Expected, Where, is_faster, slower_by
from specchat.services.models.pair_values import DraftVerdict, Fit

_MORE_THAN_ITS_SIZE = 1.3
"""Of a mixture of experts little is read: its size would mislead."""


def ranked(candidates: Iterable[DraftCandidate]) -> list[DraftCandidate]:
    return sorted(candidates, key=_rank)


def reasoning(
    verdict: DraftVerdict, expected: Expected, relation: Relation, sizes: tuple[int, int], sides: tuple[Side, Side]
) -> Said:
    """`sizes`, `sides`: of target and draft."""
    facts = {
        "smaller": _smaller(sizes, sides),
        "tokens": Said("same vocabulary") if verdict is DraftVerdict.IDENTICAL else Said("tokens that fit"),
        "accepted": _accepted(expected, relation),
    }
    if expected.measured:
        return Said("{smaller}, {tokens}, {accepted}; {speed}.", **facts, speed=measured_speed(expected))
    if expected.in_chats:
        return Said("{smaller}, {tokens}; {speed}.", **facts, speed=speed_in_chats(expected.speedup))
    if expected.tiny:
        return Said("{smaller}, {tokens}, {accepted}; so small a target is usually faster alone.", **facts)
    return Said("{smaller}, {tokens}, {accepted}: {speed}.", **facts, speed=_speed(expected.speedup))


def measured_speed(expected: Expected) -> Said:
    if percent := slower_by(expected.speedup):
        speed = Said("measured here: {percent} % slower", percent=percent)
    else:
        speed = Said("measured here: {times}×", times=_number(expected.speedup))
    if expected.guesses is None:
        return speed
    return Said("{speed} with {length}", speed=speed, length=spoken_guesses(expected.guesses))


def speed_in_chats(speedup: float) -> Said:
    if is_faster(speedup):
        return Said("in chats here: {times}×", times=_number(speedup))
    return Said("no faster in chats here")


def _rank(candidate: DraftCandidate) -> tuple[object, ...]:
    if candidate.expected is None:
        return True, list(DraftVerdict).index(candidate.verdict), candidate.name.casefold(), candidate.reference
    return (
        False,
        candidate.fit is Fit.DOES_NOT_FIT,
        candidate.expected.rank,
        candidate.where is Where.HUB,
        -(candidate.left or 0),
        candidate.reference,
    )


def _smaller(sizes: tuple[int, int], sides: tuple[Side, Side]) -> Said:
    times = sizes[0] / max(1, sizes[1])
    less_to_read = sides[0].read / max(1.0, sides[1].read)
    if times <= _MORE_THAN_ITS_SIZE * less_to_read:
        return Said("{times} times smaller", times=_number(times))
    return Said("{times} times less to read for each token", times=_number(less_to_read))


def _accepted(expected: Expected, relation: Relation) -> Said:
    percent = round(100 * expected.acceptance)
    if expected.is_known:
        return Said("{percent} % accepted", percent=percent)
    match relation:
        case Relation.MADE_FOR_IT:
            return Said("about {percent} % accepted, as it was made for this target", percent=percent)
        case Relation.RELATED:
            return Said("about {percent} % accepted, as related models usually are", percent=percent)
    return Said("perhaps {percent} % accepted, as it is of another family", percent=percent)


def _speed(speedup: float) -> Said:
    if is_faster(speedup):
        return Said("about {times} times as fast", times=_number(speedup))
    return Said("hardly faster") if speedup >= 1 else Said("slower than without")


def _number(value: float) -> str:
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"
