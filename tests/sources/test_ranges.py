"""Headers over HTTP: few requests, few bytes, whatever goes wrong on the way."""

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from support.ggufs import ModelRecipe, make_model
from support.hub import Fault, LfsFile, LocalHub
from support.sparse import SHAPES, make_sparse

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, HubError, HubTemporaryError, ModelFileError
from specchat.domain.hub import RemoteFile
from specchat.gguf.header import read_header
from specchat.gguf.source import FileSource
from specchat.gguf.summary import summarise
from specchat.sources.http_requests import RetryPolicy
from specchat.sources.hugging_face import HuggingFace

REPO = "someone/small-GGUF"
TOKEN = "hf_of_someone"
DATA = bytes(range(256)) * 4000
STORED = "/repos/*/model.gguf"

Asking = Callable[..., HuggingFace]


@pytest.fixture
def asking(hub: LocalHub, tmp_path: Path) -> Asking:
    def make(silence: float = 5, token: str | None = None) -> HuggingFace:
        patience = RetryPolicy(first_wait=0, silence=silence)
        return HuggingFace(lambda: token, hub.endpoint, tmp_path / "headers", patience)

    return make


def listed(source: HuggingFace) -> RemoteFile:
    (model,) = source.listing(REPO, None, CancelToken()).models
    return model.first


def ranges(hub: LocalHub) -> list[str | None]:
    return [request.range for request in hub.requests if request.origin == "cdn"]


def test_the_header_of_a_large_model(hub: LocalHub, asking: Asking, tmp_path: Path) -> None:
    path = make_sparse(tmp_path / "model.gguf", SHAPES["llama-8b"], "Q8_0")
    size = path.stat().st_size
    assert size > 8_000_000_000
    hub.add(REPO, {"model.gguf": LfsFile(path, "ab" * 32, size)})
    source = asking()
    file = listed(source)
    remote, local = source.open_file(file, CancelToken()), FileSource(path)
    summary = summarise(read_header(remote), remote)
    assert summary == summarise(read_header(local), local)
    assert 7_000_000 < hub.bytes_sent(STORED) <= 9_000_000
    assert len(ranges(hub)) <= 6
    remote.save_to_cache()
    asked = len(hub.requests)
    again = asking().open_file(file, CancelToken())
    assert summarise(read_header(again), again) == summary
    assert len(hub.requests) == asked


def test_what_was_read_is_not_asked_for_again(hub: LocalHub, asking: Asking) -> None:
    hub.add(REPO, {"model.gguf": DATA})
    source = asking().open_file(listed(asking()), CancelToken())
    assert source.read(0, 1000) == DATA[:1000]
    assert source.read(500, 1500) == DATA[500:2000]
    assert source.read(len(DATA) - 10, 100) == DATA[-10:]
    assert source.read(len(DATA), 1) == b""
    assert ranges(hub) == ["bytes=0-999", "bytes=1000-1999", f"bytes={len(DATA) - 10}-{len(DATA) - 1}"]
    assert (source.name, source.size, source.bytes_read) == ("model.gguf", len(DATA), 2510)
    assert [request.method for request in hub.requests].count("HEAD") == 1


def test_a_second_look_goes_on_where_the_first_ended(hub: LocalHub, asking: Asking) -> None:
    hub.add(REPO, {"model.gguf": DATA})
    file = listed(asking())
    first = asking().open_file(file, CancelToken())
    first.read(0, 1000)
    first.save_to_cache()
    asked = len(hub.requests)
    second = asking().open_file(file, CancelToken())
    assert second.read(0, 1000) == DATA[:1000]
    assert len(hub.requests) == asked
    assert second.read(1000, 1000) == DATA[1000:2000]
    assert ranges(hub) == ["bytes=0-999", "bytes=1000-1999"]


def test_what_was_kept_and_is_damaged_is_read_anew(hub: LocalHub, asking: Asking, tmp_path: Path) -> None:
    hub.add(REPO, {"model.gguf": DATA})
    file = listed(asking())
    first = asking().open_file(file, CancelToken())
    first.read(0, 1000)
    first.save_to_cache()
    (kept,) = (tmp_path / "headers").iterdir()
    content = bytearray(kept.read_bytes())
    content[-1] ^= 1
    kept.write_bytes(content)
    assert asking().open_file(file, CancelToken()).read(0, 1000) == DATA[:1000]
    assert ranges(hub) == ["bytes=0-999"] * 2


def test_a_damaged_header_is_not_kept(hub: LocalHub, asking: Asking, tmp_path: Path) -> None:
    path = make_model(tmp_path / "model.gguf", ModelRecipe())
    hub.add(REPO, {"model.gguf": path})
    hub.fault(STORED, Fault(corrupted_at=0))
    file = listed(asking())
    with pytest.raises(ModelFileError):
        read_header(asking().open_file(file, CancelToken()))
    assert read_header(asking().open_file(file, CancelToken())).architecture == "llama"


