"""How many answers at once there is memory for, where every answer needs as much as a half of it."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.choices import choice_of
from support.ggufs import make_model

from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import Device, ModelSettings, PairChoice
from specchat.services.generation.slot_limits import NO_MEMORY
from specchat.services.memory.device_memory import compute_device_fit
from specchat.services.memory.slot_fit import fit_slots
from specchat.services.models.pair_fit import PairFit

COMPUTER = Device(CPU, "", "cpu", 200, 200)


def fit(choice: PairChoice) -> PairFit:
    needed = MemoryBreakdown(weights=500, kv=100 * choice.target_settings.slots)
    return PairFit((compute_device_fit(COMPUTER, (needed, MemoryBreakdown())),))


@pytest.mark.parametrize(
    ("settings", "n_slots", "reason"),
    [
        (ModelSettings(slots=8, exact=True), 2, NO_MEMORY),
        (ModelSettings(slots=1, exact=True), 1, ""),
        (ModelSettings(slots=8), 8, ""),
        (ModelSettings(slots=8, exact=True, rpc=("192.168.0.2:50052",)), 8, ""),
    ],
)
def test_as_many_as_would_be_loaded(settings: ModelSettings, n_slots: int, reason: str, tmp_path: Path) -> None:
    choice = choice_of(make_model(tmp_path / "target.gguf"), None, settings)
    found = fit_slots(choice, fit)
    assert (found.n_slots, found.reason) == (n_slots, reason)
    assert found.found == fit(found.choice)
    assert replace(found.choice, target_settings=settings) == choice
