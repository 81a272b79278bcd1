"""An answer whose time is limited."""

from collections.abc import Generator
from dataclasses import dataclass

import pytest

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, TimeLimits
from specchat.domain.types import (
    TARGET,
    FinishReason,
    GenerationEvent,
    GenerationFinished,
    GenerationStats,
    SamplingParams,
    StepStats,
    TokenEvent,
)
from specchat.services.generation.early_end import generate_until_end

LIMIT = 1000.0
STEP = StepStats(0, 0, 1, 0.0, 0.0, 0.0)


@dataclass
class Passes:
    """Which nobody can stop amid them, as others share them."""

    seconds: float
    n_emitted: int = 1
    now: float = 0.0

    def clock(self) -> float:
        return self.now

    def answer(self, cancel: CancelToken) -> Generator[GenerationEvent, None, None]:
        yield self.token(is_last=True)
        while not cancel.cancelled:
            self.now += self.seconds
            for i in range(self.n_emitted):
                yield self.token(is_last=i == self.n_emitted - 1)
        yield GenerationFinished(FinishReason.CANCELLED, "", GenerationStats())

    def token(self, *, is_last: bool) -> TokenEvent:
        return TokenEvent(1, "a", TARGET, None, None, STEP if is_last else None)


@pytest.mark.parametrize("n_emitted", [1, 3])
@pytest.mark.parametrize(
    ("seconds", "usual_s", "n_passes"), [(300.0, 0.0, 3), (1000.0, 0.0, 1), (400.0, 300.0, 2), (1200.0, 1200.0, 0)]
)
def test_no_pass_is_begun_that_would_end_too_late(
    n_emitted: int, seconds: float, usual_s: float, n_passes: int
) -> None:
    passes = Passes(seconds, n_emitted)
    task = CompletionTask("", SamplingParams(), limits=TimeLimits(answer_s=LIMIT))
    *tokens, end = generate_until_end(task, passes.answer, CancelToken(), lambda: usual_s, passes.clock)
    assert len(tokens) == 1 + n_passes * n_emitted
    assert passes.now <= LIMIT
    assert isinstance(end, GenerationFinished)
    assert end.reason is FinishReason.LENGTH