FAULTS = {
    "reset": Fault(reset=True, after_bytes=70_000),
    "reset at once": Fault(reset=True),
    "truncated": Fault(truncated=True, after_bytes=70_000),
    "too short": Fault(length_off_by=-10),
    "too long": Fault(length_off_by=10),
    "stalled": Fault(stalled=3600, after_bytes=70_000),
    "expired": Fault(expired=True),
    "403": Fault(status=403),
    "429": Fault(status=429, retry_after=0),
    "500": Fault(status=500),
    "503": Fault(status=503, retry_after=0),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_faults_that_pass(hub: LocalHub, asking: Asking, fault: Fault) -> None:
    hub.add(REPO, {"model.gguf": DATA})
    hub.fault(STORED, fault)
    source = asking(silence=0.2 if fault.stalled else 5)
    assert source.open_file(listed(source), CancelToken()).read(0, 200_000) == DATA[:200_000]
    assert len(ranges(hub)) in (1, 2)  # a client that has all it wants does not mind what comes after
    assert hub.bytes_sent(STORED) <= 200_000 + 70_000


@pytest.mark.parametrize("always", [False, True])
def test_a_range_that_is_ignored(hub: LocalHub, asking: Asking, tmp_path: Path, always: bool) -> None:
    """Only as much of the file is read as is needed."""
    size = 1 << 30
    path = tmp_path / "model.gguf"
    path.write_bytes(DATA)
    hub.add(REPO, {"model.gguf": LfsFile(path, "ab" * 32, size)})
    hub.fault(STORED, Fault(ignores_range=True), times=None if always else 1)
    source = asking().open_file(listed(asking()), CancelToken())
    assert source.read(0, 100_000) == DATA[:100_000]
    assert source.read(100_000, 400_000) == DATA[100_000:500_000]
    assert hub.bytes_sent(STORED) < size // 8


def test_a_fault_that_stays(hub: LocalHub, asking: Asking) -> None:
    hub.add(REPO, {"model.gguf": DATA})
    hub.fault(STORED, Fault(status=403), times=None)
    source = asking().open_file(listed(asking()), CancelToken())
    with pytest.raises(HubTemporaryError, match=r"127.0.0.1 refused to send model.gguf \(error 403\)"):
        source.read(0, 1000)
    assert len(ranges(hub)) == 5
    assert [request.method for request in hub.requests].count("HEAD") == 5


def test_a_file_of_another_size(hub: LocalHub, asking: Asking, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(DATA)
    hub.add(REPO, {"model.gguf": LfsFile(path, "ab" * 32, 500)})
    file = listed(asking())
    hub.add(REPO, {"model.gguf": LfsFile(path, "ab" * 32, 600)})
    elsewhere = RemoteFile(file.repo, "main", file.path, file.size, file.sha256)
    with pytest.raises(HubError, match="model.gguf is not the size that 127.0.0.1 reported"):
        asking().open_file(elsewhere, CancelToken()).read(0, 10)


def test_waiting_for_bytes_ends_when_it_is_cancelled(hub: LocalHub, asking: Asking) -> None:
    hub.add(REPO, {"model.gguf": DATA})
    hub.fault(STORED, Fault(stalled=3600), after_bytes=1000)
    cancel = CancelToken()
    source = asking(silence=250)
    reader = source.open_file(listed(source), cancel)

    def cancel_once_stalled() -> None:
        hub.wait_until(lambda: hub.bytes_sent(STORED) == 1000)
        cancel.cancel()

    canceller = threading.Thread(target=cancel_once_stalled)
    canceller.start()
    with pytest.raises(Cancelled):
        reader.read(0, 2000)
    canceller.join()
    assert len(ranges(hub)) == 1


def test_the_storage_never_sees_the_token(hub: LocalHub, asking: Asking) -> None:
    hub.add(REPO, {"model.gguf": DATA}, gating="auto")
    hub.token(TOKEN, accepted={REPO})
    source = asking(token=TOKEN)
    assert source.open_file(listed(source), CancelToken()).read(0, 1000) == DATA[:1000]
    assert len(ranges(hub)) == 1
    assert {request.origin for request in hub.requests if TOKEN in str(request)} == {"hub"}


def test_only_so_much_is_kept(hub: LocalHub, asking: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("specchat.sources.header_cache._MOST", 2200)
    files = {f"model-{number}.gguf": bytes([number]) * 1000 for number in range(4)}
    hub.add(REPO, files)
    source = asking()
    for model in source.listing(REPO, None, CancelToken()).models:
        reader = source.open_file(model.first, CancelToken())
        reader.read(0, 1000)
        reader.save_to_cache()
    kept = {path.name for path in (tmp_path / "headers").iterdir()}
    assert len(kept) == 2
    assert hashlib.sha256(files["model-3.gguf"]).hexdigest() in kept
