import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ["HF_TOKEN_PATH"] = os.devnull  # whoever runs the tests may be signed in
# A thread of llama.cpp that spins while it waits takes the core from the tests beside it.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Otherwise each program that is started here compiles the whole of specchat again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import pytest
from support.ggufs import ModelRecipe, make_model, make_pair
from support.signals import heard_by_children
from support.tokenizer_kinds import tokenizers
from support.vocabularies import SpmVocab


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Nearly all that is made until all tests are found stays."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def interrupts_arrive() -> Iterator[None]:
    """Where the tests run in the background they are ignored, and the programs started here would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def hang_ups_arrive() -> Iterator[None]:
    """Under nohup they are ignored, which is right for the tests, but not for the programs that they hang up on."""
    if sys.platform == "win32":
        yield
    else:
        with heard_by_children(signal.SIGHUP):
            yield


@pytest.fixture(scope="session")
def models_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def tiny_llama(models_dir: Path) -> Path:
    return make_model(models_dir / "tiny-llama.gguf", ModelRecipe())


@pytest.fixture(scope="session")
def tiny_spm(models_dir: Path) -> Path:
    return make_model(models_dir / "tiny-spm.gguf", ModelRecipe(vocab=SpmVocab()))


@pytest.fixture(scope="session")
def tiny_t5(models_dir: Path) -> Path:
    """Its vocabulary reads other characters than stand there: nothing can be translated."""
    return make_model(models_dir / "tiny-t5.gguf", ModelRecipe(vocab=SpmVocab()), tokenizers()["t5"])


@pytest.fixture(scope="session")
def tiny_mamba(models_dir: Path) -> Path:
    """Its state cannot be rolled back."""
    return make_model(models_dir / "tiny-mamba.gguf", ModelRecipe(arch="mamba"))


@pytest.fixture(scope="session")
def tiny_hybrid(models_dir: Path) -> Path:
    """Its state can be rolled back by as many tokens as the context was made for."""
    return make_model(models_dir / "tiny-hybrid.gguf", ModelRecipe(arch="lfm2"))


@pytest.fixture(scope="session")
def tiny_pair(models_dir: Path) -> tuple[Path, Path]:
    """Target and draft; three of four guesses hold."""
    return make_pair(_folder(models_dir, "pair"))


@pytest.fixture(scope="session")
def bad_pair(models_dir: Path) -> tuple[Path, Path]:
    """Target and draft; one of five guesses holds."""
    return make_pair(_folder(models_dir, "bad-pair"), "bad")


def _folder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder
