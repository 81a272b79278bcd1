"""Loading pairs and collecting answers the short way."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import Drafter
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import (
    CacheType,
    GenerationEvent,
    GenerationFinished,
    GenerationRequest,
    GenerationStats,
    ModelSettings,
    PairChoice,
    SamplingParams,
    TokenEvent,
)
from specchat.engine.costs import PassCosts
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.selftest import LARGEST_BATCH, run_selftest
from specchat.engine.speculative import Generation, NoSpeculation
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

GREEDY = SamplingParams(temperature=0)
EXACT = ModelSettings(n_ctx=512, exact=True, threads=1, max_draft=LARGEST_BATCH - 1)
"""One thread, because the threads of many small computations mostly wait for one another."""
DRAFT = replace(EXACT, exact=False, cache_type=CacheType.F16, max_draft=0)


@dataclass(frozen=True)
class Answer:
    tokens: list[int]
    text: str
    origins: list[str]
    end: GenerationFinished

    @property
    def stats(self) -> GenerationStats:
        return self.end.stats


def collect(events: Iterator[GenerationEvent]) -> Answer:
    tokens: list[TokenEvent] = []
    for event in events:
        if isinstance(event, TokenEvent):
            tokens.append(event)
        if isinstance(event, GenerationFinished):
            text = "".join(t.text for t in tokens) + event.text
            return Answer([t.token for t in tokens], text, [t.origin for t in tokens], event)
    raise AssertionError("the answer has no end")


@contextmanager
def loaded(path: Path, settings: ModelSettings = EXACT) -> Iterator[LlamaModel]:
    model = LlamaModel(path, settings)
    try:
        yield model
    finally:
        model.close()


@contextmanager
def exact_target(path: Path, settings: ModelSettings = EXACT) -> Iterator[LlamaModel]:
    """With batches no larger than its self-test allows."""
    with loaded(path, settings) as model:
        result = run_selftest(model, CancelToken())
        assert result.exact, result.verdict
        assert result.trees or model.max_branches == 1
        model.max_batch, model.max_branches = result.max_batch, min(model.max_branches, result.max_branches)
        yield model


class Runner:
    """Answers with one target and changing drafters, costs known from the start so that every step drafts."""

    def __init__(self, target: LlamaModel, draft_length: int = 5, *, branches: bool = False) -> None:
        self.target = target
        self.branches = branches
        self.draft_length = draft_length

    def start(
        self,
        drafter: Drafter | None,
        prompt: Sequence[int],
        sampling: SamplingParams = GREEDY,
        n: int | None = 64,
        *,
        cancel: CancelToken | None = None,
        ignore_eos: bool = True,
        stop: tuple[str, ...] = (),
    ) -> Iterator[GenerationEvent]:
        costs = PassCosts()
        for _ in range(4):
            costs.observe_pass(1, 0.001)
        request = GenerationRequest(tuple(prompt), sampling, n, stop, ignore_eos)
        speculation = (
            FixedLengthStrategy(drafter, self.draft_length, costs, branches=self.branches)
            if drafter
            else NoSpeculation(SpeculationOff.NO_DRAFT)
        )
        return Generation(self.target, request, speculation, costs, cancel or CancelToken()).events()

    def answer(
        self,
        drafter: Drafter | None,
        prompt: Sequence[int],
        sampling: SamplingParams = GREEDY,
        n: int | None = 64,
        *,
        fresh: bool = True,
        ignore_eos: bool = True,
        stop: tuple[str, ...] = (),
    ) -> Answer:
        if fresh:
            self.target.keep(0)
        return collect(self.start(drafter, prompt, sampling, n, ignore_eos=ignore_eos, stop=stop))


def random_prompts(n_vocab: int, count: int, seed: int = 0) -> list[list[int]]:
    """Plain tokens, some of them repeated so that looking back finds something."""
    rng = np.random.default_rng(seed)
    prompts = []
    for _ in range(count):
        words = rng.integers(32, min(127, n_vocab), int(rng.integers(4, 12))).tolist()
        prompts.append([*words, *words[: len(words) // 2], *words])
    return prompts


def load_pair(folder: Path, choice: PairChoice, *, raw: bool = True) -> LoadedPair:
    loader = PairLoader(JsonCache(folder / "passed.json"), JsonCache(folder / "selftests.json"))
    return loader.load(choice, CancelToken(), raw=raw)
