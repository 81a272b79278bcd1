"""Stats of the replies in a conversation, one by one and in total."""

from collections.abc import Sequence
from dataclasses import dataclass

from specchat.domain.speculation_status import OffReason, parse_speculation
from specchat.domain.types import GenerationStats
from specchat.services.generation.stats_tracker import streaming_s


@dataclass(frozen=True, slots=True)
class ReplyStats:
    title: str
    """The reply's first words."""
    stats: GenerationStats
    target: str
    draft: str | None = None


@dataclass(frozen=True, slots=True)
class TotalStats:
    n_generated: int
    """Of all replies, if the length of each is known."""
    n_drafted: int
    n_checked: int
    n_accepted: int
    acceptance_rate: float
    mean_accepted_length: float
    tokens_per_s: float
    streaming_s: float
    plain_s: float
    """What plain decoding would have taken."""
    saved_s: float
    accepted_per_position: tuple[float, ...]
    is_saving_known: bool = True
    """Of one answer with guesses, at least. What was saved, and when, counts these alone."""
    saved_is_rough: bool = False
    """Of one answer with guesses, at least."""
    why_none: OffReason | str | None = None
    """The same for all replies, where none has guesses."""
    is_length_known: bool = True
    """Of every reply."""


def compute_total(replies: Sequence[ReplyStats]) -> TotalStats:
    stats = [reply.stats for reply in replies]
    told = [s for s in stats if "n_verify_steps" not in s.unreported]
    counted = [s for s in stats if s.is_length_known]
    timed = [s for s in stats if "saved_s" not in s.unreported]
    generated = sum(s.n_generated for s in counted)
    drafted, accepted = sum(s.n_drafted for s in stats), sum(s.n_accepted for s in stats)
    passes = sum(s.n_verify_steps for s in stats)
    streaming, saved = sum(map(streaming_s, timed)), sum(s.saved_s for s in timed)
    return TotalStats(
        n_generated=generated,
        n_drafted=drafted,
        n_checked=sum(s.n_checked for s in stats),
        n_accepted=accepted,
        acceptance_rate=_ratio(accepted, drafted),
        mean_accepted_length=_ratio(sum(s.n_generated for s in told), passes),
        tokens_per_s=_ratio(sum(s.tokens_per_s * streaming_s(s) for s in counted), sum(map(streaming_s, counted))),
        streaming_s=streaming,
        plain_s=streaming + saved,
        saved_s=saved,
        accepted_per_position=_per_position(stats),
        is_saving_known=not drafted or any(s.n_drafted for s in timed),
        saved_is_rough=any(s.saved_is_rough for s in timed),
        why_none=_why_none(stats),
        is_length_known=len(counted) == len(stats),
    )


def _why_none(stats: Sequence[GenerationStats]) -> OffReason | str | None:
    reasons = {s.speculation for s in stats}
    return parse_speculation(reasons.pop()) if len(reasons) == 1 and not any(s.n_drafted for s in stats) else None


def _per_position(stats: Sequence[GenerationStats]) -> tuple[float, ...]:
    """A reply counts by its passes; how many of them guessed that far is not kept."""
    longest = max((len(s.accepted_per_position) for s in stats), default=0)
    return tuple(_at_position([s for s in stats if len(s.accepted_per_position) > at], at) for at in range(longest))


def _at_position(stats: Sequence[GenerationStats], at: int) -> float:
    held = sum(s.accepted_per_position[at] * s.n_verify_steps for s in stats)
    return _ratio(held, sum(s.n_verify_steps for s in stats))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
