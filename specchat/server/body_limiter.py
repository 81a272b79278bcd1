"""Limits each request body in size and time, and all bodies together in size."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from specchat.server.errors import CLOSE_HEADERS, ApiError, BadRequestError, too_busy_error

BODY_BYTES, MEDIA_BODY_BYTES = 8 << 20, 40 << 20
"""The second one is for models that see pictures or hear recordings."""
BODY_S = 30.0
ALL_BYTES = 128 << 20
_READ_ANYWAY = 64 << 20
"""Many clients read no answer until they have sent all."""


class BodyLimiter:
    def __init__(self, may_have_media: Callable[[], bool]) -> None:
        self._may_have_media = may_have_media
        self._n_bytes = 0

    @asynccontextmanager
    async def read(self, headers: Headers, receive: Receive) -> AsyncIterator[Receive]:
        """Handed on from what is yielded. What was made of it counts until this is left."""
        body = _Body(self, MEDIA_BODY_BYTES if self._may_have_media() else BODY_BYTES)
        try:
            await body.read(headers, receive)
            yield body.followed_by(receive)
        finally:
            self._n_bytes -= body.n_counted

    def add_bytes(self, n_bytes: int) -> None:
        if self._n_bytes + n_bytes > ALL_BYTES:
            raise too_busy_error()
        self._n_bytes += n_bytes


class _Body:
    def __init__(self, bodies: BodyLimiter, most: int) -> None:
        self._bodies, self._most = bodies, most
        self._data = bytearray()
        self.n_counted = 0

    async def read(self, headers: Headers, receive: Receive) -> None:
        length = headers.get("content-length", "0")
        announced = int(length) if length.isdecimal() and len(length) < 20 else _READ_ANYWAY
        waits = headers.get("expect", "").casefold() == "100-continue"
        if announced > self._most and (waits or announced >= _READ_ANYWAY):
            raise _too_large(self._most)
        try:
            async with asyncio.timeout(BODY_S):
                await self._read(receive)
        except TimeoutError as error:
            raise ApiError(
                408, "The request body took too long to arrive.", kind="timeout", headers=CLOSE_HEADERS
            ) from error

    async def _read(self, receive: Receive) -> None:
        size, more = 0, True
        while more and size < _READ_ANYWAY:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise BadRequestError("The request body is incomplete.")
            part, more = message.get("body", b""), message.get("more_body", False)
            size += len(part)
            if size <= self._most:
                self._bodies.add_bytes(len(part))
                self.n_counted += len(part)
                self._data += part
        if size > self._most:
            raise _too_large(self._most)

    def followed_by(self, receive: Receive) -> Receive:
        handed_over = False

        async def followed() -> Message:
            nonlocal handed_over
            if handed_over:
                return await receive()
            handed_over = True
            body, self._data = bytes(self._data), bytearray()
            return {"type": "http.request", "body": body, "more_body": False}

        return followed


def _too_large(most: int) -> ApiError:
    message = f"The request body is larger than {most >> 20} MB."
    return ApiError(413, message, code="request_too_large", headers=CLOSE_HEADERS)
