"""What could only fill the memory is refused before it does: filling it takes minutes, and stalls everything else."""

from math import ceil

from specchat.domain.errors import ModelLoadError, UserError
from specchat.domain.memory import CPU, MemoryParts
from specchat.domain.said import grouped
from specchat.domain.types import PairChoice
from specchat.services.memory.pair_memory import devices_here, fit

_GIGABYTE = 10**9


def require_possible(choice: PairChoice) -> None:
    """That less than all of the memory may be free is left to llama.cpp: this is an estimate."""
    try:
        found = fit(choice, devices_here())
    except UserError:
        return  # whoever reads the files next says why
    for computer in (device for device in found.devices if device.name == CPU):
        needed = sum(parts.total - parts.weights for parts in (computer.target, computer.draft))
        if needed > computer.total:
            raise _too_large(choice, found.n_ctx, needed, computer.total)


def needs(choice: PairChoice) -> tuple[MemoryParts | None, MemoryParts | None]:
    """Of the target, and of the draft, on all devices together; None: not known."""
    try:
        found = fit(choice, devices_here())
    except UserError:
        return None, None
    target = sum((device.target for device in found.devices), MemoryParts())
    draft = sum((device.draft for device in found.devices), MemoryParts())
    return target, draft if draft.total else None


def _too_large(choice: PairChoice, n_ctx: int, needed: int, total: int) -> ModelLoadError:
    return ModelLoadError(
        "{name}: a context of {n} tokens needs {needed} GB of memory, and this computer has {total} GB.",
        "Use a smaller context (-c), or a smaller cache type.",
        name=choice.target.name,
        n=grouped(n_ctx),
        needed=ceil(needed / _GIGABYTE),
        total=total // _GIGABYTE,
    )
