"""Samples a token from logits: penalties, top-k, top-p, min-p, narrowing for gaps, temperature, keyed noise."""

from collections.abc import Callable, Sequence
from math import exp, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from specchat.domain.errors import ComputeError
from specchat.domain.types import SampledToken, SamplingParams
from specchat.engine.noise import gumbel
from specchat.engine.tokens import FIRST_PICTURE, Tokens

if TYPE_CHECKING:  # which narrows with what is here
    from specchat.engine.gap_sampler import GapSampler

Logits = NDArray[np.float32]
Ids = NDArray[np.intp]
Scores = NDArray[np.float64]

_ROWS = 64


class Sampler:
    """Chooses tokens for one request. The same input gives the same choice, for target and draft."""

    def __init__(
        self,
        params: SamplingParams,
        *,
        forbidden: Sequence[int] = (),
        probabilities: bool = False,
        bias: Sequence[tuple[int, float]] = (),
        gap: "GapSampler | None" = None,
    ) -> None:
        """`forbidden`: tokens that are never chosen, in ascending order. `probabilities`: report them at temperature 0,
        too. `bias`: values added to the scores of some tokens. `gap`: narrows the tokens that may fill a gap.
        """
        self._gap = gap
        self._forbidden = np.array(forbidden, dtype=np.intp)
        self._biased = np.array([token for token, _ in bias], dtype=np.intp)
        self._bias = np.array([added for _, added in bias], dtype=np.float32)
        self._params = params
        self._penalises = params.penalty_last_n != 0 and (
            params.repeat_penalty != 1.0 or params.frequency_penalty != 0.0 or params.presence_penalty != 0.0
        )
        self._greedy = self._best_with_probability if probabilities else _best
        self._weights = np.empty(0, dtype=np.float32)

    def choose(self, logits: Logits, history: Tokens) -> SampledToken:
        """Returns the target's token after `history`."""
        return self._checked_choice(logits, history, (), self._greedy, _best_of_noisy)

    def guess(self, logits: Logits, history: Tokens, drafted: Sequence[int]) -> SampledToken:
        """Returns what `choose` would choose after `history` and `drafted`, and the second-best token. The probability
        compares only these two, noise included, because this predicts best whether the target chooses the same.
        """
        return self._checked_choice(logits, history, drafted, best_against_second, _best_of_noisy_two)

    def _checked_choice(
        self,
        logits: Logits,
        history: Tokens,
        drafted: Sequence[int],
        greedy: Callable[[Logits], SampledToken],
        best: "_Best",
    ) -> SampledToken:
        if len(self._forbidden):
            logits[self._forbidden_below(len(logits))] = -np.inf
        if len(self._biased):
            logits = self._with_bias(logits)
        if self._penalises:
            logits = self._penalise(logits, history, drafted)
        if self._params.temperature <= 0 and self._gap is None:
            choice = greedy(logits)
        else:
            choice = self._sample(logits, len(history) + len(drafted), best)
        if choice.probability is not None and isnan(choice.probability):
            raise invalid_values_error()
        return choice

    def _forbidden_below(self, n_vocab: int) -> Ids:
        """The forbidden tokens in the vocabulary; a draft may have fewer tokens than the target."""
        if self._forbidden[-1] < n_vocab:
            return self._forbidden
        return self._forbidden[: self._forbidden.searchsorted(n_vocab)]

    def _with_bias(self, logits: Logits) -> Logits:
        known = self._biased < len(logits)
        biased = logits.copy()
        biased[self._biased[known]] += self._bias[known]
        return biased

    def _best_with_probability(self, logits: Logits) -> SampledToken:
        if len(self._weights) != len(logits):
            self._weights = np.empty_like(logits)  # reused: such a large block would go back to the system
        token, weights = int(logits.argmax()), self._weights
        np.exp(np.subtract(logits, logits[token], out=weights), out=weights)
        return SampledToken(token, 1.0 / float(weights.sum()))

    def _penalise(self, logits: Logits, history: Tokens, drafted: Sequence[int]) -> Logits:
        p = self._params
        window = p.penalty_last_n if p.penalty_last_n > 0 else len(history) + len(drafted)
        latest = history[-window:]
        if len(latest) and latest.min() <= FIRST_PICTURE:
            latest = history[history > FIRST_PICTURE][-window:]
        recent = [*latest.tolist(), *drafted][-window:]
        tokens, counts = np.unique(np.array(recent, dtype=np.intp), return_counts=True)
        known = tokens < len(logits)
        tokens, counts = tokens[known], counts[known]
        scores = logits[tokens]
        scores = np.where(scores > 0, scores / p.repeat_penalty, scores * p.repeat_penalty)
        penalised = logits.copy()
        penalised[tokens] = scores - counts * p.frequency_penalty - p.presence_penalty
        return penalised

    def _sample(self, logits: Logits, position: int, best: "_Best") -> SampledToken:
        p = self._params
        if isnan(logits.max()):
            return SampledToken(0, nan)
        ids = top_k(logits, p.top_k)
        scores = logits[ids].astype(np.float64)
        if p.top_p < 1.0:
            ids, scores = _top_p(ids, scores, p.top_p)
        if p.min_p > 0.0:
            likely = scores >= scores.max() + np.log(p.min_p)
            ids, scores = ids[likely], scores[likely]
        if self._gap is not None:
            ids, scores = self._gap.narrow(ids, scores)
        if p.temperature <= 0:
            return SampledToken(int(ids[int(np.argmax(scores))]), 1.0)
        scores = scores / p.temperature
        return best(ids, scores, scores + gumbel(p.seed, position, ids))


