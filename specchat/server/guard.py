"""Before anything is done for a request: who asks, from where, and how much."""

import asyncio
import hmac
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specchat.domain.serving import ServerSettings
from specchat.server.address import Names
from specchat.server.errors import BadRequest, Refusal
from specchat.services.served import Served

BODY_BYTES = 8 << 20
BODY_S = 30.0
HEADER_BYTES = 16 << 10
MOST_HEADERS = 100
MOST_REQUESTS = 512
_READ_ANYWAY = 64 << 20
"""Many clients read no answer until they have sent all."""
_WITHOUT_KEY = ("/health",)


class Guard:
    def __init__(self, app: ASGIApp, settings: ServerSettings, served: Served, paths: frozenset[str]) -> None:
        """`paths`: those that are counted by their names."""
        self._app = app
        self._names = Names(settings.host)
        self._origins = frozenset(origin.rstrip("/").casefold() for origin in settings.origins)
        self._key = settings.api_key.encode()
        self._served = served
        self._paths = paths
        self._n_requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        send = self._counting(scope["path"], send)
        self._n_requests += 1
        try:
            await self._guarded(scope, receive, send)
        finally:
            self._n_requests -= 1

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            self._check_size(scope, headers)
            self._check_names(headers)
            send = self._with_cors(headers, send)
            if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
                await _preflight(headers)(scope, receive, send)
                return
            self._check_key(scope["path"], headers)
            if scope["method"] == "POST":
                receive = _followed_by(receive, await _body(headers, receive))
        except Refusal as refusal:
            await refusal.response()(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check_size(self, scope: Scope, headers: Headers) -> None:
        size = len(scope.get("raw_path", b"")) + len(scope["query_string"])
        size += sum(len(name) + len(value) for name, value in headers.raw)
        if size > HEADER_BYTES or len(headers.raw) > MOST_HEADERS:
            raise Refusal(431, "The request's headers are too large.", headers=_CLOSE)
        if self._n_requests > MOST_REQUESTS:
            raise Refusal(503, "Too many requests at once. Try again in a moment.", kind="unavailable_error")

    def _check_names(self, headers: Headers) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if len(headers.getlist("host")) != 1 or host not in self._names:
            raise _forbidden("This server does not go by the name in the Host header.", "host_not_allowed")
        if origin is not None and not self._may_ask(origin, host):
            raise _forbidden(
                "Web pages of this origin may not ask. Allow it with --allow-origin.", "origin_not_allowed"
            )

    def _may_ask(self, origin: str, host: str) -> bool:
        return origin.casefold() in (f"http://{host.casefold()}", *self._origins)

    def _with_cors(self, headers: Headers, send: Send) -> Send:
        origin = headers.get("origin", "")
        if origin.casefold() not in self._origins:
            return send
        return _adding({"access-control-allow-origin": origin, "vary": "Origin"}, send)

    def _check_key(self, path: str, headers: Headers) -> None:
        if not self._key or path in _WITHOUT_KEY:
            return
        scheme, _, key = headers.get("authorization", "").partition(" ")
        same = hmac.compare_digest(key.strip().encode("latin-1"), self._key)
        if scheme.casefold() != "bearer" or not same:
            message = "The API key is missing or wrong: send it as `Authorization: Bearer KEY`."
            raise Refusal(401, message, code="invalid_api_key", headers={"WWW-Authenticate": "Bearer"})

    def _counting(self, path: str, send: Send) -> Send:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._served.requests[path if path in self._paths else "other", message["status"]] += 1
            await send(message)

        return counted


_CLOSE = {"Connection": "close"}


def _forbidden(message: str, code: str) -> Refusal:
    return Refusal(403, message, kind="permission_error", code=code)


def _preflight(headers: Headers) -> Response:
    allowed = {
        "Access-Control-Allow-Methods": "GET, POST",
        "Access-Control-Allow-Headers": "*, Authorization",
        "Access-Control-Max-Age": "600",
    }
    if "access-control-request-private-network" in headers:
        allowed["Access-Control-Allow-Private-Network"] = "true"
    return Response(status_code=204, headers=allowed)


def _adding(added: Mapping[str, str], send: Send) -> Send:
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in added.items()]

    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *raw]}
        await send(message)

    return adding


async def _body(headers: Headers, receive: Receive) -> bytes:
    length = headers.get("content-length", "0")
    announced = int(length) if length.isdecimal() and len(length) < 20 else _READ_ANYWAY
    waits = headers.get("expect", "").casefold() == "100-continue"
    if announced > BODY_BYTES and (waits or announced >= _READ_ANYWAY):
        raise _too_large()
    try:
        async with asyncio.timeout(BODY_S):
            return await _read(receive)
    except TimeoutError as error:
        raise Refusal(408, "The request's body took too long to arrive.", kind="timeout", headers=_CLOSE) from error


async def _read(receive: Receive) -> bytes:
    body, size, more = bytearray(), 0, True
    while more and size < _READ_ANYWAY:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequest("The request's body is incomplete.")
        part, more = message.get("body", b""), message.get("more_body", False)
        size += len(part)
        if size <= BODY_BYTES:
            body += part
    if size > BODY_BYTES:
        raise _too_large()
    return bytes(body)


def _too_large() -> Refusal:
    message = f"The request's body is larger than {BODY_BYTES >> 20} MB."
    return Refusal(413, message, code="request_too_large", headers=_CLOSE)


def _followed_by(receive: Receive, body: bytes) -> Receive:
    read = False

    async def followed() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return followed
