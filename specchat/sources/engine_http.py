"""HTTP client for other engines: requests that are closed at once when cancelled, and that go nowhere else."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import httpx2

from specchat.domain.abandonable_call import call_abandonably
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import EngineLostError, EngineUnreachableError, RemoteEngineError
from specchat.domain.hosts import host_of, is_loopback
from specchat.domain.http_client import HttpRequest
from specchat.sources.network_errors import NO_TRUST, NetworkFailure, classify_network_error

_CONNECT_S = 10.0
_HEADERS = {"user-agent": "specchat", "accept-encoding": "identity"}
_NO_LEFTOVERS = httpx2.Limits(max_keepalive_connections=0)


class EngineHttp:
    """Each request has a connection of its own. An engine on this computer is never asked through a proxy."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clients: dict[tuple[bool, bool], httpx2.Client] = {}

    @contextmanager
    def open(self, request: HttpRequest, cancel: CancelToken) -> Iterator["_Response"]:
        is_local, is_plain = is_loopback(host_of(request.url)), request.url.startswith("http://")
        exchange = _Exchange(self._client(is_local, is_plain), request)
        try:
            with cancel.listening(exchange.hang_up):
                yield _Response(exchange.response(cancel), request.url, cancel)
        finally:
            exchange.close()

    def _client(self, is_local: bool, is_plain: bool) -> httpx2.Client:
        """Reading the certificates takes its time: where nothing is encrypted there is no need."""
        with self._lock:
            made = self._clients.get((is_local, is_plain))
            if made is None:
                verifies = not (is_local and is_plain)
                made = httpx2.Client(limits=_NO_LEFTOVERS, trust_env=not is_local, verify=verifies)
                self._clients[is_local, is_plain] = made
            return made


class _Response:
    def __init__(self, response: httpx2.Response, url: str, cancel: CancelToken) -> None:
        self._response = response
        self._url = url
        self._cancel = cancel

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        return self._response.headers

    def pieces(self) -> Iterator[bytes]:
        try:
            for piece in self._response.iter_raw():
                self._cancel.check()
                yield piece
        except httpx2.HTTPError as error:
            self._cancel.check()
            raise _to_engine_error(error, self._url) from None
        self._cancel.check()  # what was hung up on may look as if it had ended


class _Exchange:
    """One request. The socket is known as soon as there is one: nothing else wakes who waits for the first byte."""

    def __init__(self, client: httpx2.Client, request: HttpRequest) -> None:
        self._client = client
        self._request = request
        self._lock = threading.Lock()
        self._stream: Any = None
        self._response: httpx2.Response | None = None
        self._is_over = self._is_late = False

    def response(self, cancel: CancelToken) -> httpx2.Response:
        """Its beginning, which has to come in time: headers that drip in, or interim responses, are never silent."""
        timer = threading.Timer(self._request.silence_s, self._give_up)
        timer.daemon = True
        timer.start()
        try:
            return call_abandonably(self._send, cancel, "engine")
        except httpx2.HTTPError as error:
            cancel.check()
            if self._is_late:
                raise _silence_error(self._request.url) from None
            raise _to_engine_error(error, self._request.url) from None
        except (httpx2.InvalidURL, ValueError):
            raise _no_address(self._request.url) from None
        finally:
            timer.cancel()
            timer.join()

    def _give_up(self) -> None:
        self._is_late = True
        self.hang_up()

    def _send(self) -> httpx2.Response:
        asked = self._request
        request = self._client.build_request(
            asked.method,
            asked.url,
            headers=_headers(asked),
            content=asked.body,
            timeout=httpx2.Timeout(asked.silence_s, connect=_CONNECT_S),
            extensions={"trace": self._note_stream},
        )
        response = self._client.send(request, stream=True, follow_redirects=False, auth=None)
        with self._lock:
            self._response = response
            is_over = self._is_over
        if is_over:
            response.close()
        return response

    def hang_up(self) -> None:
        with self._lock:
            self._is_over = True
            stream = self._stream
        if stream is not None:
            with suppress(OSError):  # it has ended by itself
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            self._is_over = True
            response = self._response
        if response is not None:
            response.close()

    def _note_stream(self, event: str, info: Mapping[str, Any]) -> None:
        stream = info.get("return_value")
        if hasattr(stream, "get_extra_info"):
            with self._lock:
                self._stream = stream
                is_over = self._is_over
            if is_over:
                self.hang_up()


def _headers(asked: HttpRequest) -> dict[str, str]:
    headers = dict(_HEADERS)
    if asked.body is not None:
        headers["content-type"] = "application/json"
    if asked.key:
        headers["authorization"] = f"Bearer {asked.key}"
    return headers


def _to_engine_error(error: httpx2.HTTPError, url: str) -> RemoteEngineError:
    """The causes are cut off on purpose: they may repeat what was sent."""
    where = _shown(url)
    if isinstance(error, httpx2.UnsupportedProtocol):
        return _no_address(url)
    match classify_network_error(error):
        case NetworkFailure.NOT_TRUSTED:
            return EngineUnreachableError(
                "The certificate for {where} is not trusted, so the connection is not secure.", NO_TRUST, where=where
            )
        case NetworkFailure.NOT_ENCRYPTED:
            return EngineUnreachableError(
                "Couldn't establish a secure connection to {where}.",
                "If the engine has no certificate, use an address that starts with http://.",
                where=where,
            )
        case NetworkFailure.PROXY:
            return EngineUnreachableError(
                "The proxy refused the connection to {where}.", "Check the proxy settings.", where=where
            )
        case NetworkFailure.NOT_FOUND:
            return EngineUnreachableError("Can't find {where}.", "Check the address and your connection.", where=where)
        case NetworkFailure.OUT_OF_REACH:
            return EngineUnreachableError(
                "Can't reach {where}.",
                "Check that the engine is running, and that its address and port are right.",
                where=where,
            )
        case NetworkFailure.SILENT:
            return _silence_error(url)
    if isinstance(error, httpx2.RemoteProtocolError) and "disconnected" not in str(error) and "peer" not in str(error):
        return RemoteEngineError(
            "{where} doesn't respond like an engine: its reply is not HTTP.", "Check the address.", where=where
        )
    return EngineLostError("The connection to {where} was lost.", "Check that the engine is running.", where=where)


def _silence_error(url: str) -> EngineLostError:
    return EngineLostError(
        "{where} isn't responding.", "Check whether the engine is busy, then try again.", where=_shown(url)
    )


def _no_address(url: str) -> RemoteEngineError:
    return RemoteEngineError(
        "{address} is not the address of an engine.", "Use an address such as http://localhost:8080.", address=url
    )


def _shown(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"
