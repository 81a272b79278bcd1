import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sources.download.downloads import MODEL, SIZE, STORED, fetched, part, ranges, stopped
from support.downloading import BLOCK, IMPATIENT, Watched, add, downloader, manner
from support.hub import Fault, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import (
    Cancelled,
    HubError,
)
from specchat.domain.hub import RemoteFile, RetryPause
from specchat.sources.download import Downloader
from specchat.sources.transfer import Transfer


@contextmanager
def cancelled_when(hub: LocalHub, condition: Callable[[], bool]) -> Iterator[CancelToken]:
    cancel = CancelToken()

    def wait() -> None:
        hub.wait_until(condition)
        cancel.cancel()

    waiting = threading.Thread(target=wait)
    waiting.start()
    yield cancel
    waiting.join()


@pytest.mark.parametrize("at", [1, BLOCK, 5 * BLOCK + 17, 9 * BLOCK])
def test_stopped_and_resumed(hub: LocalHub, loader: Downloader, file: RemoteFile, at: int) -> None:
    kept = stopped(loader, file, at)
    before = len(ranges(hub.requests))
    fetched(loader, file)
    assert ranges(hub.requests)[before] == f"bytes={kept}-{kept - kept % BLOCK + BLOCK - 1}"
    assert hub.bytes_sent(STORED) <= SIZE + BLOCK


class Stopping:
    """While bytes come in."""

    def __init__(self) -> None:
        self.cancel = CancelToken()

    def bytes_received(self, size: int) -> None:
        self.cancel.cancel()

    def response_truncated(self, at: int) -> None: ...

    def retry_scheduled(self, reason: HubError, pause: RetryPause) -> None: ...


def test_what_comes_after_the_stop_is_not_kept(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    """It may be what an encrypted connection did not decrypt any more."""
    heard = Stopping()
    with pytest.raises(Cancelled):
        next(Transfer(file, loader._locate, manner(), heard.cancel, heard).pieces(0, file.size))


def test_stopped_while_nothing_comes(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    patient = replace(IMPATIENT, silence=3600)
    loader = downloader(hub.endpoint, tmp_path, manner(patience=patient))
    hub.fault(STORED, Fault(stalled=3600), after_bytes=1000)
    with cancelled_when(hub, lambda: hub.bytes_sent(STORED) == 1000) as cancel, pytest.raises(Cancelled):
        loader.download(file, cancel, Watched())
    assert fetched(loader, file) <= SIZE + BLOCK


def test_stopped_while_the_storage_wants_us_to_wait(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    loader = downloader(
        hub.endpoint, tmp_path, manner(patience=replace(IMPATIENT, longest_wait=3600, gives_up_after=7200))
    )
    hub.fault(STORED, Fault(status=429, retry_after=3600))
    with cancelled_when(hub, lambda: len(ranges(hub.requests)) == 1) as cancel, pytest.raises(Cancelled):
        loader.download(file, cancel, Watched())


def test_a_part_that_the_disk_lost_the_end_of(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    stopped(loader, file, 5 * BLOCK)
    with part(loader, file).open("r+b") as lost:
        lost.truncate(2 * BLOCK + 9)
    before = len(ranges(hub.requests))
    fetched(loader, file)
    assert ranges(hub.requests)[before] == f"bytes={2 * BLOCK + 9}-{3 * BLOCK - 1}"


@pytest.mark.parametrize("notes", [None, "", "[]", '{"file": 3}', "\udcff{"])
def test_without_its_notes_a_part_is_used_all_the_same(
    hub: LocalHub, loader: Downloader, file: RemoteFile, notes: str | None
) -> None:
    kept = stopped(loader, file, 5 * BLOCK)
    written = part(loader, file).with_name(f"{file.sha256}.part.json")
    written.unlink()
    if notes is not None:
        written.write_text(notes, errors="surrogateescape")
    before = hub.bytes_sent(STORED)
    fetched(loader, file)
    assert hub.bytes_sent(STORED) - before == SIZE - kept


def test_wrong_notes_cost_no_more_than_a_block(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    kept = stopped(loader, file, 5 * BLOCK)
    written = part(loader, file).with_name(f"{file.sha256}.part.json")
    digest = written.read_text().split('"digests": ["')[1][:64]
    written.write_text(written.read_text().replace(digest, "0" * 64))
    before = hub.bytes_sent(STORED)
    fetched(loader, file)
    assert hub.bytes_sent(STORED) - before == SIZE - kept + BLOCK


def test_the_same_bytes_under_another_name_go_on(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    kept = stopped(loader, file, 5 * BLOCK)
    other = add(hub, {"moved.gguf": MODEL})["moved.gguf"]
    assert fetched(loader, other) <= SIZE + BLOCK
    assert hub.bytes_sent("/repos/*/moved.gguf") == SIZE - kept


def test_another_size_of_blocks_goes_on(hub: LocalHub, loader: Downloader, tmp_path: Path, file: RemoteFile) -> None:
    kept = stopped(loader, file, 5 * BLOCK)
    before = hub.bytes_sent(STORED)
    fetched(downloader(hub.endpoint, tmp_path, manner(block=BLOCK // 4)), file)
    assert hub.bytes_sent(STORED) - before == SIZE - kept


def test_a_part_that_is_whole_is_only_checked(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    stopped(loader, file, 5 * BLOCK)
    part(loader, file).write_bytes(MODEL + b"more")
    before = len(hub.requests)
    fetched(loader, file)
    assert len(hub.requests) == before
