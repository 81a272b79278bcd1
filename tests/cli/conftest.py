import logging
from collections.abc import Iterator
from pathlib import Path

import keyring.backends.fail
import psutil
import pytest
from huggingface_hub import close_session
from support.commands import Commands
from support.hub import LocalHub
from support.keyrings import using
from support.leftovers import no_thread_stays


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kept for all tests of the commands, so that a model's first load happens once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def commands(home: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Commands:
    monkeypatch.delenv("SPECCHAT_LOG", raising=False)
    return Commands(home, capsysbinary, monkeypatch)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    """With nobody's token, and without the models that other programs have here."""
    for name in ("HF_TOKEN", "OLLAMA_MODELS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    with LocalHub() as local_hub, using(keyring.backends.fail.Keyring()):
        for name, value in {**local_hub.environment(), "HF_HOME": str(tmp_path / "hf")}.items():
            monkeypatch.setenv(name, value)
        yield local_hub
    close_session()


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """No thread, no process, no log handler of a command outlives it."""
    root = logging.getLogger()
    children, level = set(psutil.Process().children()), root.level
    own_handlers = [handler for handler in root.handlers if type(handler).__module__.startswith("logging")]
    with no_thread_stays():
        yield
    assert set(psutil.Process().children()) <= children
    assert root.level == level
    assert [handler for handler in root.handlers if type(handler).__module__.startswith("logging")] == own_handlers
