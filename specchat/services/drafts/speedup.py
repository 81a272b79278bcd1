"""Estimates the speed-up of a draft before it has been tried."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from math import log2

from specchat.services.bench.measured_pairs import MeasuredSpeed
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.services.drafts.known_pairs import KnownModel, KnownPair, Remark
from specchat.services.models.file_choice import estimated_size

MAX_DRAFT_LENGTH = 16
_OVERHEAD = 0.02
"""The time for one guess of even the smallest draft, as a share of the target's pass."""
_TINY = 100e6
"""Bytes that a target reads for each token. Below it starting a pass and choosing a token take as long as reading."""

# Published of related models: 60 to 90 % accepted, and 5 to 10 times smaller is best. So: 76 % at 5 times smaller,
# 68 % at 10, 60 % at 20.
_SAME_SIZE = 0.95
_EACH_HALVING = 0.08
_LEAST, _MOST = 0.35, 0.9
_MADE_FOR_IT_LEAST = 0.6
_STRANGER_LESS = 0.15
_TRANSLATED_LEAST, _TRANSLATED_MOST = 0.8, 0.95
"""Times: where the vocabularies have nothing in common, and where they have nearly the same tokens."""


class Relation(Enum):
    MADE_FOR_IT = auto()
    """Trained to guess for this target."""
    RELATED = auto()
    STRANGER = auto()
    """The tokens fit, but it learned from other texts."""


@dataclass(frozen=True, slots=True)
class ModelCost:
    parameters: int
    read: float
    """Bytes for each token: of a mixture of experts only those that are used."""


def estimate_speedup(cost_ratio: float, acceptance: float, *, is_known: bool = False) -> SpeedupEstimate:
    """`cost_ratio`: one guess of the draft to one pass of the target.

    Tokens of a pass with k guesses, (1 - a^(k+1)) / (1 - a), over what it costs, 1 + k c: checking several tokens
    takes hardly longer than one while reading the weights is what takes time.
    """
    rates = [(_tokens(acceptance, k) / (1 + k * cost_ratio), k) for k in range(1, MAX_DRAFT_LENGTH + 1)]
    speedup, draft_length = max(rates, key=lambda rate: rate[0])
    return SpeedupEstimate(speedup, draft_length, acceptance, is_known)


def estimate_from_costs(
    target: ModelCost, draft: ModelCost, relation: Relation, acceptance: float | None = None, overlap: float = 1.0
) -> SpeedupEstimate:
    """`acceptance`: where it is known. `overlap`: the share of their vocabularies that both have."""
    cost_ratio = draft.read / max(1.0, target.read) + _OVERHEAD
    is_known = acceptance is not None
    if acceptance is None:
        acceptance = assumed_acceptance(target.parameters / max(1, draft.parameters), relation)
        acceptance *= translated_share(overlap)
    return replace(estimate_speedup(cost_ratio, acceptance, is_known=is_known), tiny=target.read < _TINY)


def estimate_known_pair(pair: KnownPair, target: str, draft: str) -> SpeedupEstimate | None:
    """Estimates a pair in these quantizations, downloaded or not. None: unknown sizes."""
    if not (pair.target.parameters and pair.draft.parameters):
        return None
    return estimate_from_costs(_side(pair.target, target), _side(pair.draft, draft), relation_of(pair), pair.acceptance)


def apply_measurement(expected: SpeedupEstimate, found: MeasuredSpeed | None) -> SpeedupEstimate:
    """Prefers a measured speed to published values."""
    if found is None:
        return expected
    if found.is_trial:
        return replace(expected, speedup=found.speedup, acceptance=found.acceptance_rate, is_known=True, tiny=False)
    length = found.guesses or expected.draft_length
    seen = SpeedupEstimate(found.speedup, length, found.acceptance_rate, is_known=True, guesses=found.guesses)
    return replace(seen, measured=not found.in_chats, in_chats=found.in_chats, tiny=expected.tiny and found.in_chats)


def relation_of(pair: KnownPair) -> Relation:
    return Relation.MADE_FOR_IT if pair.remark is Remark.MADE_FOR_IT else Relation.RELATED


def assumed_acceptance(times_smaller: float, relation: Relation) -> float:
    usual = _SAME_SIZE - _EACH_HALVING * log2(max(1.0, times_smaller))
    match relation:
        case Relation.MADE_FOR_IT:
            usual = max(usual, _MADE_FOR_IT_LEAST)
        case Relation.STRANGER:
            usual -= _STRANGER_LESS
    return min(_MOST, max(_LEAST, usual))


def translated_share(overlap: float) -> float:
    """The share of guesses that a different vocabulary still allows."""
    return 1.0 if overlap >= 1 else _TRANSLATED_LEAST + (_TRANSLATED_MOST - _TRANSLATED_LEAST) * overlap


def _side(model: KnownModel, quantization: str) -> ModelCost:
    return ModelCost(model.parameters, estimated_size(model.active_parameters or model.parameters, quantization))


def _tokens(acceptance: float, guesses: int) -> float:
    if acceptance >= 1:
        return guesses + 1
    return float((1 - acceptance ** (guesses + 1)) / (1 - acceptance))
