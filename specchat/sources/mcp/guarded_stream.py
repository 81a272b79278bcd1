"""Passes a server's messages on, without those that nobody needs, and not too many of them."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

import anyio
from mcp_types import JSONRPCNotification

from specchat.sources.mcp.sdk import ReadStream, SessionMessage
from specchat.sources.mcp.traffic_limit import TrafficLimit

_LIST_CHANGED = "notifications/tools/list_changed"


class GuardedStream:
    def __init__(
        self,
        inner: ReadStream[SessionMessage | Exception],
        limit: TrafficLimit,
        tools_changed: Callable[[], None],
        ended: Callable[[], None],
    ) -> None:
        self._inner, self._limit = inner, limit
        self._tools_changed, self._ended = tools_changed, ended

    async def receive(self) -> SessionMessage | Exception:
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                self._ended()
                raise anyio.EndOfStream from None
            if not self._limit.take_message():
                raise anyio.EndOfStream
            if isinstance(item, Exception):  # no message at all, such as a greeting
                continue
            if not isinstance(item.message, JSONRPCNotification):
                return item
            if item.message.method == _LIST_CHANGED:
                self._tools_changed()

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
