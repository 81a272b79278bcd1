from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from huggingface_hub import close_session
from pytestqt.qtbot import QtBot
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub
from support.sparse import make_sparse
from support.tokenizer_kinds import tokenizers
from support.vocabularies import SpmVocab
from ui.pair.pair_editor.planning import HUGE, LONG, REPO, Desk, none_found, skeletons

from specchat.backends.memory_measurer import MemoryMeasurer
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.memory_estimates import MemoryEstimates
from specchat.store.json_cache import JsonCache


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's own cache is seen, and what is made here can be counted."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.delenv("HF_TOKEN", raising=False)


@pytest.fixture(scope="package")
def fits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FitEstimator]:
    folder = tmp_path_factory.mktemp("fits")
    with closing(FitEstimator(MemoryMeasurer(), MemoryEstimates(JsonCache(folder / "estimates.json")))) as made:
        yield made


@pytest.fixture(scope="package")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    make_model(folder / "target.gguf", ModelRecipe(name="Sea"))
    make_model(folder / "draft.gguf", ModelRecipe(name="Pond", n_layer=2))
    make_model(folder / "other.gguf", ModelRecipe(name="Stone", vocab=SpmVocab()), tokenizers()["t5"])
    make_sparse(folder / "long.gguf", LONG)
    make_sparse(folder / "huge.gguf", HUGE)
    return folder


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, models: Path) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as hub:
        hub.add(REPO, {f"{name}.gguf": models / f"{name}.gguf" for name in ("target", "draft", "other")})
        yield hub
    close_session()


@pytest.fixture
def controller(qtbot: QtBot, fits: FitEstimator, local: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(qtbot, fits, local.endpoint, tmp_path, none_found)
    yield made
    made.editor.close()
    assert skeletons() == []
