from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import close_session
from services.hub.downloads.desks import DRAFT, PATIENT, TARGET, Desk
from support.downloading import add, model
from support.hub import LocalHub
from support.leftovers import no_thread_stays

from specchat.domain.hub import RemoteModel


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with no_thread_stays():
        with LocalHub() as local_hub:
            yield local_hub
        close_session()


@pytest.fixture
def pair(hub: LocalHub) -> tuple[RemoteModel, RemoteModel]:
    target = add(hub, {"target.gguf": TARGET}, "alice/target-GGUF")["target.gguf"]
    draft = add(hub, {"draft.gguf": DRAFT}, "bob/draft-GGUF")["draft.gguf"]
    return model(target), model(draft)


@pytest.fixture
def desk(hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(hub.endpoint, tmp_path)
    desk.downloads.start()
    yield desk
    desk.downloads.close()


@pytest.fixture
def patient(hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    """Waits for silent servers."""
    desk = Desk(hub.endpoint, tmp_path, PATIENT)
    desk.downloads.start()
    yield desk
    desk.downloads.close()
