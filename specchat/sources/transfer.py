"""One file's bytes from the network, over as many connections as it takes."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

import httpx2

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubError, HubOfflineError, HubTroubleError
from specchat.domain.hub import Location, Pause, RemoteFile
from specchat.sources.hub_errors import broken_off, explained, no_hub, other_size, storage_refusal
from specchat.sources.pace import Bandwidth
from specchat.sources.refusals import Asked
from specchat.sources.retries import Clock, Patience, Retries
from specchat.sources.web import extent, streamed

Locate = Callable[[RemoteFile, CancelToken], Location]

_TRIES_WITHOUT_HOPE = 3
_MAY_PASS = (408, 429)


@dataclass(frozen=True, slots=True)
class Manner:
    block: int = 8 << 20
    """Bytes that are checked, and if need be fetched again, on their own."""
    most_at_once: int = 1 << 30
    """Bytes of one answer: some storage sends no more than 50 GB."""
    patience: Patience = Patience(tries=100, longest_wait=300, gives_up_after=600, silence=20)
    """Rates are limited in windows of five minutes."""
    bandwidth: Bandwidth = field(default_factory=Bandwidth)
    clock: Clock = field(default_factory=Clock)


class _Broken(Exception):
    def __init__(self, reason: HubError, *, may_pass: bool = False) -> None:
        super().__init__(str(reason))
        self.reason, self.may_pass = reason, may_pass


class Heard(Protocol):
    def received(self, size: int) -> None:
        """Bytes, needed or not."""

    def broke(self, at: int) -> None:
        """An answer ended too early."""

    def tries_again(self, reason: HubError, pause: Pause) -> None:
        """Nothing came the last time."""


class Transfer:
    def __init__(
        self,
        file: RemoteFile,
        locate: Locate,
        manner: Manner,
        cancel: CancelToken,
        heard: Heard,
    ) -> None:
        self._file, self._locate, self._manner, self._cancel, self._heard = file, locate, manner, cancel, heard
        self._location: Location | None = None
        self._takes_ranges = True

    def pieces(self, start: int, end: int) -> Generator[bytes]:
        at_once, retries = self._manner.most_at_once, Retries(self._manner.patience, self._manner.clock)
        while start < end:
            begun = start
            try:
                with closing(self._answer(start, min(end, start + at_once - start % at_once))) as answer:
                    for piece in answer:
                        start += len(piece)
                        yield piece
            except _Broken as broken:
                self._heard.broke(start)
                if start > begun:
                    retries.came()
                    self._cancel.check()
                else:
                    self._wait(broken, retries)

    def _wait(self, broken: _Broken, retries: Retries) -> None:
        clock = self._manner.clock
        seconds = retries.pause(broken.reason, None if broken.may_pass else _TRIES_WITHOUT_HOPE)
        pause = Pause(seconds, clock.in_seconds(seconds), clock.in_seconds(retries.left))
        self._heard.tries_again(broken.reason, pause)
        clock.wait(seconds, self._cancel)

    def _answer(self, start: int, end: int) -> Generator[bytes]:
        self._location = location = self._location or self._located()
        asked = self._asked(location)
        headers = {**location.headers, "range": f"bytes={start}-{end - 1}"}
        try:
            with explained(asked), streamed(location.url, headers, self._manner.patience, self._cancel) as answer:
                unwanted = start - self._first_byte(answer, start, asked)
                for piece in answer.iter_raw():
                    self._heard.received(len(piece))
                    self._manner.bandwidth.take(len(piece), self._cancel)
                    self._cancel.check()  # hung up on, an encrypted connection hands over what it did not decrypt
                    wanted, unwanted = piece[unwanted:][: end - start], max(unwanted - len(piece), 0)
                    start += len(wanted)
                    yield wanted
                    self._cancel.check()
                    if start == end:
                        return
        except HubError as reason:
            raise _Broken(reason, may_pass=isinstance(reason, HubTroubleError | HubOfflineError)) from None
        self._cancel.check()
        raise _Broken(broken_off(asked), may_pass=True)

    def _located(self) -> Location:
        try:
            return self._locate(self._file, self._cancel)
        except HubTroubleError as trouble:
            raise _Broken(trouble, may_pass=True) from None

    def _first_byte(self, answer: httpx2.Response, wanted: int, asked: Asked) -> int:
        """A server that takes no ranges sends the file from its beginning: what comes before is passed over."""
        status = answer.status_code
        location, self._location = self._location, None  # addresses expire: after a refusal another one may help
        if status not in (200, 206):
            reason = storage_refusal(status, answer.headers, str(answer.url), asked)
            raise _Broken(reason, may_pass=status >= 500 or status in _MAY_PASS)
        first, size = extent(answer)
        if size != self._file.size:
            raise _Broken(other_size(asked))
        if first > wanted or (first < wanted and self._takes_ranges):
            self._takes_ranges = False
            raise _Broken(no_hub(asked))
        self._location = location
        return first

    def _asked(self, location: Location) -> Asked:
        address = urlsplit(location.url)
        return Asked(f"{address.scheme}://{address.netloc}", repo=self._file.repo, file=self._file.path)
