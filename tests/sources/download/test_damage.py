import pytest
from sources.download.downloads import IN_BLOCK_3, SIZE, STORED, fetched, part, ranges, spoil, stopped
from support.downloading import BLOCK, Watched
from support.hub import Fault, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import (
    Cancelled,
    ModelFileError,
)
from specchat.domain.hub import RemoteFile
from specchat.sources.download import Downloader


def test_damage_on_the_way_is_found_by_fetching_again(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    hub.fault(STORED, Fault(corrupted_at=IN_BLOCK_3))
    assert fetched(loader, file) == SIZE + 4 * BLOCK == hub.bytes_sent(STORED)


def test_damage_is_told(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    hub.fault(STORED, Fault(corrupted_at=IN_BLOCK_3))
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    reasons = [each.again for each in watched.told if each.fetched > SIZE]
    assert set(reasons[:-1]) == {"Part of the file is damaged and will be downloaded again."}
    assert watched.told[-1].again is None


def test_what_the_disk_changed_is_told(hub: LocalHub, loader: Downloader, file: RemoteFile) -> None:
    stopped(loader, file, 6 * BLOCK)
    spoil(part(loader, file), BLOCK + 3)
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    reasons = [each.again for each in watched.told]
    assert "Part of the file is damaged and will be downloaded again." in reasons
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