_Best = Callable[[Ids, Scores, Scores], SampledToken]
"""Chooses from tokens and their scores without and with noise."""


def invalid_values_error() -> ComputeError:
    return ComputeError("The model produced invalid values (NaN).", "Its file may be damaged: download it again.")


def _best_of_noisy(ids: Ids, scores: Scores, noisy: Scores) -> SampledToken:
    best = int(np.argmax(noisy))
    return SampledToken(int(ids[best]), float(_softmax(scores)[best]))


def _best_of_noisy_two(ids: Ids, scores: Scores, noisy: Scores) -> SampledToken:
    best = int(np.argmax(noisy))
    if len(noisy) == 1:
        return SampledToken(int(ids[best]), 1.0)
    won = float(noisy[best])
    noisy[best] = -np.inf
    second = int(np.argmax(noisy))
    return SampledToken(int(ids[best]), 1.0 / (1.0 + exp(float(noisy[second]) - won)), int(ids[second]))


def _best(logits: Logits) -> SampledToken:
    token = int(logits.argmax())
    return SampledToken(token, nan if isnan(logits[token]) else None)


def best_against_second(logits: Logits) -> SampledToken:
    """Returns the best token; its probability compares it with the second best only."""
    token = int(logits.argmax())
    best = float(logits[token])
    logits[token] = -np.inf
    second = int(logits.argmax())
    how_clearly = 1.0 / (1.0 + exp(float(logits[second]) - best))
    logits[token] = best
    return SampledToken(token, how_clearly, second)


def top_k(logits: NDArray[np.floating[Any]], k: int) -> Ids:
    """Returns at least the k best ids in ascending order. Ties with the last one are kept, so no tie rule is needed.

    At least k logits reach the k-th best of the columns' maxima, so only columns with such a maximum are searched. This
    takes one cheap pass over the vocabulary instead of a partition.
    """
    n = len(logits)
    if k <= 0 or k >= n:
        return np.arange(n, dtype=np.intp)
    width = n // _ROWS
    if k < width:
        whole = logits[: width * _ROWS].reshape(_ROWS, width)
        maxima = whole.max(axis=0)
        bound = np.partition(maxima, width - k)[width - k]
        columns = np.flatnonzero(maxima >= bound)
        rows, found = np.nonzero(whole[:, columns] >= bound)
        rest = np.flatnonzero(logits[width * _ROWS :] >= bound) + width * _ROWS
        ids = np.concatenate([np.sort(rows * width + columns[found]), rest])
    else:
        ids = np.arange(n, dtype=np.intp)
    scores = logits[ids]
    smallest = np.partition(scores, len(scores) - k)[len(scores) - k]
    best: Ids = ids[scores >= smallest]
    return best


def _top_p(ids: Ids, scores: Scores, p: float) -> tuple[Ids, Scores]:
    """Returns the smallest set of best tokens whose probabilities reach `p`, at least one token."""
    order = np.argsort(-scores, kind="stable")
    cumulative = np.cumsum(_softmax(scores)[order])
    count = int(np.searchsorted(cumulative, p)) + 1
    chosen = order[:count]
    return ids[chosen], scores[chosen]


def _softmax(scores: Scores) -> Scores:
    weights: Scores = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights
