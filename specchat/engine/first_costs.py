"""What passes and guesses take, before the first answer: once for a pair on a machine."""

import time
from collections.abc import Callable

import numpy as np

from specchat.domain.cancel import CancelToken
from specchat.domain.ports import LanguageModel
from specchat.engine.costs import PassCosts

_SIZES = (*[1] * 7, *[4] * 4, *[8] * 4, *[2] * 4, *[3] * 3, *[6] * 3)
"""Larger ones follow from these until they are used."""
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
    for size in _SIZES:
        if size <= target.max_batch and clock() - begun < _SECONDS:
            costs.observe_pass(size, _timed(target, size, size, cancel, clock))
    if draft is not None:
        _timed(draft, _CAUGHT_UP, 1, cancel, clock)  # the first batch reads the weights from the disk
        for _ in range(_BATCHES):
            costs.observe_catch_up(draft_name, _CAUGHT_UP, _timed(draft, _CAUGHT_UP, 1, cancel, clock))
        for _ in range(_GUESSES):
            _timed(target, 1, 1, cancel, clock)  # drives the draft out of the processor's cache, as in an answer
            costs.observe_guess(draft_name, _timed(draft, 1, 1, cancel, clock))
        draft.keep(0)
    target.keep(0)


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
