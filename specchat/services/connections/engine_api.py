"""One engine's HTTP API: asks with its key, reads JSON and event streams within limits."""

import json
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn
from urllib.parse import urlencode

from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine_address import EngineAddress
from specchat.domain.errors import RemoteEngineError
from specchat.domain.http_client import HttpClient, HttpRequest, HttpResponse
from specchat.services.connections.event_stream import endless_error, invalid_reply_error, read_events
from specchat.services.connections.refusals import error_in_stream, refusal_error, web_page_error

JsonObject = Mapping[str, object]

_LONGEST_REPLY = 16 << 20
_LONGEST_REFUSAL = 64 << 10
_REPLY_S = 60.0
"""So long a reply may take to arrive."""
_PROBE_S = 10.0
_EVENTS = "text/event-stream"
DONE = "[DONE]"
FIRST_TOKEN_S = 3600.0
"""So long an engine may read a prompt, or load a model, without a word."""


class EngineApi:
    def __init__(self, http: HttpClient, address: EngineAddress, key: str = "") -> None:
        self.address = address
        self._http = http
        self._key = key

    @property
    def where(self) -> str:
        return self.address.origin

    def get(self, url: str, cancel: CancelToken, **query: str) -> JsonObject:
        return self._ask("GET", f"{url}?{urlencode(query)}" if query else url, None, cancel)

    def get_text(self, url: str, cancel: CancelToken) -> str:
        """Returns a reply that is not JSON."""
        with self._open("GET", url, None, cancel, _PROBE_S) as response:
            self._require_success(response)
            return self._body(response, _LONGEST_REPLY).decode(errors="replace")

    def post(self, url: str, body: JsonObject, cancel: CancelToken, silence_s: float = 30.0) -> JsonObject:
        return self._ask("POST", url, body, cancel, silence_s)

    def probe(self, url: str, cancel: CancelToken) -> tuple[JsonObject, str]:
        """Also returns the server's name for itself."""
        with self._open("GET", url, None, cancel, _PROBE_S) as response:
            return self._reply(response), response.headers.get("server", "")

    def stream(self, url: str, body: JsonObject, cancel: CancelToken) -> Generator[JsonObject | None, None, None]:
        """The objects of an event stream; None: it says that it is done."""
        with self._open("POST", url, body, cancel, FIRST_TOKEN_S) as response:
            self._require_success(response)
            kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != _EVENTS:
                self._reject(kind, response)
            for data in read_events(response.pieces(), self.where):
                if data.strip() == DONE:
                    yield None
                    return
                yield self._chunk(data)

    def _chunk(self, data: str) -> JsonObject:
        chunk = self._object(data)
        if chunk.get("error"):
            raise error_in_stream(self._object(self._without_key(data.encode())), self.address)
        return chunk

    def _reject(self, kind: str, response: HttpResponse) -> NoReturn:
        reply = _json_or_none(self._without_key(self._body(response, _LONGEST_REFUSAL)))
        if isinstance(reply, Mapping) and reply.get("error"):
            raise error_in_stream(reply, self.address)
        raise web_page_error(self.where) if kind == "text/html" else invalid_reply_error(self.where)

    def _ask(
        self, method: str, url: str, body: JsonObject | None, cancel: CancelToken, silence_s: float = _PROBE_S
    ) -> JsonObject:
        with self._open(method, url, body, cancel, silence_s) as response:
            return self._reply(response)

    def _reply(self, response: HttpResponse) -> JsonObject:
        self._require_success(response)
        if response.headers.get("content-type", "").startswith("text/html"):
            raise web_page_error(self.where)
        return self._object(self._body(response, _LONGEST_REPLY))

    @contextmanager
    def _open(
        self, method: str, url: str, body: JsonObject | None, cancel: CancelToken, silence_s: float
    ) -> Iterator[HttpResponse]:
        content = None if body is None else json.dumps(body).encode()
        with self._http.open(HttpRequest(method, url, self._key, content, silence_s), cancel) as response:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise RemoteEngineError(
                    "{where} sent compressed data, which specchat didn't request.",
                    "Check the address and your proxy settings.",
                    where=self.where,
                )
            yield response

    def _require_success(self, response: HttpResponse) -> None:
        if 200 <= response.status < 300:
            return
        reply, headers = None, dict(response.headers)
        if "location" in headers and self._key:
            headers["location"] = headers["location"].replace(self._key, "...")
        if not 300 <= response.status < 400:
            reply = _json_or_none(self._without_key(self._body(response, _LONGEST_REFUSAL)))
        raise refusal_error(response.status, headers, reply, self.address, has_key=bool(self._key))

    def _body(self, response: HttpResponse, longest: int) -> bytes:
        body, begun = bytearray(), time.monotonic()
        for piece in response.pieces():
            body += piece
            if len(body) > longest or time.monotonic() > begun + _REPLY_S:
                raise endless_error(self.where)
        return bytes(body)

    def _without_key(self, text: bytes) -> bytes:
        """An engine may repeat it in what it complains of."""
        return text.replace(self._key.encode(), b"...") if self._key else text

    def _object(self, text: str | bytes) -> JsonObject:
        found = _json_or_none(text)
        if not isinstance(found, dict):
            raise invalid_reply_error(self.where)
        return found


def _json_or_none(text: str | bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
