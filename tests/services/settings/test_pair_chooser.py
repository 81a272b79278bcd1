"""The pair for a model that is named, and whether models fit beside each other."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.model_homes import small_model

from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import NGRAM, Device
from specchat.services.memory import fit_estimator
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import DeviceFit, Fit, PairFit
from specchat.services.settings.pair_chooser import PairChooser, fits_beside
from specchat.services.settings.pair_settings import PairSettings
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

NOTHING = MemoryBreakdown()


def needs(weights: int, cache: int, free: int = 100, name: str = "CPU") -> PairFit:
    return PairFit((DeviceFit(name, 100, free, MemoryBreakdown(weights=weights, kv=cache), NOTHING, Fit.FITS),))


@pytest.mark.parametrize(
    ("new", "loaded", "fits"),
    [
        (needs(30, 10), [], True),
        (needs(30, 10), [needs(30, 10)], True),
        (needs(50, 10), [needs(30, 10)], False),
        (needs(20, 10), [needs(30, 10), needs(20, 10)], False),
        (needs(30, 10, free=80), [needs(30, 10)], False),
        (needs(50, 10), [needs(80, 10, name="GPU")], True),
        (None, [needs(1, 1)], False),
        (needs(1, 1), [None], False),
    ],
)
def test_room_beside_others(new: PairFit | None, loaded: list[PairFit | None], fits: bool) -> None:
    """`free`: without the others. Of the remaining memory a tenth is left."""
    assert fits_beside(new, loaded) is fits


def make_library(folder: Path) -> ModelLibrary:
    facts = JsonCache(folder / "f.json"), JsonCache(folder / "v.json")
    return ModelLibrary(JsonFile(folder / "a.json"), folder / "models", *facts)


def test_no_draft_where_there_is_no_memory_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is loaded takes memory, too, but would make room."""
    models = tmp_path / "models"
    models.mkdir()
    for name, rows in (("large", 320), ("little", 32)):
        (models / f"{name}.gguf").write_bytes(small_model(rows=rows))
    library = make_library(tmp_path)
    chooser = PairChooser(library, PairSettings(JsonFile(tmp_path / "p.json")), lambda choice: choice)
    large = library.models()[0]
    chosen = chooser.choose(large, [])
    assert chosen.choice.draft
    assert chosen.choice.draft.name == "little.gguf"
    assert chosen.needs
    pair = chosen.needs.needed

    def memory(total: int, free: int) -> None:
        monkeypatch.setattr(fit_estimator, "known_devices", lambda: (Device(CPU, "", "cpu", total, free),))

    memory(pair - 1, pair - 1)
    alone = chooser.choose(large, []).choice
    assert (alone.draft, alone.draft_type) == (None, NGRAM)
    memory(2 * pair, pair // 2)
    assert chooser.choose(large, []).choice.draft is None
    assert chooser.choose(large, [needs(0, pair)]).choice.draft


def test_a_draft_type_for_all_models(tmp_path: Path) -> None:
    """Those without such a draft guess from earlier text."""
    models = tmp_path / "models"
    models.mkdir()
    for name, rows in (("large", 320), ("little", 32)):
        (models / f"{name}.gguf").write_bytes(small_model(rows=rows))
    library = make_library(tmp_path)
    settings = PairSettings(JsonFile(tmp_path / "p.json"))

    def chosen(draft_type: str) -> list[tuple[str | None, str]]:
        chooser = PairChooser(library, settings, lambda choice: replace(choice, draft=None, draft_type=draft_type))
        choices = [chooser.choose(model, []).choice for model in library.models()]
        return [(choice.draft.name if choice.draft else None, choice.draft_type) for choice in choices]

    assert chosen("model") == [("little.gguf", "model"), (None, NGRAM)]
    assert chosen("eagle3") == chosen("early-exit") == [(None, NGRAM)] * 2
    assert chosen("none") == [(None, "none")] * 2
