"""Passes a server's messages on, without those that nobody needs, and not too many of them."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import anyio
from mcp_types import JSONRPCNotification

from specchat.sources.mcp.sdk import ReadStream, SessionMessage

_MOST = 5000
"""Messages between two of our requests."""
_REFILL_PER_S = 10.0
_LIST_CHANGED = "notifications/tools/list_changed"


class GuardedStream:
    def __init__(
        self,
        inner: ReadStream[SessionMessage | Exception],
        tools_changed: Callable[[], None],
        ended: Callable[[bool], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`ended`: hears whether the server sent too much."""
        self._inner = inner
        self._tools_changed, self._ended = tools_changed, ended
        self._clock = clock
        self._left = float(_MOST)
        self._counted = clock()

    def renew(self) -> None:
        """We ask for something: messages may come."""
        self._left = float(_MOST)

    async def receive(self) -> SessionMessage | Exception:
        while True:
            try:
                item = await self._inner.receive()
            except (anyio.EndOfStream, anyio.ClosedResourceError):
                self._ended(False)
                raise anyio.EndOfStream from None
            if not self._has_room():
                self._ended(True)
                raise anyio.EndOfStream
            if isinstance(item, Exception):  # no message at all, such as a greeting
                continue
            if not isinstance(item.message, JSONRPCNotification):
                return item
            if item.message.method == _LIST_CHANGED:
                self._tools_changed()

    def _has_room(self) -> bool:
        now = self._clock()
        self._left = min(_MOST, self._left + _REFILL_PER_S * (now - self._counted)) - 1
        self._counted = now
        return self._left >= 0

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
