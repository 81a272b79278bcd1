"""Connects to a server over HTTP, with limits on what it sends and without going anywhere else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from specchat.domain.hosts import host_of, is_loopback
from specchat.domain.tool_servers import ToolServerConfig
from specchat.sources.mcp.limits import MAX_MESSAGE
from specchat.sources.mcp.sdk import ReadStream, SessionMessage, WriteStream, streamable_http_client

_TIMEOUT = httpx2.Timeout(30.0, read=300.0)
_EVENTS = "text/event-stream"


@asynccontextmanager
async def http_transport(
    config: ToolServerConfig,
) -> AsyncIterator[tuple[ReadStream[SessionMessage | Exception], WriteStream[SessionMessage]]]:
    is_local = is_loopback(host_of(config.url))
    verifies = not (is_local and config.url.startswith("http:"))
    headers = {"user-agent": "specchat", "accept-encoding": "identity", **config.headers}
    client = httpx2.AsyncClient(
        headers=headers,
        timeout=_TIMEOUT,
        verify=verifies,
        trust_env=not is_local,
        event_hooks={"response": [_limit]},
    )
    async with (
        client,
        streamable_http_client(config.url, http_client=client, max_sse_event_size=MAX_MESSAGE) as streams,
    ):
        yield streams


async def _limit(response: httpx2.Response) -> None:
    """Each event of a stream has a limit of its own."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise httpx2.DecodingError("compressed although nobody asked for it")
    if not response.headers.get("content-type", "").lower().startswith(_EVENTS):
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _BoundedStream(response.stream)


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for piece in self._inner:
            read += len(piece)
            if read > MAX_MESSAGE:
                raise httpx2.ReadError("more than 4 MB")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()
