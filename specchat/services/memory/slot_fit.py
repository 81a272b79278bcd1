"""Determines how many answers at once there is memory for."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from specchat.domain.memory import CPU
from specchat.domain.types import PairChoice
from specchat.services.generation.drafter_choice import build_target_settings, drafter_names
from specchat.services.generation.slot_limits import NO_MEMORY, why_one_slot
from specchat.services.models.pair_fit import PairFit

FitPair = Callable[[PairChoice], PairFit]


@dataclass(frozen=True, slots=True)
class SlotFit:
    choice: PairChoice
    """With as many slots as it would be loaded with."""
    found: PairFit
    n_slots: int
    reason: str
    """Why no more, where more were wanted."""


def fit_slots(choice: PairChoice, fit: FitPair) -> SlotFit:
    wanted = choice.target_settings.slots
    choice, found = within_memory(choice, fit)
    n_slots = build_target_settings(choice).slots
    reason = "" if n_slots == wanted else why_one_slot(drafter_names(choice)) or NO_MEMORY
    return SlotFit(choice, found, n_slots, reason)


def within_memory(choice: PairChoice, fit: FitPair) -> tuple[PairChoice, PairFit]:
    """In exact mode each answer has a context of its own: there are fewer answers at once where memory ends. With other
    machines nothing is known of theirs when a pair is loaded: then it is left to llama.cpp.
    """
    found = fit(choice)
    settings = choice.target_settings
    if not settings.exact or settings.slots == 1 or settings.rpc or shortage(found) is None:
        return choice, found
    return within_memory(replace(choice, target_settings=replace(settings, slots=settings.slots // 2)), fit)


def shortage(found: PairFit) -> tuple[int, int] | None:
    """What is needed beside the weights, and all memory of the computer, where that is less."""
    for computer in (device for device in found.devices if device.name == CPU):
        needed = sum(parts.total - parts.weights for parts in (computer.target, computer.draft))
        if needed > computer.total:
            return needed, computer.total
    return None
