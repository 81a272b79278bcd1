"""kill -9 at any moment, and disks that fill up: what has arrived stays, and is not fetched again.

SPECCHAT_KILLS=50 kills more often.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support.download_child import Task
from support.download_processes import Processes, download_processes
from support.downloading import BLOCK, Watched, add, content, downloader
from support.hub import LocalHub

from specchat.domain.hub import HubReference, RemoteFile
from specchat.sources.partial_file import partial_size

KILLS = int(os.environ.get("SPECCHAT_KILLS", "5"))
BYTES_PER_SECOND = 4 << 20
LONGEST_PAUSE_S = 0.02
SIZE = 32 * BLOCK + 777
MODEL = content(SIZE)
STORED = "/repos/*/model.gguf"


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with download_processes() as processes:
        yield processes


@pytest.fixture
def file(hub: LocalHub) -> RemoteFile:
    return add(hub, {"model.gguf": MODEL})["model.gguf"]


@pytest.mark.timeout(120 + 5 * KILLS)
def test_killed_at_any_moment(processes: Processes, hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    random = Random(KILLS)
    loader = downloader(hub.endpoint, tmp_path)
    blob = loader.cache.blob(file)
    task = Task(hub.endpoint, str(tmp_path), file, BYTES_PER_SECOND)
    kills, cut_off, files = 0, 0, 1
    while kills < KILLS:
        kept, before, sent = partial_size(blob, file), len(hub.requests), hub.bytes_sent(STORED)
        process = processes.start(task)
        more = random.randint(0, min(SIZE - kept, SIZE // 3))
        hub.wait_until(lambda: hub.bytes_sent(STORED) >= sent + more)  # noqa: B023
        if not processes.said_within(random.uniform(0, LONGEST_PAUSE_S)):
            os.kill(process, signal.SIGKILL)
            kills += 1
        processes.end()
        asked = [each.range for each in hub.requests[before:] if each.origin == "cdn"]
        assert asked[:1] in ([], [f"bytes={kept}-{min(kept - kept % BLOCK + BLOCK, SIZE) - 1}"])
        assert loader.cache.find(HubReference(file.repo, file.path)) is None
        cut_off += 0 < partial_size(blob, file) < SIZE
        if blob.exists():
            assert blob.read_bytes() == MODEL
            loader.cache.discard(file)
            files += 1
    assert cut_off > 0
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    assert blob.read_bytes() == MODEL
    assert hub.bytes_sent(STORED) <= files * SIZE + KILLS * BLOCK


def test_a_disk_that_fills_up(processes: Processes, hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    """The system lets the process write no longer files than this: for it the disk is full."""
    room = 4 * BLOCK + 123
    loader = downloader(hub.endpoint, tmp_path)
    processes.start(Task(hub.endpoint, str(tmp_path), file, longest_file=room))
    complaint, ended = processes.end()
    assert complaint.startswith("StorageFullError No space left for")
    assert (ended, partial_size(loader.cache.blob(file), file)) == ("ended 0", room)
    before = len(hub.requests)
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    assert loader.cache.blob(file).read_bytes() == MODEL
    assert hub.requests[before + 1].range == f"bytes={room}-{5 * BLOCK - 1}"
    assert hub.bytes_sent(STORED) <= SIZE + BLOCK
