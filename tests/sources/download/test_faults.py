from pathlib import Path

import pytest
from sources.download.downloads import ONE_ANSWER, SIZE, STORED, fetched, part, ranges, stopped
from support.downloading import BLOCK, Watched, downloader, manner
from support.hub import Fault, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import (
    HubAccessError,
    HubError,
    HubNotFoundError,
    HubTemporaryError,
)
from specchat.domain.hub import RemoteFile
from specchat.sources.download import Downloader
from specchat.sources.transfer import TransferSettings

AT_THE_HUB = "*/resolve/*/model.gguf"


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
def test_a_fault_of_the_storage(
    hub: LocalHub, tmp_path: Path, file: RemoteFile, fault: Fault, how: TransferSettings
) -> None:
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
        (STORED, Fault(status=500), HubTemporaryError, "500"),
        (STORED, Fault(status=403), HubTemporaryError, "403"),
        (STORED, Fault(status=404), HubTemporaryError, "404"),
        (STORED, Fault(status=429, retry_after=100), HubTemporaryError, "429"),
        (STORED, Fault(expired=True), HubTemporaryError, "403"),
        (STORED, Fault(reset=True), HubTemporaryError, "was lost"),
        (STORED, Fault(stalled=3600), HubTemporaryError, "isn't responding"),
        (AT_THE_HUB, Fault(status=401), HubAccessError, "access token"),
        (AT_THE_HUB, Fault(status=403, error_code="GatedRepo"), HubAccessError, "access token"),
        (AT_THE_HUB, Fault(status=404, error_code="EntryNotFound"), HubNotFoundError, "no file"),
        (AT_THE_HUB, Fault(status=429, retry_after=100), HubTemporaryError, "Too many requests"),
        (AT_THE_HUB, Fault(status=503), HubTemporaryError, "server problem"),
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
