"""The memory of Medusa heads, which specchat loads by itself."""

from collections.abc import Mapping, Sequence

from specchat.domain.compute_settings import BATCH, STATES_KEPT
from specchat.domain.medusa import place_of_heads
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import Device, PairChoice
from specchat.gguf.medusa import read_stored_heads
from specchat.services.models.model_refs import path_for_ref

_FLOAT = 4


def measure_medusa(choice: PairChoice, devices: Sequence[Device]) -> Mapping[str, MemoryBreakdown]:
    """Of the draft of this pair, on each device, with the states that its target keeps for it."""
    assert choice.draft is not None
    stored = read_stored_heads(path_for_ref(choice.draft), path_for_ref(choice.target))
    width = next(stored.matrices).n_columns
    place = place_of_heads(choice.draft_settings, devices)
    n_states = BATCH + choice.target_settings.slots * 2 * STATES_KEPT
    states = MemoryBreakdown(output=width * n_states * _FLOAT)
    weights = MemoryBreakdown(weights=stored.loaded_size)
    if place.kind == "cpu":
        return {CPU: weights + states}
    return {place.name: weights, CPU: states}
