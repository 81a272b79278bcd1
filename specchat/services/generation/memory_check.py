"""Rejects a pair that can't fit in memory before loading stalls the machine."""

from math import ceil

from specchat.domain.errors import MemoryShortageError, UserError
from specchat.domain.translatable_text import group_digits
from specchat.domain.types import PairChoice
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.slot_fit import shortage, within_memory
from specchat.services.models.pair_fit import PairFit

_GIGABYTE = 10**9


def check_memory(choice: PairChoice) -> tuple[PairChoice, PairFit | None]:
    """Returns the choice with as many simultaneous answers as fit in memory, and the memory it needs (None if unknown,
    as with other machines). Compares with the total memory only; if less is free, llama.cpp reports it when loading.
    """
    if choice.target_settings.rpc:
        return choice, None
    try:
        choice, found = within_memory(choice, FitEstimator().fit)
    except UserError:
        return choice, None  # reading the files next will report the reason
    if lacking := shortage(found):
        raise _too_large(choice, found.n_ctx, *lacking)
    return choice, found


def _too_large(choice: PairChoice, n_ctx: int, needed: int, total: int) -> MemoryShortageError:
    return MemoryShortageError(
        "{name}: a context of {n} tokens needs {needed} GB of memory, but this computer has only {total} GB.",
        "Use a smaller context (-c), or a smaller cache type.",
        name=choice.target.name,
        n=group_digits(n_ctx),
        needed=ceil(needed / _GIGABYTE),
        total=total // _GIGABYTE,
    )
