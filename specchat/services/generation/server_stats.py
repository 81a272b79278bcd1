"""Collects the stats of all API requests since the server started."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf

from specchat.domain.guess_counts import GuessCounts
from specchat.domain.types import GenerationStats, StepStats
from specchat.services.generation.stats_tracker import streaming_s

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, inf)


class DurationHistogram:
    """Counts durations by upper limits."""

    def __init__(self) -> None:
        self._counts = [0] * len(_SECONDS)
        self.total_s = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(_SECONDS, seconds)] += 1
        self.total_s += seconds

    def cumulative_counts(self) -> Iterator[tuple[float, int]]:
        return zip(_SECONDS, accumulate(self._counts), strict=True)


@dataclass(slots=True)
class ServerStats:
    """The stats of all requests. Not thread-safe."""

    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    """The number of requests by path and status."""
    finished: Counter[str] = field(default_factory=Counter)
    """The number of answers by the reason for their end."""
    guesses: GuessCounts = field(default_factory=GuessCounts)
    waited: DurationHistogram = field(default_factory=DurationHistogram)
    first_token: DurationHistogram = field(default_factory=DurationHistogram)
    n_running: int = 0
    n_prompt: int = 0
    n_prompt_reused: int = 0
    n_generated: int = 0
    n_passes: int = 0
    writing_s: float = 0.0
    saved_s: float = 0.0
    tokens_per_s: float = 0.0
    """The speed of the last answer."""

    def record_step(self, step: StepStats) -> None:
        self.n_generated += step.emitted
        self.n_passes += 1
        self.guesses.add(step)

    def record_answer(self, reason: str, stats: GenerationStats) -> None:
        self.finished[reason] += 1
        self.n_prompt += stats.n_prompt
        self.n_prompt_reused += stats.n_prompt_reused
        self.writing_s += streaming_s(stats)
        self.saved_s += stats.saved_s
        if stats.n_generated:
            self.first_token.add(stats.ttft_s)
        if stats.tokens_per_s and stats.is_length_known:
            self.tokens_per_s = stats.tokens_per_s
