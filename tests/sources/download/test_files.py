"""A file arrives whole and right whatever happens on the way, and what is there is not fetched again."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sources.download.downloads import MODEL, SIZE, STORED, fetched, part, spoil
from support.downloading import Watched, add, downloader
from support.hub import LocalHub
from support.small_disks import small_disk

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import (
    HubError,
    StorageBusyError,
    StorageFullError,
)
from specchat.domain.hub import RemoteFile
from specchat.sources.download import Downloader, DownloadProgress


def test_it_arrives(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    watched = Watched()
    assert loader.missing_bytes(file) == SIZE
    assert loader.download(file, watched.cancel, watched) == SIZE
    assert loader.cache.blob(file).read_bytes() == MODEL
    assert [each.done for each in watched.told] == sorted(each.done for each in watched.told)
    assert watched.told[-1] == DownloadProgress(SIZE, SIZE)
    assert (hub.bytes_sent(STORED), loader.missing_bytes(file)) == (SIZE, 0)


def test_the_end_may_come_while_somebody_looks(loader: Downloader, file: RemoteFile) -> None:
    """Whoever shows how far it is does so while it gets its name."""
    fetched(loader, file)
    blob, arriving = loader.cache.blob(file), part(loader, file)
    has_seen_enough = threading.Event()

    def move() -> None:
        while not has_seen_enough.is_set():
            blob.replace(arriving)
            arriving.replace(blob)

    with ThreadPoolExecutor(1) as mover:
        moving = mover.submit(move)
        try:
            seen = {loader.missing_bytes(file) for _ in range(3_000)}
        finally:
            has_seen_enough.set()
        moving.result()
    assert seen <= {0, SIZE}


def test_what_is_there_is_checked_and_not_fetched(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    fetched(loader, file)
    before = len(hub.requests)
    assert loader.download(file, CancelToken(), Watched()) == SIZE  # in all runs, until it has its name
    loader.cache.install(file)
    watched = Watched()
    assert loader.download(file, watched.cancel, watched) == 0
    assert (len(hub.requests), watched.told[-1].checked) == (before, SIZE)
    spoil(loader.cache.blob(file), 7)
    assert fetched(loader, file) == SIZE


def test_a_small_file_without_a_hash(hub: LocalHub, loader: Downloader) -> None:
    file = replace(add(hub, {"README.md": b"# Small\n" * 9})["README.md"], sha256=None)
    loader.download(file, CancelToken(), Watched())
    assert loader.cache.blob(file).read_bytes() == b"# Small\n" * 9


def test_an_empty_file(hub: LocalHub, loader: Downloader) -> None:
    file = add(hub, {"empty.gguf": b""})["empty.gguf"]
    assert loader.download(file, CancelToken(), Watched()) == 0
    assert loader.cache.blob(file).read_bytes() == b""


def test_a_file_of_another_size_than_was_said(loader: Downloader, file: RemoteFile) -> None:
    with pytest.raises(HubError, match="is not the size that"):
        loader.download(replace(file, size=SIZE + 1), CancelToken(), Watched())


def test_the_disk_is_looked_at_first(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    with pytest.raises(StorageFullError, match=r"needs 1152921504\.7 GB more"):
        loader.download(replace(file, size=1 << 60), CancelToken(), Watched())
    assert hub.requests == []
    assert not part(loader, file).exists()


def test_what_is_damaged_needs_room_for_all_of_it_again(hub: LocalHub, file: RemoteFile, tmp_path: Path) -> None:
    with small_disk(disk := tmp_path / "disk", 1000):
        loader = downloader(hub.endpoint, disk)
        fetched(loader, file)
        spoil(blob := loader.cache.blob(file), SIZE // 2)
        room = f"The download needs 0.1 GB more, but the disk with {blob.parent} has only 0.0 GB free."
        with pytest.raises(StorageFullError, match=re.escape(room)):
            loader.download(file, CancelToken(), Watched())
        blob.unlink()
        fetched(loader, file)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_disk_that_is_full(loader: Downloader, file: RemoteFile) -> None:
    part(loader, file).parent.mkdir(parents=True)
    part(loader, file).symlink_to("/dev/full")
    with pytest.raises(StorageFullError, match="No space left"):
        loader.download(file, CancelToken(), Watched())


def test_two_do_not_write_the_same_part(loader: Downloader, file: RemoteFile) -> None:
    with loader.cache.locked(file), pytest.raises(StorageBusyError, match="Another program"):
        loader.download(file, CancelToken(), Watched())
    fetched(loader, file)
