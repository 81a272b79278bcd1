"""Decides which pairs can write only one answer at a time, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specchat.domain.types import LOOKAHEAD, ModelSettings

if TYPE_CHECKING:  # the limits of drafters are also needed where no library is loaded
    from specchat.backends.llama_model import LlamaModel

NO_MEMORY = "in exact mode each answer has a cache of its own, and there is no memory for more"
NO_MEMORY_FOR_HEADS = "each answer has a draft head's cache of its own, and there is no memory for more"


def why_one_slot(drafters: Sequence[str], *, exact: bool) -> str:
    """Returns why the drafters allow only one slot. Empty if they allow more. In exact mode, each answer has a cache of
    its own, without branches.
    """
    return "in exact mode, lookahead uses all branches of the cache" if exact and LOOKAHEAD in drafters else ""


def why_fewer_slots(settings: ModelSettings) -> str:
    """Returns why there is no memory for more of them."""
    return NO_MEMORY if settings.exact else NO_MEMORY_FOR_HEADS


def why_not_all_slots(models: Sequence[LlamaModel | None], wanted: int) -> str:
    """Returns why a model's cache doesn't allow all slots. Empty if it does."""
    for model in models:
        if model is not None and model.shared.n_slots < wanted:
            return why_no_shared_cache(model.weights.path.name)
    return ""


def why_no_shared_cache(name: str) -> str:
    return f"{name} has a cache that requests can't share"
