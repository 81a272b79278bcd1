"""Rejects a pair that cannot fit into memory before loading stalls the machine."""

from math import ceil

from specchat.domain.errors import ModelLoadError, UserError
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.translatable_text import group_digits
from specchat.domain.types import PairChoice
from specchat.services.memory.pair_memory import estimate_fit, known_devices

_GIGABYTE = 10**9


def require_enough_memory(choice: PairChoice) -> None:
    """That less than all of the memory may be free is left to llama.cpp: this is an estimate."""
    try:
        found = estimate_fit(choice, known_devices())
    except UserError:
        return  # whoever reads the files next says why
    for computer in (device for device in found.devices if device.name == CPU):
        needed = sum(parts.total - parts.weights for parts in (computer.target, computer.draft))
        if needed > computer.total:
            raise _too_large(choice, found.n_ctx, needed, computer.total)


def estimate_memory(choice: PairChoice) -> tuple[MemoryBreakdown | None, MemoryBreakdown | None]:
    """Of the target, and of the draft, on all devices together; None: not known."""
    try:
        found = estimate_fit(choice, known_devices())
    except UserError:
        return None, None
    target = sum((device.target for device in found.devices), MemoryBreakdown())
    draft = sum((device.draft for device in found.devices), MemoryBreakdown())
    return target, draft if draft.total else None


def _too_large(choice: PairChoice, n_ctx: int, needed: int, total: int) -> ModelLoadError:
    return ModelLoadError(
        "{name}: a context of {n} tokens needs {needed} GB of memory, and this computer has {total} GB.",
        "Use a smaller context (-c), or a smaller cache type.",
        name=choice.target.name,
        n=group_digits(n_ctx),
        needed=ceil(needed / _GIGABYTE),
        total=total // _GIGABYTE,
    )
