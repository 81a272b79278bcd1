"""Records the statistics of one answer."""

from collections.abc import Callable

from specchat.domain.guess_counts import GuessCounts
from specchat.domain.types import GenerationStats, StepStats


class StatsRecorder:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = clock()
        self._first_token: float | None = None
        self._last_token = self._start
        self._n_generated = 0
        self._n_passes = 0
        self._saved = 0.0
        self._tokens_after_first = 0
        self._target_s = self._draft_s = self._sample_s = 0.0
        self._guesses = GuessCounts()
        self.n_prompt = 0
        self.n_prompt_reused = 0

    @property
    def has_guesses(self) -> bool:
        return bool(self._guesses.drafted_at)

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
        self._guesses.add(step)

    def result(self, speculation: str) -> GenerationStats:
        guesses = self._guesses
        first = self._first_token if self._first_token is not None else self._last_token
        streaming = self._last_token - first
        return GenerationStats(
            n_prompt=self.n_prompt,
            n_prompt_reused=self.n_prompt_reused,
            n_generated=self._n_generated,
            n_drafted=guesses.n_drafted,
            n_accepted=guesses.n_accepted,
            n_checked=guesses.n_checked,
            n_verify_steps=self._n_passes,
            acceptance_rate=guesses.acceptance_rate,
            mean_accepted_length=self._n_generated / self._n_passes if self._n_passes else 0.0,
            accepted_per_position=guesses.accepted_per_position,
            drafted_per_source=dict(guesses.drafted_from),
            accepted_per_source=dict(guesses.accepted_from),
            ttft_s=first - self._start,
            tokens_per_s=self._tokens_after_first / streaming if streaming > 0 else 0.0,
            target_time_s=self._target_s,
            draft_time_s=self._draft_s,
            sample_time_s=self._sample_s,
            saved_s=self._saved,
            saved_is_rough=guesses.is_saving_rough,
            speculation=speculation,
        )
