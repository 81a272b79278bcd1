"""Transfers the bytes of a file over as many connections as it takes."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

import httpx2

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubError, HubOfflineError, HubTemporaryError
from specchat.domain.hub import DownloadLocation, RemoteFile, RetryPause
from specchat.sources.bandwidth import BandwidthLimit
from specchat.sources.http_requests import Clock, RetryPolicy, RetryState, content_range, stream_response
from specchat.sources.hub_errors import (
    HubRequest,
    connection_lost_error,
    explain_hub_errors,
    size_mismatch_error,
    storage_refusal_error,
    unexpected_answer_error,
)

Locate = Callable[[RemoteFile, CancelToken], DownloadLocation]

_TRIES_WITHOUT_HOPE = 3
_MAY_PASS = (408, 429)


@dataclass(frozen=True, slots=True)
class TransferSettings:
    block: int = 8 << 20
    """Bytes that are checked, and if need be fetched again, on their own."""
    most_at_once: int = 1 << 30
    """Bytes of one answer: some storage sends no more than 50 GB."""
    patience: RetryPolicy = RetryPolicy(tries=100, longest_wait=300, gives_up_after=600, silence=20)
    """Rates are limited in windows of five minutes."""
    bandwidth: BandwidthLimit = field(default_factory=BandwidthLimit)
    clock: Clock = field(default_factory=Clock)


class _Broken(Exception):
    def __init__(self, reason: HubError, *, may_pass: bool = False) -> None:
        super().__init__(str(reason))
        self.reason, self.may_pass = reason, may_pass


class TransferListener(Protocol):
    def bytes_received(self, size: int) -> None:
        """Bytes, needed or not."""

    def response_truncated(self, at: int) -> None:
        """An answer ended too early."""

    def retry_scheduled(self, reason: HubError, pause: RetryPause) -> None:
        """Nothing came the last time."""


class Transfer:
    def __init__(
        self,
        file: RemoteFile,
        locate: Locate,
        settings: TransferSettings,
        cancel: CancelToken,
        heard: TransferListener,
    ) -> None:
        self._file, self._locate, self._settings, self._cancel, self._heard = file, locate, settings, cancel, heard
        self._location: DownloadLocation | None = None
        self._takes_ranges = True

    def pieces(self, start: int, end: int) -> Generator[bytes]:
        at_once, retries = self._settings.most_at_once, RetryState(self._settings.patience, self._settings.clock)
        while start < end:
            begun = start
            try:
                with closing(self._answer(start, min(end, start + at_once - start % at_once))) as answer:
                    for piece in answer:
                        start += len(piece)
                        yield piece
            except _Broken as broken:
                self._heard.response_truncated(start)
                if start > begun:
                    retries.reset()
                    self._cancel.check()
                else:
                    self._wait(broken, retries)

    def _wait(self, broken: _Broken, retries: RetryState) -> None:
        clock = self._settings.clock
        seconds = retries.next_pause(broken.reason, None if broken.may_pass else _TRIES_WITHOUT_HOPE)
        pause = RetryPause(seconds, clock.in_seconds(seconds), clock.in_seconds(retries.seconds_left))
        self._heard.retry_scheduled(broken.reason, pause)
        clock.wait(seconds, self._cancel)

    def _answer(self, start: int, end: int) -> Generator[bytes]:
        self._location = location = self._location or self._located()
        asked = self._asked(location)
        headers = {**location.headers, "range": f"bytes={start}-{end - 1}"}
        try:
            with (
                explain_hub_errors(asked),
                stream_response(location.url, headers, self._settings.patience, self._cancel) as answer,
            ):
                unwanted = start - self._first_byte(answer, start, asked)
                for piece in answer.iter_raw():
                    self._heard.bytes_received(len(piece))
                    self._settings.bandwidth.wait_for(len(piece), self._cancel)
                    self._cancel.check()  # hung up on, an encrypted connection hands over what it did not decrypt
                    wanted, unwanted = piece[unwanted:][: end - start], max(unwanted - len(piece), 0)
                    start += len(wanted)
                    yield wanted
                    self._cancel.check()
                    if start == end:
                        return
        except HubError as reason:
            raise _Broken(reason, may_pass=isinstance(reason, HubTemporaryError | HubOfflineError)) from None
        self._cancel.check()
        raise _Broken(connection_lost_error(asked), may_pass=True)

    def _located(self) -> DownloadLocation:
        try:
            return self._locate(self._file, self._cancel)
        except HubTemporaryError as trouble:
            raise _Broken(trouble, may_pass=True) from None

    def _first_byte(self, answer: httpx2.Response, wanted: int, asked: HubRequest) -> int:
        """A server that takes no ranges sends the file from its beginning: what comes before is passed over."""
        status = answer.status_code
        location, self._location = self._location, None  # addresses expire: after a refusal another one may help
        if status not in (200, 206):
            reason = storage_refusal_error(status, answer.headers, str(answer.url), asked)
            raise _Broken(reason, may_pass=status >= 500 or status in _MAY_PASS)
        first, size = content_range(answer)
        if size != self._file.size:
            raise _Broken(size_mismatch_error(asked))
        if first > wanted or (first < wanted and self._takes_ranges):
            self._takes_ranges = False
            raise _Broken(unexpected_answer_error(asked))
        self._location = location
        return first

    def _asked(self, location: DownloadLocation) -> HubRequest:
        address = urlsplit(location.url)
        return HubRequest(f"{address.scheme}://{address.netloc}", repo=self._file.repo, file=self._file.path)
