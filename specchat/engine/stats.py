"""Records the statistics of one answer.

Drafted are the guesses that went into a pass of the target; checked those whose place in the text was reached, beyond
which nothing can be said about a guess. Of several guesses for a place, one at most is accepted.
"""

from collections import Counter
from collections.abc import Callable

from specchat.domain.types import GenerationStats, StepStats


class StatsRecorder:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = clock()
        self._first_token: float | None = None
        self._last_token = self._start
        self._n_generated = 0
        self._n_passes = 0
        self._checked = 0
        self._saved = 0.0
        self._tokens_after_first = 0
        self._target_s = self._draft_s = self._sample_s = 0.0
        self._drafted_at: Counter[int] = Counter()
        """Passes with a guess for this place."""
        self._accepted_at: Counter[int] = Counter()
        self._drafted_from: Counter[str] = Counter()
        self._accepted_from: Counter[str] = Counter()
        self.n_prompt = 0
        self.n_prompt_reused = 0

    @property
    def has_guesses(self) -> bool:
        return bool(self._drafted_at)

    def record_prefill(self, seconds: float) -> None:
        self._target_s += seconds

    def record_step(self, step: StepStats, *, from_prompt: bool) -> None:
        now = self._clock()
        self._first_token = self._first_token if self._first_token is not None else now
        self._last_token = now
        self._n_passes += 1
        self._n_generated += step.emitted
        self._target_s += step.target_s
        self._draft_s += step.draft_s
        self._sample_s += step.sample_s
        if not from_prompt:
            self._tokens_after_first += step.emitted
            self._saved += step.saved_s
        self._drafted_at.update(range(step.reach))
        self._accepted_at.update(range(step.accepted))
        for _, origin, held in step.guesses():
            self._checked += held is not None
            self._drafted_from[origin] += 1
            self._accepted_from[origin] += held is True

    def result(self, speculation: str) -> GenerationStats:
        drafted, accepted = self._drafted_from.total(), self._accepted_from.total()
        first = self._first_token if self._first_token is not None else self._last_token
        streaming = self._last_token - first
        return GenerationStats(
            n_prompt=self.n_prompt,
            n_prompt_reused=self.n_prompt_reused,
            n_generated=self._n_generated,
            n_drafted=drafted,
            n_accepted=accepted,
            n_checked=self._checked,
            n_verify_steps=self._n_passes,
            acceptance_rate=accepted / drafted if drafted else 0.0,
            mean_accepted_length=self._n_generated / self._n_passes if self._n_passes else 0.0,
            accepted_per_position=tuple(self._accepted_at[p] / self._drafted_at[p] for p in sorted(self._drafted_at)),
            drafted_per_source=dict(self._drafted_from),
            accepted_per_source=dict(self._accepted_from),
            ttft_s=first - self._start,
            tokens_per_s=self._tokens_after_first / streaming if streaming > 0 else 0.0,
            target_time_s=self._target_s,
            draft_time_s=self._draft_s,
            sample_time_s=self._sample_s,
            saved_s=self._saved,
            speculation=speculation,
        )
