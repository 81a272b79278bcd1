from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from huggingface_hub import close_session
from services.drafts.finder.finding import Bench, Files
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub

from specchat.backends.measure import Measurer
from specchat.services.drafts.known_pairs import KnownPairs, shipped_pairs
from specchat.services.memory.estimates import Estimates
from specchat.services.memory.fit import Fits
from specchat.store.json_file import JsonFile
from specchat.store.remembered import Remembered


@pytest.fixture(scope="package")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("drafts")

    def made(recipe: ModelRecipe) -> Path:
        path = folder / f"{recipe.name.replace(' ', '-')}-Q8_0.gguf"
        return path if path.exists() else make_model(path, recipe)

    return made


@pytest.fixture(scope="package")
def fits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fits]:
    facts = Remembered(tmp_path_factory.mktemp("fits") / "estimates.json")
    with closing(Fits(Measurer(), Estimates(facts))) as made:
        yield made


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with LocalHub() as hub:
        yield hub
    close_session()


@pytest.fixture
def bench(local: LocalHub, tmp_path: Path, fits: Fits) -> Bench:
    folder = tmp_path / "models"
    folder.mkdir()
    known = KnownPairs(shipped_pairs(), JsonFile(tmp_path / "own.json"))
    return Bench(folder, known, local.endpoint, fits.fit)
