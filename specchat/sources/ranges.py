"""The beginning of a file on the Hub, read piece by piece as it is wanted, and kept for the next look."""

from collections.abc import Callable
from pathlib import PurePosixPath

import httpx2

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubError
from specchat.domain.hub import Location, RemoteFile
from specchat.sources.beginnings import Beginnings
from specchat.sources.hub_errors import broken_off, explained, no_hub, other_size, refusal, storage_refusal
from specchat.sources.refusals import Asked
from specchat.sources.retries import Clock, Patience
from specchat.sources.web import extent, retried, same_origin, streamed


class RangeSource:
    def __init__(
        self,
        file: RemoteFile,
        asked: Asked,
        locate: Callable[[], Location],
        kept: Beginnings | None,
        patience: Patience,
        cancel: CancelToken,
        clock: Clock,
    ) -> None:
        self.name = PurePosixPath(file.path).name
        self.size = file.size
        self.bytes_read = 0
        """Wherever they came from."""
        self._file, self._asked, self._locate = file, asked, locate
        self._kept, self._patience, self._cancel, self._clock = kept, patience, cancel, clock
        self._beginning = bytearray(kept.get(file) if kept else b"")
        self._location: Location | None = None

    def read(self, offset: int, length: int) -> bytes:
        end = min(offset + length, self.size)
        if offset > len(self._beginning):
            data = bytes(self._fetched(offset, end))
        else:
            self._beginning += self._fetched(len(self._beginning), end)
            data = bytes(self._beginning[offset:end])
        self.bytes_read += len(data)
        return data

    def keep(self) -> None:
        """To be called once what was read has proved good."""
        if self._kept:
            self._kept.put(self._file, self._beginning)

    def _fetched(self, start: int, end: int) -> bytearray:
        got = bytearray()
        retried(lambda: self._fetch(got, start, end), self._patience, self._cancel, self._clock)
        return got

    def _fetch(self, got: bytearray, start: int, end: int) -> None:
        """Goes on after what it got before."""
        at = start + len(got)
        if at >= end:
            return
        self._location = location = self._location or self._locate()
        headers = {**location.headers, "range": f"bytes={at}-{end - 1}"}
        with explained(self._asked), streamed(location.url, headers, self._patience, self._cancel) as answer:
            unwanted = at - self._first_byte(answer, at)
            for piece in answer.iter_raw():
                if len(got) == end - start:
                    break
                got += piece[unwanted:][: end - start - len(got)]
                unwanted = max(unwanted - len(piece), 0)
        if len(got) < end - start:
            raise broken_off(self._asked)

    def _first_byte(self, answer: httpx2.Response, wanted: int) -> int:
        """A server that knows no ranges sends the file from its beginning: what comes before is passed over."""
        if answer.status_code not in (200, 206):
            raise self._refusal(answer)
        first, size = extent(answer)
        if answer.status_code == 206 and first != wanted:
            raise no_hub(self._asked)
        if size != self.size:
            raise other_size(self._asked)
        return first

    def _refusal(self, answer: httpx2.Response) -> HubError:
        assert self._location is not None
        url, self._location = self._location.url, None
        if same_origin(url, self._asked.endpoint):
            return refusal(answer.status_code, answer.headers, self._asked)
        return storage_refusal(answer.status_code, answer.headers, url, self._asked)
