"""The real strategies on models of known cost: a clock that only their passes move."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from specchat.domain.cancel_token import CancelToken
from specchat.domain.proposal import main_length
from specchat.domain.types import GenerationFinished, GenerationRequest, GenerationStats, SamplingParams, TokenEvent
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.cost_measurement import ModelProbe, measure_costs
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.speculative import Generation, Speculation

N_VOCAB = 64
GPU = {1: 1.0, 2: 1.02, 8: 1.1, 33: 1.5}
CPU = {1: 1.0, 2: 2.0, 4: 2.5, 8: 4.1, 16: 6.7, 33: 11.0}
CURVES = {"flat": GPU, "steep": CPU}
LONGEST = 16
SEEN = 4
SCORES = (0.6, 0.8, 0.95, 0.995)
Curve = dict[int, float]


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


class Scripted:
    """A model that says what it is told, in the time that it is told."""

    n_vocab = N_VOCAB
    n_ctx_trained = 4096
    n_ctx = 8192
    max_batch = 33
    max_rollback = 8192
    max_branches = 1

    def __init__(self, clock: Clock, curve: Curve, seed: int) -> None:
        self._clock, self._curve = clock, curve
        self._usual: dict[int, float] = {}
        """How long a pass of so many tokens takes."""
        self._rows: dict[tuple[int, float, int], NDArray[np.float32]] = {}
        self._cached = np.zeros(self.n_ctx, dtype=np.int32)
        self._length = 0
        self._rng = np.random.default_rng(seed)
        self.held_up, self.larger_held_up, self.stalls = 1.0, 1.0, 0.01
        self.says: dict[tuple[int, ...], tuple[int, float]] = {}
        """After the last few tokens: which one, and how clearly."""
        self.next_best: dict[tuple[int, ...], int] = {}

    @property
    def cached(self) -> NDArray[np.int32]:
        return self._cached[: self._length]

    def keep(self, length: int) -> int:
        self._length = min(length, self._length)
        return self._length

    def evaluate(self, tokens: NDArray[np.int32], n_logits: int, cancel: CancelToken) -> NDArray[np.float32]:
        self._cached[self._length : self._length + len(tokens)] = tokens
        self._length += len(tokens)
        self._take_time(len(tokens))
        logits = np.empty((n_logits, N_VOCAB), dtype=np.float32)
        for row in range(n_logits):
            end = self._length - n_logits + 1 + row
            logits[row] = self._logits_after(self._cached[max(0, end - SEEN) : end].tolist())
        return logits

    def evaluate_tree(
        self, tokens: NDArray[np.int32], parents: Sequence[int], cancel: CancelToken
    ) -> NDArray[np.float32]:
        n_before = len(tokens) - len(parents)
        before, tree = tokens[:n_before].tolist(), tokens[n_before:].tolist()
        texts = [[*self.cached.tolist(), *before]]
        for token, parent in zip(tree, parents, strict=True):
            texts.append([*texts[parent + 1], token])
        self._take_time(len(tokens))
        kept = [*before, *tree[: main_length(parents)]]
        self._cached[self._length : self._length + len(kept)] = kept
        self._length += len(kept)
        return np.stack([self._logits_after(text) for text in texts])

    def _take_time(self, n_tokens: int) -> None:
        usual = self._usual.get(n_tokens)
        if usual is None:
            usual = float(np.interp(n_tokens, list(self._curve), list(self._curve.values())))
            self._usual[n_tokens] = usual = usual * max(1.0, n_tokens / max(self._curve))
        stall = 5.0 if self._rng.random() < self.stalls else 1.0
        held_up = self.held_up * (self.larger_held_up if n_tokens > 1 else 1.0)
        self._clock.now += usual * stall * held_up * math.exp(self._rng.normal(0, 0.03))

    def _logits_after(self, text: Sequence[int]) -> NDArray[np.float32]:
        seen = tuple(text[-SEEN:])
        token, score = self.says.get(seen) or (sum(seen) % N_VOCAB, SCORES[sum(seen) % len(SCORES)])
        best = token, score, self.next_best.get(seen, (token + 1) % N_VOCAB)
        if best not in self._rows:
            self._rows[best] = _row(*best)
        return self._rows[best]

    def adopt_states(self, rows: Sequence[int]) -> None:
        pass

    def evaluate_states(self, tokens: NDArray[np.int32], cancel: CancelToken) -> NDArray[np.float32]:
        raise NotImplementedError

    def capture_layers(self, layers: Sequence[int]) -> None:
        raise NotImplementedError

    states: None = None
    end_tokens: Sequence[int] = ()

    def is_end_token(self, token: int) -> bool:
        return False

    def piece(self, token: int) -> bytes:
        return b"x"


def _row(token: int, score: float, next_best: int) -> NDArray[np.float32]:
    logits = np.zeros(N_VOCAB, dtype=np.float32)
    logits[token] = 10 + np.log(score / (1 - score))
    logits[next_best] = 10
    return logits


@dataclass
class Lab:
    """A pair whose draft is right as often as it is told, and knows when."""

    curve: Curve
    acceptance: float
    draft_cost: float = 0.05
    text: Callable[[np.random.Generator, int], list[int]] = lambda rng, n: rng.integers(0, N_VOCAB, n).tolist()
    clock: Clock = field(default_factory=Clock)
    seed: int = 11
    second_chance: float = 0.0
    """How often the draft's second best is right where its best is wrong."""

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        self.target = Scripted(self.clock, self.curve, 1)
        self.draft = Scripted(self.clock, {n: self.draft_cost * t for n, t in self.curve.items()}, 2)
        self.tokens = self.text(rng, 2000)
        for place, token in enumerate(self.tokens):
            self.target.says.setdefault(tuple(self.tokens[max(0, place - SEEN) : place]), (token, 0.99))
        self._teach(self.draft, self.acceptance, rng)
        self.costs = PassCosts()
        self.draft_passes = ModelProbe("draft", self.draft)
        measure_costs(self.target, [self.draft_passes], self.costs, CancelToken(), self.clock)

    def _teach(self, draft: Scripted, acceptance: float, rng: np.random.Generator) -> None:
        for seen, (token, _) in self.target.says.items():
            score = float(rng.choice(SCORES))
            right = rng.random() < acceptance * (0.6 + 0.4 * score) / 0.94
            draft.says[seen] = (token if right else (token + 5) % N_VOCAB, score)
            if not right and self.second_chance and rng.random() < self.second_chance:
                draft.next_best[seen] = token

    def another_draft(self, name: str, acceptance: float) -> tuple[Scripted, Callable[[], DraftSource]]:
        """It knows nothing of what the first one was right about. The function makes a source that has learned
        nothing."""
        draft = Scripted(self.clock, {n: self.draft_cost * t for n, t in self.curve.items()}, 3)
        self._teach(draft, acceptance, np.random.default_rng(self.seed + 1))
        measure_costs(self.target, [ModelProbe(name, draft)], self.costs, CancelToken(), self.clock)

        def source() -> DraftSource:
            drafter = ModelDrafter(draft)
            drafter.name = name
            return DraftSource(drafter)

        return draft, source

    def source(self) -> DraftSource:
        return DraftSource(ModelDrafter(self.draft))

    def auto(self, *, text: bool = False, draft: bool = True) -> AutoStrategy:
        drafts = [self.source()] if draft else []
        return AutoStrategy(self.costs, LONGEST, DraftSource(SuffixDrafter()) if text else None, drafts, self.clock)

    def answers(self, speculation: Speculation, n: int = 160, count: int = 8) -> Iterator[GenerationStats]:
        """Of one conversation."""
        yield from self._answers(speculation, n, range(20, 20 + 200 * count, 200))

    def answer_after(self, n_prompt: int, speculation: Speculation, n: int) -> Iterator[GenerationStats]:
        return self._answers(speculation, n, [n_prompt])

    def _answers(self, speculation: Speculation, n: int, starts: Iterable[int]) -> Iterator[GenerationStats]:
        self.target.keep(0)
        self.draft.keep(0)
        for start in starts:
            request = GenerationRequest(tuple(self.tokens[:start]), SamplingParams(temperature=0), n, (), True)
            events = list(Generation(self.target, request, speculation, self.costs, CancelToken(), self.clock).events())
            assert [event.token for event in events if isinstance(event, TokenEvent)] == self.tokens[start : start + n]
            end = events[-1]
            assert isinstance(end, GenerationFinished)
            yield end.stats

    def rate(self, speculation: Speculation) -> float:
        return float(np.mean([1 / stats.tokens_per_s for stats in self.answers(speculation)])) ** -1

    def fixed(self, length: int) -> FixedLengthStrategy:
        return FixedLengthStrategy(ModelDrafter(self.draft), length, self.costs)
