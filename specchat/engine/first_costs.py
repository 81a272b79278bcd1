"""What passes and guesses take, before the first answer: once for a pair on a machine.

The quickest counts: whatever else the computer does, which is much where a program has just been installed, makes the
others slower.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np

from specchat.domain.cancel import CancelToken
from specchat.domain.ports import LanguageModel
from specchat.engine.costs import PassCosts

_SIZES = {1: 7, 4: 4, 8: 4, 2: 4, 3: 3, 6: 3, 16: 3}
"""How often each; others lie between these until they are used."""
_MORE, _AGREEING = 3, 1.1
"""Times as often, until the two quickest agree so far."""
_CHECKS, _STEADY = 3, 1.3
"""Plain passes at the end, which must take no longer or shorter than so at the beginning."""
_CAUGHT_UP = 32
_BATCHES, _GUESSES = 3, 5
_SECONDS = 3.0
"""Larger batches of a slow target are left to be learned."""


def measure_costs(
    target: LanguageModel,
    draft: LanguageModel | None,
    draft_name: str,
    costs: PassCosts,
    cancel: CancelToken,
    clock: Callable[[], float] = time.perf_counter,
) -> None:
    begun = clock()

    def passes(size: int, count: int) -> list[float]:
        times = list[float]()
        while size <= target.max_batch and not _is_enough(times, count) and clock() - begun < _SECONDS:
            times.append(_timed(target, size, size, cancel, clock))
        return times

    measured = {size: passes(size, count) for size, count in _SIZES.items()}
    is_steady = _is_steady(measured[1], passes(1, _CHECKS))
    for size, times in measured.items():
        for _ in times if is_steady and _agree(times) else times[:1]:
            costs.observe_pass(size, min(times))
    if draft is not None:
        _timed(draft, _CAUGHT_UP, 1, cancel, clock)  # the first batch reads the weights from the disk
        batches = [_timed(draft, _CAUGHT_UP, 1, cancel, clock) for _ in range(_BATCHES)]
        guesses = [_guess(target, draft, cancel, clock) for _ in range(_GUESSES)]
        for _ in batches:
            costs.observe_catch_up(draft_name, _CAUGHT_UP, min(batches))
        for _ in guesses:
            costs.observe_guess(draft_name, min(guesses))
        draft.keep(0)
    target.keep(0)


def _is_enough(times: Sequence[float], count: int) -> bool:
    return len(times) >= (count if _agree(times) else _MORE * count)


def _agree(times: Sequence[float]) -> bool:
    """Otherwise the computer is so busy that even the quickest says little."""
    return len(times) > 1 and sorted(times)[1] <= _AGREEING * min(times)


def _is_steady(before: Sequence[float], after: Sequence[float]) -> bool:
    """Otherwise some sizes were measured while the computer was busy, and others while it was not."""
    return not after or max(min(before), min(after)) <= _STEADY * min(*before, *after)


def _guess(target: LanguageModel, draft: LanguageModel, cancel: CancelToken, clock: Callable[[], float]) -> float:
    _timed(target, 1, 1, cancel, clock)  # drives the draft out of the processor's cache, as in an answer
    return _timed(draft, 1, 1, cancel, clock)


def _timed(
    model: LanguageModel, n_tokens: int, n_logits: int, cancel: CancelToken, clock: Callable[[], float]
) -> float:
    """Tokens differ, so that a mixture of experts reads as many of them as a text would."""
    at = len(model.cached)
    if at + n_tokens > model.n_ctx:
        at = model.keep(0)
    tokens = (np.arange(at, at + n_tokens, dtype=np.int32) * 97 + 31) % model.n_vocab
    started = clock()
    model.evaluate(tokens.astype(np.int32), n_logits, cancel)
    return clock() - started
