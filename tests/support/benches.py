"""Benchmarks that nobody had to run."""

from collections.abc import Sequence
from pathlib import Path

from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchPrompt, BenchRun, StepPoint
from specchat.domain.types import DRAFT as DRAFTED
from specchat.domain.types import NGRAM, GenerationStats

TARGET, DRAFT = Path("target.gguf"), Path("draft.gguf")
PLAIN = BenchMethod(TARGET)
AUTO, FOUR, EIGHT = (BenchMethod(TARGET, DRAFT, "auto", length) for length in (None, 4, 8))
PROMPTS = (BenchPrompt("chat", "Hello"), BenchPrompt("code", "A loop"))


def plan(*ways: BenchMethod, prompts: Sequence[BenchPrompt] = PROMPTS) -> BenchPlan:
    return BenchPlan(ways, tuple(prompts), repeat=2)


def run(
    way: BenchMethod, speed: float, prompt: int = 0, number: int = 0, *, n: int = 32, same: bool | None = True
) -> BenchRun:
    steps = () if way.is_plain else (StepPoint(0, 4, 3), StepPoint(4, 4, 1), StepPoint(6, 2, 2))
    values = GenerationStats(
        n_generated=n,
        n_drafted=0 if way.is_plain else 40,
        n_accepted=0 if way.is_plain else 24,
        n_verify_steps=n if way.is_plain else max(1, n - 24),
        drafted_per_source={} if way.is_plain else {DRAFTED if way.draft else NGRAM: 40},
        ttft_s=0.5,
        tokens_per_s=speed,
        target_time_s=3.0,
        draft_time_s=0.0 if way.is_plain else 1.0,
    )
    return BenchRun(way, prompt, number, values, None if way.is_plain else same, steps)


def runs(way: BenchMethod, *speeds: Sequence[float]) -> list[BenchRun]:
    """Of each prompt, its rounds."""
    return [run(way, speed, prompt, number) for prompt, own in enumerate(speeds) for number, speed in enumerate(own)]
