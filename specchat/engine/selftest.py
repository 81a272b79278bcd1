"""Tests whether batches give bit-identical logits to single tokens, so that guessing is exact."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import LanguageModel

LARGEST_BATCH = 8
_DEPTHS = (24, 600)
"""llama.cpp uses other kernels for long contexts, so the test runs at a short and a longer one."""

Logits = NDArray[np.float32]
Tokens = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class BatchComparison:
    depth: int
    batch: int
    equal: bool
    largest_difference: float


@dataclass(frozen=True, slots=True)
class SelfTestResult:
    max_batch: int
    """Batches up to this size give the logits of one token at a time."""
    rollback: bool
    details: tuple[BatchComparison, ...]
    max_branches: int = 1
    """Trees with up to so many branches do so, too."""

    @property
    def exact(self) -> bool:
        return self.max_batch > 1 and self.rollback

    @property
    def trees(self) -> bool:
        return self.max_branches > 1

    @property
    def verdict(self) -> str:
        if self.exact:
            return "passed"
        if not self.rollback:
            return "failed: the cache doesn't roll back to the same state"
        worst = max((d.largest_difference for d in self.details), default=0.0)
        how_far = (
            f"differ from those computed one at a time by up to {worst:.2g}"
            if worst
            else "may differ from those computed one at a time"
        )
        return f"failed: logits computed in a batch {how_far}; the answer has the same distribution, up to rounding"


def run_selftest(
    model: LanguageModel, cancel: CancelToken, progress: Callable[[float], None] = lambda share: None
) -> SelfTestResult:
    largest = min(LARGEST_BATCH, model.max_batch)
    depths = [d for d in _DEPTHS if d + largest + 4 < model.n_ctx] or [1]
    steps = _Steps(len(depths) * (largest + 1 + (largest - 2 if model.max_branches > 1 else 0)), progress)
    details, places = list[BatchComparison](), list[_Place]()
    for depth in depths:
        places.append(_Place(model, depth, largest, cancel))
        steps.finish_one()
    rollback = True
    for place in places:
        for size in range(2, largest + 1):
            details.append(place.compare(size))
            steps.finish_one()
        rollback = rollback and place.rolls_back()
        steps.finish_one()
    unequal = [d.batch for d in details if not d.equal]
    max_batch = min(unequal, default=largest + 1) - 1
    max_branches = _count_exact_branches(places, max_batch, model.max_branches, steps)
    model.keep(0)
    return SelfTestResult(max_batch, rollback, tuple(details), max_branches)


class _Steps:
    def __init__(self, n_steps: int, progress: Callable[[float], None]) -> None:
        self._n_steps, self._progress = n_steps, progress
        self._n_done = 0

    def finish_one(self) -> None:
        self._n_done += 1
        self._progress(self._n_done / self._n_steps)


def _count_exact_branches(places: Sequence["_Place"], max_batch: int, max_branches: int, steps: _Steps) -> int:
    """Tests trees of all sizes: long ones with one or two side branches, and wide ones."""
    if max_branches == 1:
        return 1
    most = 1
    for size in range(3, max_batch + 1):
        n_others = min(max(0, size - 4), max_branches - 2, size if size % 2 else 1)
        for place in places:
            if not place.equals_in_tree(size, n_others):
                return 1
            steps.finish_one()
        most = max(most, n_others + 2)
    return most


class _Place:
    """A depth in the context, with the results of the tokens after it, computed one at a time."""

    def __init__(self, model: LanguageModel, depth: int, largest: int, cancel: CancelToken) -> None:
        self._model, self._depth, self._cancel = model, depth, cancel
        self._tokens = _varied_tokens(model, depth + largest + 1, seed=0)
        singles = range(depth, depth + largest + 1)
        self._return()
        self._logits = np.concatenate([self._evaluate(at, 1).copy() for at in singles])
        self._return()
        self._states = np.concatenate([self._evaluate_states(at, 1) for at in singles])

    def compare(self, size: int) -> BatchComparison:
        """Compares the logits of the batch, and of the token after it, which reads the cache that the batch left.

        Also compares the states before the output layer, because its quantization hides most small differences.
        """
        self._return()
        batch = self._evaluate(self._depth, size).copy()
        after = self._evaluate(self._depth + size, 1)
        found, expected = np.concatenate([batch, after]), self._logits[: size + 1]
        self._return()
        states = self._evaluate_states(self._depth, size)
        with np.errstate(invalid="ignore"):  # a damaged model's logits may be infinite
            difference = float(np.abs(found - expected).max())
        equal = np.array_equal(found, expected) and np.array_equal(states, self._states[:size])
        return BatchComparison(self._depth, size, equal, difference)

    def equals_in_tree(self, size: int, n_others: int) -> bool:
        """Tests a tree whose main branch goes wrong halfway, with a side branch that is right, and wrong branches.

        The right tokens are computed again afterwards, together with the next token.
        """
        self._return()
        n_beside = min(2, size - 2)
        n_main = size - 1 - n_others - n_beside
        at, place = self._depth, n_main // 2
        wrong = _varied_tokens(self._model, n_main - place + n_others, seed=3)
        right = self._tokens[at : at + 1 + place + n_beside]
        tokens = np.concatenate([right[: 1 + place], wrong, right[1 + place :]])
        beside = range(size - 1 - n_beside, size - 2)
        parents = (*range(-1, n_main - 1), *[-1] * n_others, place - 1, *beside)
        found = self._model.evaluate_tree(tokens, parents, self._cancel)
        rows = found[[*range(1 + place), *range(size - n_beside, size)]].copy()
        self._model.keep(at + 1 + place)
        after = self._evaluate(at + 1 + place, n_beside + 1)
        expected = self._logits[: 2 + place + n_beside]
        return np.array_equal(rows, expected[:-1]) and np.array_equal(after, expected[1 + place :])

    def rolls_back(self) -> bool:
        """Whether rolled-back guesses leave no trace: after different guesses, the next logits are the same."""
        found = [self._after_taking_back(seed) for seed in (1, 2)]
        return found[0] is not None and found[1] is not None and np.array_equal(found[0], found[1])

    def _after_taking_back(self, seed: int) -> Logits | None:
        guesses = min(3, self._model.max_rollback)
        if guesses < 1:
            return None
        self._return()
        wrong = _varied_tokens(self._model, guesses, seed)
        batch = np.concatenate([self._tokens[self._depth : self._depth + 1], wrong])
        self._model.evaluate(batch, 1, self._cancel)
        if self._model.keep(self._depth + 1) != self._depth + 1:
            return None
        return self._evaluate(self._depth + 1, 1).copy()

    def _return(self) -> None:
        kept = self._model.keep(self._depth)
        if kept < self._depth:
            self._model.evaluate(self._tokens[kept : self._depth], 0, self._cancel)

    def _evaluate(self, at: int, count: int) -> Logits:
        return self._model.evaluate(self._tokens[at : at + count], count, self._cancel)

    def _evaluate_states(self, at: int, count: int) -> Logits:
        return self._model.evaluate_states(self._tokens[at : at + count], self._cancel)


def _varied_tokens(model: LanguageModel, count: int, seed: int) -> Tokens:
    return np.random.default_rng(seed).integers(0, model.n_vocab, count).astype(np.int32)
