"""Reads the header of a file on the Hub by range requests, and caches it."""

from collections.abc import Callable
from pathlib import PurePosixPath

import httpx2

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubError
from specchat.domain.hub import DownloadLocation, RemoteFile
from specchat.sources.header_cache import HeaderCache
from specchat.sources.http_requests import (
    Clock,
    RetryPolicy,
    call_with_retries,
    content_range,
    same_origin,
    stream_response,
)
from specchat.sources.hub_errors import (
    HubRequest,
    connection_lost_error,
    explain_hub_errors,
    refusal_error,
    size_mismatch_error,
    storage_refusal_error,
    unexpected_answer_error,
)


class RangeSource:
    def __init__(
        self,
        file: RemoteFile,
        asked: HubRequest,
        locate: Callable[[], DownloadLocation],
        kept: HeaderCache | None,
        patience: RetryPolicy,
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
        self._location: DownloadLocation | None = None

    def read(self, offset: int, length: int) -> bytes:
        end = min(offset + length, self.size)
        if offset > len(self._beginning):
            data = bytes(self._fetched(offset, end))
        else:
            self._beginning += self._fetched(len(self._beginning), end)
            data = bytes(self._beginning[offset:end])
        self.bytes_read += len(data)
        return data

    def save_to_cache(self) -> None:
        """To be called once what was read has proved good."""
        if self._kept:
            self._kept.put(self._file, self._beginning)

    def _fetched(self, start: int, end: int) -> bytearray:
        got = bytearray()
        call_with_retries(lambda: self._fetch(got, start, end), self._patience, self._cancel, self._clock)
        return got

    def _fetch(self, got: bytearray, start: int, end: int) -> None:
        """Goes on after what it got before."""
        at = start + len(got)
        if at >= end:
            return
        self._location = location = self._location or self._locate()
        headers = {**location.headers, "range": f"bytes={at}-{end - 1}"}
        with (
            explain_hub_errors(self._asked),
            stream_response(location.url, headers, self._patience, self._cancel) as answer,
        ):
            unwanted = at - self._first_byte(answer, at)
            for piece in answer.iter_raw():
                if len(got) == end - start:
                    break
                got += piece[unwanted:][: end - start - len(got)]
                unwanted = max(unwanted - len(piece), 0)
        if len(got) < end - start:
            raise connection_lost_error(self._asked)

    def _first_byte(self, answer: httpx2.Response, wanted: int) -> int:
        """A server that knows no ranges sends the file from its beginning: what comes before is passed over."""
        if answer.status_code not in (200, 206):
            raise self._refusal(answer)
        first, size = content_range(answer)
        if answer.status_code == 206 and first != wanted:
            raise unexpected_answer_error(self._asked)
        if size != self.size:
            raise size_mismatch_error(self._asked)
        return first

    def _refusal(self, answer: httpx2.Response) -> HubError:
        assert self._location is not None
        url, self._location = self._location.url, None
        if same_origin(url, self._asked.endpoint):
            return refusal_error(answer.status_code, answer.headers, self._asked)
        return storage_refusal_error(answer.status_code, answer.headers, url, self._asked)
