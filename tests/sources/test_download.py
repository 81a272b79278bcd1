"""A file arrives whole and right whatever happens on the way, and what is there is not fetched again."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.downloading import BLOCK, IMPATIENT, Watched, add, content, downloader, manner
from support.hub import Fault, LocalHub, Request

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import (
    Cancelled,
    HubAbsentError,
    HubAccessError,
    HubError,
    HubTroubleError,
    ModelFileError,
    StorageBusyError,
    StorageFullError,
)
from specchat.domain.hub import RemoteFile
from specchat.sources.download import Downloader, Progress
from specchat.sources.part import kept_bytes
from specchat.sources.transfer import Manner, Transfer

SIZE = 10 * BLOCK + 777
MODEL = content(SIZE)
STORED = "/repos/*/model.gguf"
AT_THE_HUB = "*/resolve/*/model.gguf"
IN_BLOCK_3 = 3 * BLOCK + 5


@pytest.fixture
def file(hub: LocalHub) -> RemoteFile:
    return add(hub, {"model.gguf": MODEL})["model.gguf"]


@pytest.fixture
def loader(hub: LocalHub, tmp_path: Path) -> Downloader:
    return downloader(hub.endpoint, tmp_path)


def fetched(loader: Downloader, file: RemoteFile) -> int:
    """How many bytes it took. It is right, and nothing else is left."""
    watched = Watched()
    size = loader.download(file, watched.cancel, watched)
    blob = loader.cache.blob(file)
    assert blob.read_bytes() == MODEL
    assert list(blob.parent.iterdir()) == [blob]
    assert watched.told[-1].done == SIZE
    return size


def part(loader: Downloader, file: RemoteFile) -> Path:
    blob = loader.cache.blob(file)
    return blob.with_name(f"{blob.name}.part")


def stopped(loader: Downloader, file: RemoteFile, at: int) -> int:
    """How many bytes are kept."""
    watched = Watched(cancel_at=at)
    with pytest.raises(Cancelled):
        loader.download(file, watched.cancel, watched)
    assert not loader.cache.blob(file).exists()
    kept = kept_bytes(loader.cache.blob(file), file)
    assert kept == SIZE - loader.missing(file) == part(loader, file).stat().st_size
    assert MODEL.startswith(part(loader, file).read_bytes())
    return kept


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


def spoil(path: Path, at: int) -> None:
    with path.open("r+b") as content:
        content.seek(at)
        wrong = bytes([content.read(1)[0] ^ 0xFF])
        content.seek(at)
        content.write(wrong)


def ranges(requests: list[Request]) -> list[str | None]:
    return [each.range for each in requests if each.origin == "cdn"]


def test_it_arrives(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    watched = Watched()
    assert loader.missing(file) == SIZE
    assert loader.download(file, watched.cancel, watched) == SIZE
    assert loader.cache.blob(file).read_bytes() == MODEL
    assert [each.done for each in watched.told] == sorted(each.done for each in watched.told)
    assert watched.told[-1] == Progress(SIZE, SIZE)
    assert (hub.bytes_sent(STORED), loader.missing(file)) == (SIZE, 0)


ONE_ANSWER = manner(most_at_once=1 << 30)


@pytest.mark.parametrize("how", [manner(), ONE_ANSWER], ids=["many answers", "one answer"])
@pytest.mark.parametrize(
    "fault",
    [
        Fault(reset=True, after_bytes=1000),
        Fault(truncated=True, after_bytes=1000),
        Fault(truncated=True),
        Fault(stalled=3600, after_bytes=1000),
        Fault(length_off_by=-100),
        Fault(length_off_by=100),
        Fault(expired=True),
        *(Fault(status=status) for status in (401, 403, 404, 408, 416, 500, 502, 503)),
        Fault(status=429, retry_after=0),
    ],
    ids=repr,
)
def test_a_fault_of_the_storage(hub: LocalHub, tmp_path: Path, file: RemoteFile, fault: Fault, how: Manner) -> None:
    hub.fault(STORED, fault)
    assert fetched(downloader(hub.endpoint, tmp_path, how), file) == SIZE
    assert hub.bytes_sent(STORED) <= SIZE + 100  # of a wrong length the server says that it sent all


@pytest.mark.parametrize("status", [429, 500, 503])
def test_trouble_at_the_hub(hub: LocalHub, loader: Downloader, file: RemoteFile, status: int) -> None:
    hub.fault(AT_THE_HUB, Fault(status=status, retry_after=0))
    assert fetched(loader, file) == SIZE == hub.bytes_sent(STORED)


@pytest.mark.parametrize("where", [AT_THE_HUB, STORED])
def test_why_it_is_tried_again_is_told(hub: LocalHub, loader: Downloader, file: RemoteFile, where: str) -> None:
    hub.fault(where, Fault(status=503), times=2)
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    first, second, *others = [each.again for each in watched.told]
    assert first == second
    assert "error 503" in str(first)
    assert set(others) == {None}


def test_a_break_after_which_more_comes_is_not_told(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    hub.fault(STORED, Fault(reset=True), after_bytes=BLOCK // 2)
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    assert {each.again for each in watched.told} == {None}


def test_many_faults_in_one_file(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    for fault in (Fault(reset=True), Fault(truncated=True), Fault(expired=True), Fault(status=503)) * 3:
        hub.fault(STORED, fault, after_bytes=BLOCK // 3)
    assert fetched(downloader(hub.endpoint, tmp_path, ONE_ANSWER), file) == SIZE == hub.bytes_sent(STORED)


@pytest.mark.parametrize(
    ("where", "fault", "error", "words"),
    [
        (STORED, Fault(status=500), HubTroubleError, "500"),
        (STORED, Fault(status=403), HubTroubleError, "403"),
        (STORED, Fault(status=404), HubTroubleError, "404"),
        (STORED, Fault(status=429, retry_after=100), HubTroubleError, "429"),
        (STORED, Fault(expired=True), HubTroubleError, "403"),
        (STORED, Fault(reset=True), HubTroubleError, "broke off"),
        (STORED, Fault(stalled=3600), HubTroubleError, "does not answer"),
        (AT_THE_HUB, Fault(status=401), HubAccessError, "no token"),
        (AT_THE_HUB, Fault(status=403, error_code="GatedRepo"), HubAccessError, "no token"),
        (AT_THE_HUB, Fault(status=404, error_code="EntryNotFound"), HubAbsentError, "no file"),
        (AT_THE_HUB, Fault(status=429, retry_after=100), HubTroubleError, "asked too often"),
        (AT_THE_HUB, Fault(status=503), HubTroubleError, "trouble of its own"),
    ],
)
def test_what_does_not_pass_is_explained_and_what_is_there_is_kept(
    hub: LocalHub, loader: Downloader, file: RemoteFile, where: str, fault: Fault, error: type[HubError], words: str
) -> None:
    hub.fault(STORED, Fault(reset=True), after_bytes=BLOCK // 2)
    kept = stopped(loader, file, 4 * BLOCK)
    hub.fault(where, fault, times=None)
    with pytest.raises(error, match=words):
        loader.download(file, CancelToken(), Watched())
    assert part(loader, file).stat().st_size == kept
    hub.clear_faults()
    fetched(loader, file)
    assert ranges(hub.requests)[-1] == f"bytes={10 * BLOCK}-{SIZE - 1}"
    assert hub.bytes_sent(STORED) <= SIZE + 2 * BLOCK


def test_a_range_that_is_ignored_once(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    stopped(loader, file, 4 * BLOCK)
    hub.fault(STORED, Fault(ignores_range=True))
    assert fetched(loader, file) == SIZE
    assert ranges(hub.requests)[-1] == f"bytes={10 * BLOCK}-{SIZE - 1}"


def test_a_server_that_takes_no_ranges(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    """What is there is passed over."""
    loader = downloader(hub.endpoint, tmp_path, ONE_ANSWER)
    kept = stopped(loader, file, 4 * BLOCK)
    hub.fault(STORED, Fault(ignores_range=True), times=None)
    assert fetched(loader, file) == kept + SIZE


def test_damage_on_the_way_is_found_by_fetching_again(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    hub.fault(STORED, Fault(corrupted_at=IN_BLOCK_3))
    assert fetched(loader, file) == SIZE + 4 * BLOCK == hub.bytes_sent(STORED)


def test_damage_is_told(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    hub.fault(STORED, Fault(corrupted_at=IN_BLOCK_3))
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    reasons = [each.again for each in watched.told if each.fetched > SIZE]
    assert set(reasons[:-1]) == {"Some of it is damaged and is fetched again."}
    assert watched.told[-1].again is None


def test_what_the_disk_changed_is_told(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    stopped(loader, file, 6 * BLOCK)
    spoil(part(loader, file), BLOCK + 3)
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    reasons = [each.again for each in watched.told]
    assert "Some of it is damaged and is fetched again." in reasons
    assert reasons[-1] is None
    assert all(each.again is None for each in watched.told if each.checked is None and each.done > 6 * BLOCK)


def test_damage_where_an_answer_broke_off_is_looked_for_there(
    hub: LocalHub, loader: Downloader, file: RemoteFile
) -> None:
    hub.fault(STORED, Fault(corrupted_at=IN_BLOCK_3, truncated=True), after_bytes=BLOCK // 2)
    assert fetched(loader, file) == SIZE + BLOCK == hub.bytes_sent(STORED)


def test_damage_in_several_places(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    for index in (1, 2, 5, 8):
        hub.fault(STORED, Fault(corrupted_at=index * BLOCK))
    assert fetched(loader, file) == SIZE + 9 * BLOCK


def test_the_search_for_damage_goes_on_after_a_break(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    hub.fault(STORED, Fault(corrupted_at=8 * BLOCK))
    watched = Watched(cancel_at_fetched=SIZE + 5 * BLOCK)
    with pytest.raises(Cancelled):
        loader.download(file, watched.cancel, watched)
    assert fetched(loader, file) <= SIZE + 10 * BLOCK


def test_damage_that_stays_is_explained(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    hub.fault(STORED, Fault(corrupted_at=IN_BLOCK_3), times=None)
    with pytest.raises(ModelFileError, match="arrived damaged"):
        loader.download(file, CancelToken(), Watched())
    assert hub.bytes_sent(STORED) == 2 * SIZE
    assert list(loader.cache.blob(file).parent.iterdir()) == []
    hub.clear_faults()
    assert fetched(loader, file) == SIZE


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

    def received(self, size: int) -> None:
        self.cancel.cancel()

    def broke(self, at: int) -> None: ...

    def tries_again(self, reason: HubError) -> None: ...


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
    loader = downloader(hub.endpoint, tmp_path, manner(patience=replace(IMPATIENT, longest_wait=3600)))
    hub.fault(STORED, Fault(status=429, retry_after=3600))
    with cancelled_when(hub, lambda: len(ranges(hub.requests)) == 1) as cancel, pytest.raises(Cancelled):
        loader.download(file, cancel, Watched())


def test_what_the_disk_changed_is_fetched_again_and_nothing_else(
    hub: LocalHub, loader: Downloader, file: RemoteFile
) -> None:
    stopped(loader, file, 6 * BLOCK)
    for index in (1, 4):
        spoil(part(loader, file), index * BLOCK + 3)
    before = len(ranges(hub.requests))
    fetched(loader, file)
    first, second, *_ = ranges(hub.requests)[before:]
    assert (first, second) == (f"bytes={BLOCK}-{2 * BLOCK - 1}", f"bytes={4 * BLOCK}-{5 * BLOCK - 1}")
    assert hub.bytes_sent(STORED) <= SIZE + 3 * BLOCK


def test_damage_in_the_last_moments_before_a_crash_costs_one_block(
    hub: LocalHub, loader: Downloader, file: RemoteFile
) -> None:
    """As a loss of power leaves it: bytes that were never written are zeros."""
    kept = stopped(loader, file, 5 * BLOCK)
    with part(loader, file).open("ab") as unwritten:
        unwritten.write(bytes(BLOCK - kept % BLOCK))
    before = hub.bytes_sent(STORED)
    fetched(loader, file)
    assert hub.bytes_sent(STORED) - before == SIZE - 5 * BLOCK


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


def test_what_is_there_is_checked_and_not_fetched(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    fetched(loader, file)
    before = len(hub.requests)
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
    with pytest.raises(HubError, match="not as long as"):
        loader.download(replace(file, size=SIZE + 1), CancelToken(), Watched())


def test_the_disk_is_looked_at_first(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    with pytest.raises(StorageFullError, match="still to come"):
        loader.download(replace(file, size=1 << 60), CancelToken(), Watched())
    assert hub.requests == []
    assert not part(loader, file).exists()


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
