"""Says which pairs write one answer at a time, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specchat.domain.heads import HeadKind
from specchat.domain.types import LOOKAHEAD

if TYPE_CHECKING:  # the limits of drafters are asked where no library is loaded
    from specchat.backends.llama_model import LlamaModel

_HEADS = {kind.value for kind in HeadKind}
NO_MEMORY = "in exact mode each answer has a cache of its own, and there is no memory for more"


def why_one_slot(drafters: Sequence[str]) -> str:
    """Because of who guesses; empty: as many as the models can."""
    if _HEADS.intersection(drafters):
        return "a draft head can follow only one answer"
    if LOOKAHEAD in drafters:
        return "lookahead uses all branches of the cache"
    return ""


def why_not_all_slots(models: Sequence[LlamaModel | None], wanted: int) -> str:
    """Because of how a model keeps what it has read."""
    for model in models:
        if model is not None and model.shared.n_slots < wanted:
            return why_no_shared_cache(model.weights.path.name)
    return ""


def why_no_shared_cache(name: str) -> str:
    return f"{name} has a cache that requests can't share"
