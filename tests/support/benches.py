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


def plan(*methods: BenchMethod, prompts: Sequence[BenchPrompt] = PROMPTS) -> BenchPlan:
    return BenchPlan(methods, tuple(prompts), repeat=2)


def run(
    method: BenchMethod, speed: float, prompt: int = 0, number: int = 0, *, n: int = 32, same: bool | None = True
) -> BenchRun:
    steps = () if method.is_plain else (StepPoint(0, 4, 3, 4), StepPoint(4, 4, 1, 4), StepPoint(6, 2, 2, 2))
    values = GenerationStats(
        n_generated=n,
        n_drafted=0 if method.is_plain else 40,
        n_accepted=0 if method.is_plain else 24,
        n_verify_steps=n if method.is_plain else max(1, n - 24),
        drafted_per_source={} if method.is_plain else {DRAFTED if method.draft else NGRAM: 40},
        ttft_s=0.5,
        tokens_per_s=speed,
        target_time_s=3.0,
        draft_time_s=0.0 if method.is_plain else 1.0,
    )
    return BenchRun(method, prompt, number, values, None if method.is_plain else same, steps)


def runs(method: BenchMethod, *speeds: Sequence[float]) -> list[BenchRun]:
    """Of each prompt, its rounds."""
    return [run(method, speed, prompt, number) for prompt, own in enumerate(speeds) for number, speed in enumerate(own)]
