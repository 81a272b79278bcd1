"""ASGI middleware that checks host, origin, key and size before a request is handled."""

import hmac
from collections.abc import Callable, Iterator, Mapping

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specchat.domain.completions import ServerSettings
from specchat.server.address import AllowedHosts
from specchat.server.body_limiter import BodyLimiter
from specchat.server.errors import CLOSE_HEADERS, ApiError
from specchat.services.generation.server_stats import ServerStats

MAX_HEADER_BYTES = 16 << 10
MAX_HEADERS = 100
_WITHOUT_KEY = ("/", "/health", "/v1/health")
_FROM_THIS_ORIGIN = (
    "Web pages from this origin are not allowed to send requests. Allow them with `specchat serve --allow-origin`."
)
_IN_WINDOW = (
    "The window's server doesn't accept requests from web pages. `specchat serve --allow-origin ORIGIN` does, for the "
    "origins that you name."
)


class GuardMiddleware:
    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        served: ServerStats,
        paths: frozenset[str],
        may_have_media: Callable[[], bool],
    ) -> None:
        """`paths`: those that are counted by their names."""
        self._app = app
        self._names = AllowedHosts(settings.host)
        self._origins = frozenset(origin.rstrip("/").casefold() for origin in settings.origins)
        self._in_window = settings.in_window
        self._key = settings.api_key.encode()
        self._served = served
        self._paths = paths
        self._bodies = BodyLimiter(may_have_media)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        send = self._with_cors(headers, self._counting(scope["path"], send))
        try:
            await self._guarded(scope, headers, receive, send)
        except ApiError as refusal:
            await refusal.response(scope["path"])(scope, receive, send)

    async def _guarded(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        _check_size(scope, headers)
        self._check_names(headers)
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await _preflight(headers)(scope, receive, send)
            return
        self._check_key(scope["path"], headers)
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        async with self._bodies.read(headers, receive) as receive_body:
            await self._app(scope, receive_body, send)

    def _check_names(self, headers: Headers) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if len(headers.getlist("host")) != 1 or host not in self._names:
            message = "This server doesn't accept the name in the Host header. Use its address, such as 127.0.0.1."
            raise _forbidden(message, "host_not_allowed")
        if origin is not None and not self._may_ask(origin, host):
            raise _forbidden(_IN_WINDOW if self._in_window else _FROM_THIS_ORIGIN, "origin_not_allowed")

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
        if not any([hmac.compare_digest(key.encode("latin-1"), self._key) for key in _keys(headers)]):
            message = "The API key is missing or wrong: send it as `Authorization: Bearer KEY`."
            raise ApiError(401, message, code="invalid_api_key", headers={"WWW-Authenticate": "Bearer"})

    def _counting(self, path: str, send: Send) -> Send:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._served.requests[path if path in self._paths else "other", message["status"]] += 1
            await send(message)

        return counted


def _check_size(scope: Scope, headers: Headers) -> None:
    size = len(scope.get("raw_path", b"")) + len(scope["query_string"])
    size += sum(len(name) + len(value) for name, value in headers.raw)
    if size > MAX_HEADER_BYTES or len(headers.raw) > MAX_HEADERS:
        raise ApiError(431, "The request headers are too large.", headers=CLOSE_HEADERS)


def _keys(headers: Headers) -> Iterator[str]:
    """As OpenAI's clients send it, and as Anthropic's do."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer":
        yield key.strip(" \t")
    yield headers.get("x-api-key", "").strip(" \t")


def _forbidden(message: str, code: str) -> ApiError:
    return ApiError(403, message, kind="permission_error", code=code)


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
