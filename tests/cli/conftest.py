import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from support.commands import Commands


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kept for all tests of the commands, so that a model's first load happens once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def commands(home: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Commands:
    monkeypatch.delenv("SPECCHAT_LOG", raising=False)
    return Commands(home, capsysbinary, monkeypatch)


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """No thread, no process, no log handler of a command outlives it."""
    root = logging.getLogger()
    before = set(threading.enumerate()), set(psutil.Process().children()), root.level
    own_handlers = [handler for handler in root.handlers if type(handler).__module__.startswith("logging")]
    yield
    assert set(threading.enumerate()) <= before[0]
    assert set(psutil.Process().children()) <= before[1]
    assert root.level == before[2]
    assert [handler for handler in root.handlers if type(handler).__module__.startswith("logging")] == own_handlers
