"""The usage, timings and speculation stats that come with an answer."""

from collections.abc import Mapping, Sequence

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.types import GenerationStats
from specchat.services.chat.stats_text import plain_stats
from specchat.services.generation.stats_tracker import streaming_s

JsonObject = dict[str, object]


def usage(answers: Sequence[GenerationStats], n_thought: int, n: int = 1) -> JsonObject:
    """`n_thought`: tokens of all thoughts. `n`: how many answers each prompt has."""
    n_prompt = sum(stats.n_prompt for stats in answers[::n])
    n_generated = sum(stats.n_generated for stats in answers)
    return {
        "prompt_tokens": n_prompt,
        "completion_tokens": n_generated,
        "total_tokens": n_prompt + n_generated,
        "prompt_tokens_details": {"cached_tokens": sum(stats.n_prompt_reused for stats in answers[::n])},
        "completion_tokens_details": {"reasoning_tokens": n_thought},
    }


def timings(stats: GenerationStats) -> JsonObject:
    """The stats under llama-server's names. The first token counts as prompt time, not as generation."""
    n_read = stats.n_prompt - stats.n_prompt_reused
    prompt_ms, predicted_ms = 1000 * stats.ttft_s, 1000 * streaming_s(stats)
    return {
        "cache_n": stats.n_prompt_reused,
        "prompt_n": n_read,
        "prompt_ms": prompt_ms,
        "prompt_per_token_ms": _ratio(prompt_ms, n_read),
        "prompt_per_second": _ratio(n_read, stats.ttft_s),
        "predicted_n": stats.n_generated,
        "predicted_ms": predicted_ms,
        "predicted_per_token_ms": _ratio(1000, stats.tokens_per_s),
        "predicted_per_second": stats.tokens_per_s,
        "draft_n": stats.n_drafted,
        "draft_n_accepted": stats.n_accepted,
    }


def speculation(stats: GenerationStats, pair: PairInfo, origins: Mapping[str, int]) -> JsonObject:
    return {**plain_stats(stats), "exact": pair.exact or "not requested", "origins": dict(origins), "draft": pair.draft}


def _ratio(value: float, by: float) -> float:
    return value / by if by else 0.0
