"""Tracks the stats of a running answer, smoothed enough to read."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from specchat.domain.guess_counts import GuessCounts
from specchat.domain.speculation_status import OffReason, SpeculationOff, parse_speculation
from specchat.domain.types import UNKNOWN, GenerationStats, StepStats

T = TypeVar("T")

KEPT_STEPS = 100
_WINDOW_S = 4.0
_WINDOW_STEPS = 8
"""The minimum number of steps in the window, because a slow model has few steps in the time."""
_SETTLING_STEPS = 16
_TELLING_TOKENS = 12
"""The fewest tokens from which a speed-up is calculated."""


@dataclass(frozen=True, slots=True)
class StepSummary:
    drafted: int
    """The number of guesses on the longest branch."""
    accepted: int
    bonus: bool
    """Whether the target added a token of its own."""
    origin: str | None


@dataclass(frozen=True, slots=True)
class StatsSnapshot:
    n_generated: int = 0
    drafted: int = 0
    accepted: int = 0
    acceptance_rate: float = 0.0
    mean_accepted_length: float = 0.0
    """0 if it is not known."""
    tokens_per_s: float = 0.0
    saved_s: float = 0.0
    speedup: float | None = None
    """The speed relative to plain decoding. None while it is unknown."""
    is_saving_known: bool = True
    """Whether the time saved is known; other engines don't report it."""
    is_saving_rough: bool = False
    """Whether other programs slowed the answer down, so that the time saved is a rough estimate."""
    why_off: OffReason | str | None = None
    draft_off: OffReason | None = None
    """Why the draft doesn't guess, while other sources may. None for stored answers."""
    n_drafted_per_source: Mapping[str, int] = field(default_factory=dict)
    steps: tuple[StepSummary, ...] = ()
    final: bool = False

    @staticmethod
    def from_stats(stats: GenerationStats) -> "StatsSnapshot":
        is_measured = stats.n_drafted > 0 and "saved_s" not in stats.unreported
        return StatsSnapshot(
            n_generated=stats.n_generated,
            drafted=stats.n_drafted,
            accepted=stats.n_accepted,
            acceptance_rate=stats.acceptance_rate,
            mean_accepted_length=stats.mean_accepted_length,
            tokens_per_s=stats.tokens_per_s if stats.is_length_known else 0.0,
            saved_s=stats.saved_s,
            speedup=compute_speedup(streaming_s(stats), stats.saved_s, stats.n_generated) if is_measured else None,
            is_saving_known="saved_s" not in stats.unreported,
            is_saving_rough=stats.saved_is_rough,
            why_off=parse_speculation(stats.speculation),
            n_drafted_per_source=dict(stats.drafted_per_source),
            final=True,
        )


class StatsTracker:
    """Tracks the stats of one answer. Not thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._speed = _Speed(clock)
        self._steps: deque[StepSummary] = deque(maxlen=KEPT_STEPS)
        self._states: deque[OffReason | None] = deque(maxlen=_SETTLING_STEPS)
        self._of_draft: deque[OffReason | None] = deque(maxlen=_SETTLING_STEPS)
        self._guesses = GuessCounts()
        self._passes = self._generated = 0
        self._saved_s = self._took_s = 0.0

    def add_step(self, step: StepStats) -> None:
        took_s = step.draft_s + step.target_s + step.sample_s
        self._speed.add(step.emitted, took_s)
        if self._passes:
            self._took_s += took_s
        self._passes += 1
        self._generated += step.emitted
        self._guesses.add(step)
        self._saved_s += step.saved_s
        origin = step.origins[0] if step.origins else None
        self._steps.append(StepSummary(step.reach, step.accepted, step.emitted > step.accepted, origin))
        self._states.append(step.why_off)
        self._of_draft.append(step.draft_off)

    def snapshot(self) -> StatsSnapshot:
        guesses, passes = self._guesses, self._passes
        took_s = max(self._took_s, self._speed.elapsed)  # many steps may arrive at once
        why_off = _most_common(self._states)
        is_reported = why_off is not SpeculationOff.NOT_REPORTED or guesses.n_drafted > 0
        is_saving_known = is_reported and UNKNOWN not in guesses.drafted_from
        is_measured = bool(guesses.drafted_at) and is_saving_known
        return StatsSnapshot(
            n_generated=self._generated,
            drafted=guesses.n_drafted,
            accepted=guesses.n_accepted,
            acceptance_rate=guesses.acceptance_rate,
            mean_accepted_length=self._generated / passes if passes and is_reported else 0.0,
            tokens_per_s=self._speed.rate(),
            saved_s=self._saved_s,
            speedup=compute_speedup(took_s, self._saved_s, self._generated) if is_measured else None,
            is_saving_known=is_saving_known,
            is_saving_rough=guesses.is_saving_rough,
            why_off=None if guesses.n_drafted and not is_saving_known else why_off,
            draft_off=_most_common(self._of_draft),
            n_drafted_per_source=dict(guesses.drafted_from),
            steps=tuple(self._steps) if is_reported else (),
        )

    def finish(self, stats: GenerationStats) -> StatsSnapshot:
        """Returns the stats for the footer, including the last steps."""
        of_draft = _most_common(self._of_draft)
        steps = () if "n_verify_steps" in stats.unreported else tuple(self._steps)
        return replace(StatsSnapshot.from_stats(stats), steps=steps, draft_off=of_draft)


class _Speed:
    """The speed between arrivals within a window, so that it isn't affected by tokens that arrive together.

    If many steps arrive at once, they count with the time that each of them took.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._arrivals: deque[tuple[float, int, float]] = deque()
        self._first = 0.0
        self._tokens, self._took_s = 0, 0.0
        """Sums over all arrivals in the window except the first, which starts the window."""

    @property
    def elapsed(self) -> float:
        return self._arrivals[-1][0] - self._first if self._arrivals else 0.0

    def add(self, tokens: int, took_s: float) -> None:
        now = self._clock()
        if self._arrivals:
            self._tokens += tokens
            self._took_s += took_s
        else:
            self._first = now
        self._arrivals.append((now, tokens, took_s))
        while len(self._arrivals) > _WINDOW_STEPS and self._arrivals[1][0] < now - _WINDOW_S:
            self._arrivals.popleft()
            _, tokens, took_s = self._arrivals[0]
            self._tokens -= tokens
            self._took_s -= took_s

    def rate(self) -> float:
        if len(self._arrivals) < 2:
            return 0.0
        last = self._arrivals[-1][0]
        span = last - self._arrivals[0][0]
        usual_pause = span / (len(self._arrivals) - 1)
        span += max(0.0, self._clock() - last - usual_pause)
        span = max(span, self._took_s)
        return self._tokens / span if span > 0 else 0.0


def streaming_s(stats: GenerationStats) -> float:
    """Returns the time from the first token to the last, in which guesses can save time."""
    return (stats.n_generated - 1) / stats.tokens_per_s if stats.tokens_per_s > 0 else 0.0


def compute_speedup(took_s: float, saved_s: float, tokens: int) -> float | None:
    return (took_s + saved_s) / took_s if took_s > 0 and tokens >= _TELLING_TOKENS else None


def _most_common(values: Iterable[T]) -> T | None:
    """Returns the most common value, so that alternating states don't flicker."""
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted else None
