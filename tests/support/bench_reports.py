"""A benchmark that never ran: plans, and the runs that might have come of them, the same each time."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchPrompt, BenchReport, BenchRun, StepPoint
from specchat.domain.types import GenerationStats
from specchat.services.bench.summary import summarize_runs

TARGET = Path("Qwen2.5-7B-Instruct-Q4_K_M.gguf")
DRAFT = Path("Qwen2.5-0.5B-Instruct-Q8_0.gguf")
LARGE_TARGET = Path("Qwen2.5-7B-Instruct-Q8_0.gguf")
WEAK_DRAFT = Path("Qwen2.5-0.5B-Instruct-Q2_K.gguf")
NGRAM = None
LENGTHS: tuple[int | None, ...] = (2, 4, 8, None)
WORKLOADS = ("chat", "code", "quote")
_AUTO_TRIES = 6
_TARGET_S, _DRAFT_S, _SAMPLE_S = 0.098, 0.008, 0.0008
_HOLDS = {"chat": 0.0, "code": 0.12, "quote": 0.16}
_RATES = {DRAFT: 0.74, WEAK_DRAFT: 0.42, NGRAM: 0.16}
_COPIES = {"chat": 0.0, "code": 0.3, "quote": 0.7}
"""How much of a text an n-gram knows."""


def plan(
    drafts: Sequence[Path | None] = (DRAFT, WEAK_DRAFT, NGRAM),
    *,
    targets: Sequence[Path] = (TARGET,),
    workloads: Sequence[str] = WORKLOADS,
    lengths: Sequence[int | None] = LENGTHS,
    repeat: int = 3,
    max_tokens: int = 128,
) -> BenchPlan:
    methods = []
    for target in targets:
        methods.append(BenchMethod(target))
        methods += [BenchMethod(target, draft, "model" if draft else "ngram", k) for draft in drafts for k in lengths]
    prompts = tuple(BenchPrompt(workload, f"Say something about {workload}.") for workload in workloads)
    return BenchPlan(tuple(methods), prompts, repeat, max_tokens)


def runs(of: BenchPlan, seed: int = 7) -> list[BenchRun]:
    """In the order in which they would come."""
    random = Random(seed)
    return [
        _run(of, method, prompt, round_, random)
        for round_ in range(of.repeat)
        for prompt in range(len(of.prompts))
        for method in of.methods
    ]


def report(of: BenchPlan | None = None, *, share: float = 1.0) -> BenchReport:
    """`share`: of the runs, before it was cancelled."""
    of = of or plan()
    done = runs(of)
    return summarize_runs(of, done[: round(share * len(done))], complete=share == 1.0)


def _run(of: BenchPlan, method: BenchMethod, prompt: int, round_: int, random: Random) -> BenchRun:
    steps = tuple(_steps(of, method, of.prompts[prompt].workload, random))
    drafted, accepted = sum(step.drafted for step in steps), sum(step.accepted for step in steps)
    stall = 1 + abs(random.gauss(0, 0.025))
    quicker = 1.4 if "Q4" not in method.target.stem else 1.0
    target_s = quicker * stall * sum(_TARGET_S * (1 + 0.022 * step.drafted) for step in steps)
    draft_s = stall * drafted * (_DRAFT_S if method.draft else 0.00005)
    sample_s = _SAMPLE_S * of.max_tokens
    stats = GenerationStats(
        n_prompt=64,
        n_generated=of.max_tokens,
        n_drafted=drafted,
        n_accepted=accepted,
        n_checked=drafted,
        n_verify_steps=len(steps),
        acceptance_rate=accepted / drafted if drafted else 0.0,
        mean_accepted_length=of.max_tokens / len(steps),
        accepted_per_position=_by_position(steps),
        ttft_s=0.6 * quicker * stall,
        tokens_per_s=of.max_tokens / (target_s + draft_s + sample_s),
        target_time_s=target_s,
        draft_time_s=draft_s,
        sample_time_s=sample_s,
    )
    same = (prompt + round_ + (method.draft_max or 0)) % 4 != 3
    return BenchRun(method, prompt, round_, stats, None if method.is_plain else same, steps)


def _steps(of: BenchPlan, method: BenchMethod, workload: str, random: Random) -> Iterator[StepPoint]:
    at = 0
    while at < of.max_tokens:
        holds = _RATES.get(method.draft, 0.5) + (_HOLDS if method.draft else _COPIES).get(workload, 0.05) - 0.0006 * at
        most = _AUTO_TRIES if method.draft_max is None else method.draft_max
        if method.draft_max is None and holds < 0.35:
            most = 0
        accepted = next((n for n in range(most) if random.random() > holds), most)
        yield StepPoint(at, most, accepted, most)
        at += accepted + 1


def _by_position(steps: Sequence[StepPoint]) -> tuple[float, ...]:
    deepest = max((step.drafted for step in steps), default=0)
    trying = [[step for step in steps if step.drafted > place] for place in range(deepest)]
    return tuple(
        sum(step.accepted > place for step in tried) / len(tried) for place, tried in enumerate(trying) if tried
    )
