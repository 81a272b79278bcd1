"""How many answers at once there is memory for, where every answer needs as much as a half of it."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model
from support.heads import make_eagle3
from support.model_homes import small_model

from specchat.domain.compute_settings import SINGLE_TEXT_FACTS
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import Device, ModelSettings, PairChoice
from specchat.services.generation.slot_limits import NO_MEMORY, NO_MEMORY_FOR_HEADS
from specchat.services.memory.device_memory import compute_device_fit
from specchat.services.memory.header_fit import fit_from_headers
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


def test_heads_have_caches_of_their_own(tmp_path: Path) -> None:
    target, head = make_model(tmp_path / "target.gguf"), make_eagle3(tmp_path / "head.gguf", ModelRecipe())
    found = fit_slots(choice_of(target, head, ModelSettings(slots=8)), fit)
    assert (found.n_slots, found.reason) == (2, NO_MEMORY_FOR_HEADS)


def test_the_caches_of_heads_are_counted(tmp_path: Path) -> None:
    target, head = make_model(tmp_path / "target.gguf"), make_eagle3(tmp_path / "head.gguf", ModelRecipe())
    one, four = (
        fit_from_headers_here(choice_of(target, head, ModelSettings(n_ctx=512, slots=slots))).devices[0].draft.kv
        for slots in (1, 4)
    )
    assert four == 4 * one > 0


@pytest.mark.parametrize("fact", SINGLE_TEXT_FACTS)
def test_a_cache_that_holds_one_text(fact: str, tmp_path: Path) -> None:
    target = tmp_path / "target.gguf"
    target.write_bytes(small_model(changes={f"llama.{fact}": 3}))
    choice = choice_of(target, None, ModelSettings(slots=8, exact=True))
    found = fit_slots(choice, fit_from_headers_here)
    assert (found.n_slots, found.reason) == (1, "target.gguf has a cache that requests can't share")
    alone = replace(choice, target_settings=replace(choice.target_settings, slots=1))
    assert found.found == fit_from_headers_here(alone)


def fit_from_headers_here(choice: PairChoice) -> PairFit:
    return fit_from_headers(choice, [Device(CPU, "", "cpu", 1 << 30, 1 << 30)])
