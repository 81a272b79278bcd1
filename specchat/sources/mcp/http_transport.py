"""Connects to a server over HTTP, with limits on what it sends and without going anywhere else."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

import httpx2

from specchat.domain.hosts import host_of, is_loopback
from specchat.domain.tool_servers import ToolError, ToolServerConfig
from specchat.sources.mcp.limits import MAX_MESSAGE
from specchat.sources.mcp.sdk import ReadStream, SessionMessage, WriteStream, streamable_http_client
from specchat.sources.mcp.traffic_limit import TrafficLimit

_TIMEOUT = httpx2.Timeout(30.0, read=300.0)
_EVENTS = "text/event-stream"
_PHRASES = {int(status): status.phrase for status in HTTPStatus}


@asynccontextmanager
async def http_transport(
    config: ToolServerConfig, limit: TrafficLimit
) -> AsyncIterator[tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]]:
    is_local = is_loopback(host_of(config.url))
    verifies = not (is_local and config.url.startswith("http:"))
    headers = {"user-agent": "specchat", "accept-encoding": "identity", **config.headers}
    guard = _Guard(limit)
    client = httpx2.AsyncClient(
        headers=headers,
        timeout=_TIMEOUT,
        verify=verifies,
        trust_env=not is_local,
        event_hooks={"request": [guard.check_request], "response": [guard.limit_response]},
    )
    async with (
        client,
        streamable_http_client(config.url, http_client=client, max_sse_event_size=MAX_MESSAGE) as streams,
    ):
        yield streams


class _Guard:
    def __init__(self, limit: TrafficLimit) -> None:
        self._limit = limit
        self._has_let_us_in = False
        """What the server refuses then is a single call."""

    async def check_request(self, _: httpx2.Request) -> None:
        if not self._limit.take_request():
            raise httpx2.ReadError("too many requests")

    async def limit_response(self, response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise httpx2.DecodingError("compressed although nobody asked for it")
        is_stream = response.headers.get("content-type", "").lower().startswith(_EVENTS)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _BoundedStream(response.stream, self._limit, None if is_stream else MAX_MESSAGE)
        if not self._has_let_us_in:
            await _require_no_refusal(response)
            self._has_let_us_in = response.is_success


async def _require_no_refusal(response: httpx2.Response) -> None:
    """The SDK would only tell that there was an error."""
    if not response.is_error or await _says_why(response):
        return
    number = response.status_code
    status = f"{number} {_PHRASES.get(number, '')}".strip()
    match number:
        case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
            raise ToolError("It requires authorization (HTTP {status}).", "Check its headers.", status=number)
        case HTTPStatus.NOT_FOUND:
            raise ToolError(
                "It answered with {status}. Check the address: it often ends in /mcp.",
                "Check its settings.",
                status=status,
            )
        case HTTPStatus.METHOD_NOT_ALLOWED:
            raise ToolError(
                "It answered with {status}. Check the address: it often ends in /mcp. Servers that only speak the old "
                "HTTP+SSE transport don't work.",
                "Check its settings.",
                status=status,
            )
    raise ToolError("It answered with {status}.", "Check its settings.", status=status)


async def _says_why(response: httpx2.Response) -> bool:
    """In an error of MCP, which the SDK passes on."""
    if response.status_code in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return False
    if not response.headers.get("content-type", "").lower().startswith("application/json"):
        return False
    try:
        told = json.loads(await response.aread())
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and isinstance(told.get("error"), dict) and "jsonrpc" in told


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, limit: TrafficLimit, most: int | None) -> None:
        """`most`: None for streams, of which each event has a limit of its own."""
        self._inner, self._limit, self._most = inner, limit, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for piece in self._inner:
            read += len(piece)
            if self._most is not None and read > self._most:
                raise httpx2.ReadError("more than 4 MB")
            if not self._limit.take_bytes(len(piece)):
                raise httpx2.ReadError("too much")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()
