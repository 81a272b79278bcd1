"""Merges an answer that was stopped with its continuation."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from specchat.domain.conversations import Answer
from specchat.domain.speculation_status import SINGLE_ANSWER_REASONS, parse_speculation
from specchat.domain.types import GenerationStats


def merge_answers(before: Answer, after: Answer) -> Answer:
    """The marks are the later one's."""
    thoughts = [answer.thought_s for answer in (before, after) if answer.thought_s is not None]
    return replace(
        after,
        thought_s=sum(thoughts) if thoughts else None,
        stats=_together(before.stats, after.stats),
    )


def _together(a: GenerationStats, b: GenerationStats) -> GenerationStats:
    first = a if a.n_generated else b
    n_generated, n_steps = a.n_generated + b.n_generated, a.n_verify_steps + b.n_verify_steps
    n_accepted, n_drafted = a.n_accepted + b.n_accepted, a.n_drafted + b.n_drafted
    return GenerationStats(
        n_prompt=first.n_prompt,
        n_prompt_reused=first.n_prompt_reused,
        n_generated=n_generated,
        n_drafted=n_drafted,
        n_accepted=n_accepted,
        n_checked=a.n_checked + b.n_checked,
        n_verify_steps=n_steps,
        acceptance_rate=n_accepted / n_drafted if n_drafted else 0.0,
        mean_accepted_length=n_generated / n_steps if n_steps else 0.0,
        accepted_per_position=_per_position(a, b),
        drafted_per_source=_sum(a.drafted_per_source, b.drafted_per_source),
        accepted_per_source=_sum(a.accepted_per_source, b.accepted_per_source),
        ttft_s=first.ttft_s,
        tokens_per_s=_speed(a, b),
        target_time_s=a.target_time_s + b.target_time_s,
        draft_time_s=a.draft_time_s + b.draft_time_s,
        sample_time_s=a.sample_time_s + b.sample_time_s,
        saved_s=a.saved_s + b.saved_s,
        saved_is_rough=a.saved_is_rough or b.saved_is_rough,
        speculation=_speculation(a, b),
        unreported=tuple(dict.fromkeys(a.unreported + b.unreported)),
    )


def _speculation(a: GenerationStats, b: GenerationStats) -> str:
    """Why the rest has no guesses is no reason for an answer that has some."""
    is_of_rest = not b.n_drafted and parse_speculation(b.speculation) in SINGLE_ANSWER_REASONS
    return a.speculation if a.n_drafted and is_of_rest else b.speculation


def _per_position(a: GenerationStats, b: GenerationStats) -> tuple[float, ...]:
    """How often each position was drafted is not kept: the passes stand in for it."""
    both = max(a.n_verify_steps + b.n_verify_steps, 1)
    return tuple(
        (x * a.n_verify_steps + y * b.n_verify_steps) / both if x is not None and y is not None else (x or y or 0.0)
        for x, y in zip_longest(a.accepted_per_position, b.accepted_per_position)
    )


def _sum(a: Mapping[str, int], b: Mapping[str, int]) -> Mapping[str, int]:
    return dict(Counter(a) + Counter(b))


def _speed(a: GenerationStats, b: GenerationStats) -> float:
    parts = [stats for stats in (a, b) if stats.tokens_per_s > 0]
    seconds = sum(stats.n_generated / stats.tokens_per_s for stats in parts)
    return sum(stats.n_generated for stats in parts) / seconds if seconds else 0.0
