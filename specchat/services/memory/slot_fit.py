"""Determines how many answers at once there is memory for."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from specchat.domain.errors import UserError
from specchat.domain.memory import CPU
from specchat.domain.types import PairChoice
from specchat.services.generation.drafter_choice import chosen_heads, drafter_names, needs_draft
from specchat.services.generation.slot_limits import why_fewer_slots, why_no_shared_cache, why_one_slot
from specchat.services.memory.header_fit import keeps_texts_apart
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
    by_drafter = why_one_slot(drafter_names(choice), exact=choice.target_settings.exact)
    if wanted > 1 and (reason := by_drafter or _why_one_text(choice)):
        return SlotFit(choice, fit(choice), 1, reason)
    choice, found = within_memory(choice, fit)
    n_slots = choice.target_settings.slots
    return SlotFit(choice, found, n_slots, "" if n_slots == wanted else why_fewer_slots(choice.target_settings))


def _why_one_text(choice: PairChoice) -> str:
    models = [choice.target, *([choice.draft] if choice.draft is not None and needs_draft(choice) else [])]
    with suppress(UserError):  # whoever measures them says so
        return next((why_no_shared_cache(each.name) for each in models if not keeps_texts_apart(each)), "")
    return ""


def within_memory(choice: PairChoice, fit: FitPair) -> tuple[PairChoice, PairFit]:
    """In exact mode each answer has a context of its own, and always a cache of its own for a head: there are fewer
    answers at once where memory ends. With other machines nothing is known of theirs when a pair is loaded: then it is
    left to llama.cpp.
    """
    found = fit(choice)
    settings = choice.target_settings
    grows = settings.exact or bool(chosen_heads(choice))
    if not grows or settings.slots == 1 or settings.rpc or shortage(found) is None:
        return choice, found
    return within_memory(replace(choice, target_settings=replace(settings, slots=settings.slots // 2)), fit)


def shortage(found: PairFit) -> tuple[int, int] | None:
    """What is needed beside the weights, and all memory of the computer, where that is less."""
    for computer in (device for device in found.devices if device.name == CPU):
        needed = sum(parts.total - parts.weights for parts in (computer.target, computer.draft))
        if needed > computer.total:
            return needed, computer.total
    return None
