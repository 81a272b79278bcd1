"""Measures what passes and guesses cost before the first answer, once per machine and model.

The fastest measurement counts, because other programs only make measurements slower. Sizes take turns, because the
computer may be busy for seconds. Only the ratio to a plain pass is meaningful.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from statistics import median_low
from typing import Protocol

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import LanguageModel
from specchat.engine.costs import DEAREST, PassCosts

_SIZES = (4, 8), (2, 3, 5, 6, 16)
"""Sizes to measure, the most important ones first. Other sizes are interpolated until they are used."""
_ROUNDS, _MOST_ROUNDS = 3, 9
_AGREEING = 1.1
"""The second fastest measurement must be within this factor of the fastest, or the computer is too busy."""
_SURE, _UNSURE = 5, 2
"""How many measurements a result counts for. A small weight is soon replaced by what is learned from answers."""
_CAUGHT_UP = 32
_BATCHES, _GUESSES = 3, 5
_SECONDS = 3.0
"""The time limit. What hasn't been measured by then is learned from answers."""


class DraftProbe(Protocol):
    """Runs the computations of a draft over dummy tokens."""

    name: str

    def catch_up(self, n_tokens: int, cancel: CancelToken) -> None: ...
    def guess(self, cancel: CancelToken) -> None: ...
    def reset(self) -> None:
        """Forget the dummy tokens."""


class ModelProbe:
    """The probe of a draft that is a whole model."""

    def __init__(self, name: str, model: LanguageModel) -> None:
        self.name = name
        self._model = model

    def catch_up(self, n_tokens: int, cancel: CancelToken) -> None:
        evaluate_dummy_tokens(self._model, n_tokens, 1, cancel)

    def guess(self, cancel: CancelToken) -> None:
        evaluate_dummy_tokens(self._model, 1, 1, cancel)

    def reset(self) -> None:
        self._model.keep(0)


def evaluate_dummy_tokens(model: LanguageModel, n_tokens: int, n_logits: int, cancel: CancelToken) -> None:
    """The tokens differ, so that a mixture of experts uses as many experts as for a real text."""
    at = len(model.cached)
    if at + n_tokens > model.n_ctx:
        at = model.keep(0)
    tokens = (np.arange(at, at + n_tokens, dtype=np.int32) * 97 + 31) % model.n_vocab
    model.evaluate(tokens.astype(np.int32), n_logits, cancel)


def measure_costs(
    target: LanguageModel,
    drafts: Sequence[DraftProbe],
    costs: PassCosts,
    cancel: CancelToken,
    clock: Callable[[], float] = time.perf_counter,
) -> None:
    """Measures only the costs that are not known yet."""
    watch = _Watch(target, cancel, clock)
    if not _are_passes_known(target, costs):
        _measure_passes(watch, costs)
    for draft in drafts:
        if costs.guess(draft.name) is None:
            _measure_draft(watch, draft, costs)
            draft.reset()
    target.keep(0)


def are_costs_known(target: LanguageModel, drafts: Sequence[DraftProbe], costs: PassCosts) -> bool:
    return all(costs.guess(draft.name) is not None for draft in drafts) and _are_passes_known(target, costs)


def _are_passes_known(target: LanguageModel, costs: PassCosts) -> bool:
    needed = (size for size in (1, *_SIZES[0]) if size <= target.max_batch)
    return costs.sizes.issuperset(needed)


class _Watch:
    def __init__(self, target: LanguageModel, cancel: CancelToken, clock: Callable[[], float]) -> None:
        self.target = target
        self._cancel = cancel
        self._clock = clock
        self._begun = clock()

    @property
    def is_late(self) -> bool:
        return self._clock() - self._begun > _SECONDS

    def plain_again(self) -> tuple[float, float]:
        """Times two plain passes: one after a pass of another size, and one after a plain pass."""
        return self.pass_of(1), self.pass_of(1)

    def after_plain(self, work: Callable[[CancelToken], None]) -> tuple[float, float]:
        """Times `work` after a plain pass, which evicts the draft from the processor's cache, as in an answer."""
        return self.pass_of(1), self.timed(work)

    def pass_of(self, n_tokens: int) -> float:
        return self.timed(lambda cancel: evaluate_dummy_tokens(self.target, n_tokens, n_tokens, cancel))

    def timed(self, work: Callable[[CancelToken], None]) -> float:
        started = self._clock()
        work(self._cancel)
        return self._clock() - started


def _measure_passes(watch: _Watch, costs: PassCosts) -> None:
    first = max(watch.plain_again())  # the first pass reads the weights from disk
    is_new = not costs.knows_plain
    if is_new:
        costs.record_measurement(1, first, _UNSURE)
    for sizes in _SIZES:
        turns = _Turns(watch, [size for size in sizes if size <= watch.target.max_batch and size not in costs.sizes])
        turns.take()
        if turns.plain and is_new and sizes == _SIZES[0]:
            costs.record_measurement(1, min(turns.plain), _SURE if _agree(turns.plain) else _UNSURE)
        usual = costs.usual(1)
        for size in turns.others:
            costs.record_measurement(size, usual * turns.times_as_long(size), _SURE if turns.is_sure(size) else _UNSURE)


class _Turns:
    def __init__(self, watch: _Watch, sizes: Sequence[int]) -> None:
        self._watch = watch
        self._sizes = sizes
        self._after_another: list[float] = []
        self.plain: list[float] = []
        self.others: dict[int, list[float]] = {}

    def take(self) -> None:
        for done in range(_MOST_ROUNDS):
            is_enough = done >= _ROUNDS and all(map(_agree, [self.plain, *self.others.values()]))
            if is_enough or self._watch.is_late:
                return
            after_another, plain = self._watch.plain_again()
            self._after_another.append(after_another)
            self.plain.append(plain)
            for size in self._sizes:
                if self._watch.is_late:
                    return
                self.others.setdefault(size, []).append(self._watch.pass_of(size))

    def is_sure(self, size: int) -> bool:
        return _agree(self.plain) and _agree(self.others[size]) and self._is_possible(size)

    def times_as_long(self, size: int) -> float:
        """How many times as long as a plain pass it takes. If the fastest plain pass was a lucky one, medians count."""
        return self._by(min if self._is_possible(size) else median_low, size)

    def _is_possible(self, size: int) -> bool:
        return self._by(min, size) <= DEAREST * size

    def _by(self, usual: Callable[[Sequence[float]], float], size: int) -> float:
        switching = max(0.0, min(self._after_another) - min(self.plain))
        return max(1.0, (usual(self.others[size]) - switching) / usual(self.plain))


def _measure_draft(watch: _Watch, draft: DraftProbe, costs: PassCosts) -> None:
    def catch_up(cancel: CancelToken) -> None:
        draft.catch_up(_CAUGHT_UP, cancel)

    watch.timed(catch_up)  # the first batch reads the weights from disk
    batches = _times_as_long(watch.after_plain(catch_up) for _ in range(_BATCHES))
    guesses = _times_as_long(watch.after_plain(draft.guess) for _ in range(_GUESSES))
    plain = costs.usual(1)
    for _ in range(_BATCHES):
        costs.observe_catch_up(draft.name, _CAUGHT_UP, batches * plain)
    for _ in range(_GUESSES):
        costs.observe_guess(draft.name, guesses * plain)


def _times_as_long(times: Iterable[tuple[float, float]]) -> float:
    plain, others = zip(*times, strict=True)
    return float(min(others) / min(plain))


def _agree(times: Sequence[float]) -> bool:
    return len(times) > 1 and sorted(times)[1] <= _AGREEING * min(times)
