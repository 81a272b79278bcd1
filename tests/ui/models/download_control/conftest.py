from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import close_session
from pytestqt.qtbot import QtBot
from support.hub import LocalHub
from ui.models.download_control.desks import DRAFT, PATIENT, TARGET, Desk


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as local_hub:
        local_hub.add("alice/target-GGUF", {"target-Q8_0.gguf": TARGET})
        local_hub.add("bob/draft-GGUF", {"draft-Q8_0.gguf": DRAFT})
        yield local_hub
    close_session()


@pytest.fixture
def controller(qtbot: QtBot, hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(qtbot, hub.endpoint, tmp_path)
    yield made
    made.control.close()


@pytest.fixture
def patient(qtbot: QtBot, hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    """Waits for silent servers."""
    made = Desk(qtbot, hub.endpoint, tmp_path, PATIENT)
    yield made
    made.control.close()
