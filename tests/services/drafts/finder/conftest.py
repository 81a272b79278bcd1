from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from huggingface_hub import close_session
from services.drafts.finder.finding import Bench, Files
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub

from specchat.backends.memory_measurer import MemoryMeasurer
from specchat.services.drafts.known_pairs import KnownPairs, shipped_pairs_path
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.memory_estimates import MemoryEstimates
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile


@pytest.fixture(scope="package")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("drafts")

    def made(recipe: ModelRecipe) -> Path:
        path = folder / f"{recipe.name.replace(' ', '-')}-Q8_0.gguf"
        return path if path.exists() else make_model(path, recipe)

    return made


@pytest.fixture(scope="package")
def fits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FitEstimator]:
    facts = JsonCache(tmp_path_factory.mktemp("fits") / "estimates.json")
    with closing(FitEstimator(MemoryMeasurer(), MemoryEstimates(facts))) as made:
        yield made


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with LocalHub() as hub:
        yield hub
    close_session()


@pytest.fixture
def bench(local: LocalHub, tmp_path: Path, fits: FitEstimator) -> Bench:
    folder = tmp_path / "models"
    folder.mkdir()
    known = KnownPairs(shipped_pairs_path(), JsonFile(tmp_path / "own.json"))
    return Bench(folder, known, local.endpoint, fits.fit)
