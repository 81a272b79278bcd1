"""The port through which other engines are asked: one HTTP request, answered piece by piece."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol

from specchat.domain.cancel_token import CancelToken


@dataclass(frozen=True, slots=True)
class HttpRequest:
    method: str
    url: str
    key: str = field(default="", repr=False)
    """Sent as a bearer token; empty: none."""
    body: bytes | None = field(default=None, repr=False)
    """JSON."""
    silence_s: float = 10.0
    """So long the other side may say nothing."""


class HttpResponse(Protocol):
    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]:
        """Their names in lower case."""

    def pieces(self) -> Iterator[bytes]:
        """Yields the body as it arrives. Raises RemoteEngineError if the connection is lost, and Cancelled."""


class HttpClient(Protocol):
    def open(self, request: HttpRequest, cancel: CancelToken) -> AbstractContextManager[HttpResponse]:
        """Redirects are not followed, and nothing is unpacked. Whoever leaves or cancels closes the connection."""
