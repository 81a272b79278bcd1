"""API errors in OpenAI's format, and the handlers that return them."""

import json
from collections.abc import Sequence
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from specchat.domain.errors import (
    BugError,
    ContextFullError,
    EngineBusyError,
    EngineLostError,
    EngineRejectedError,
    EngineStoppedError,
    EngineUnreachableError,
    IncapableError,
    MediaError,
    NotReadyError,
    QueueFullError,
    RemoteEngineError,
    ServedModelGoneError,
    SettingError,
    SpecchatError,
    TemplateError,
    UnknownModelError,
    UserError,
)
from specchat.domain.translatable_text import TranslatableText, fill_template, strip_options

CLOSE_HEADERS = {"Connection": "close"}
_RETRY_AFTER = {"Retry-After": "1"}
_OLLAMAS_OTHERS = {
    "/api/pull": "The server doesn't download models. Run specchat models pull.",
    "/api/delete": "The server doesn't delete models. Run specchat models rm.",
    "/api/create": "The server doesn't create models.",
    "/api/copy": "The server doesn't copy models.",
    "/api/push": "The server doesn't upload models.",
}
"""Ollama's endpoints that specchat doesn't have."""


class ApiError(SpecchatError):
    """An error in one request."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}
        self.error = {"message": message, "type": kind, "param": param, "code": code}

    @property
    def body(self) -> bytes:
        return json.dumps({"error": self.error}).encode()

    def response(self, path: str) -> Response:
        """Formats the error for the API that the path belongs to."""
        if path.startswith("/v1/messages"):
            body = json.dumps(anthropic_error(self)).encode()
        elif path.startswith("/api/"):
            body = json.dumps({"error": self.error["message"]}).encode()
        else:
            body = self.body
        return Response(body, self.status, self.headers, media_type="application/json")


class BadRequestError(ApiError):
    def __init__(self, message: str, param: str | None = None, code: str | None = None) -> None:
        super().__init__(400, message, param=param, code=code)


def anthropic_error(error: ApiError) -> dict[str, object]:
    kinds = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 413: "request_too_large"}
    kinds |= {429: "rate_limit_error", 503: "overloaded_error"}
    usual = "invalid_request_error" if error.status < HTTPStatus.INTERNAL_SERVER_ERROR else "api_error"
    kind = kinds.get(error.status, usual)
    return {"type": "error", "error": {"type": kind, "message": error.error["message"]}}


def too_busy_error() -> ApiError:
    message = "Too many requests at once. Try again in a moment."
    return ApiError(503, message, kind="unavailable_error", code="too_busy", headers=_RETRY_AFTER | CLOSE_HEADERS)


def to_api_error(error: UserError) -> ApiError:
    message = f"{_for_clients(error.message)} {_for_clients(error.hint)}"
    match error:
        case QueueFullError():
            return ApiError(429, message, kind="rate_limit_error", code="queue_full", headers=_RETRY_AFTER)
        case NotReadyError():
            return ApiError(503, message, kind="unavailable_error", code="not_ready", headers=_RETRY_AFTER)
        case EngineStoppedError():
            return ApiError(503, message, kind="unavailable_error", code="engine_stopped", headers=_RETRY_AFTER)
        case EngineBusyError():
            return ApiError(503, message, kind="unavailable_error", code="engine_busy", headers=_RETRY_AFTER)
        case EngineUnreachableError() | EngineLostError():
            return ApiError(502, message, kind="unavailable_error", code="engine_failed", headers=_RETRY_AFTER)
        case ContextFullError():
            return BadRequestError(message, code="context_length_exceeded")
        case UnknownModelError() | ServedModelGoneError():
            return ApiError(404, message, param="model", code="model_not_found")
        case IncapableError():
            return ApiError(501, message, kind="not_supported_error", code="not_supported")
        case MediaError() | SettingError() | TemplateError() | EngineRejectedError():
            return BadRequestError(message)
        case RemoteEngineError():
            return ApiError(502, message, kind="server_error", code="engine_failed")
    if type(error) is UserError and isinstance(error.__cause__, Exception):  # what is wrong here is not told outside
        message = _cause(error.__cause__)
    return ApiError(500, message, kind="server_error")


async def on_api_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return error.response(request.url.path)


async def on_user_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, UserError)
    return to_api_error(error).response(request.url.path)


async def on_http_error(request: Request, error: Exception) -> Response:
    """No such address, or not this way."""
    assert isinstance(error, HTTPException)
    if unsupported := _OLLAMAS_OTHERS.get(request.url.path):
        refusal = ApiError(501, unsupported, kind="not_supported_error", code="not_supported")
        return refusal.response(request.url.path)
    headers = dict(error.headers or {})
    code, hint = "unknown_url", f"Available: {', '.join(_addresses(request))}."
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        code, hint = "method_not_allowed", f"Use {headers.get('Allow', 'another one')}."
    message = f"{error.detail}: {request.method} {request.url.path}. {hint}"
    return ApiError(error.status_code, message, code=code, headers=headers).response(request.url.path)


async def on_internal_error(request: Request, error: Exception) -> Response:
    return ApiError(500, _cause(error), kind="server_error").response(request.url.path)


def _addresses(request: Request) -> list[str]:
    """Without those that need a name, and without the one that only says that the server runs."""
    routes: Sequence[BaseRoute] = request.app.routes
    paths = [route.path for route in routes if isinstance(route, Route) and not route.param_convertors]
    return [path for path in paths if path != "/"]


def _for_clients(said: TranslatableText) -> str:
    """They cannot change how the server was started."""
    return fill_template(strip_options(said.template), said.values)


def _cause(error: Exception) -> str:
    kind = str(error) if isinstance(error, BugError) else type(error).__name__
    return f"specchat hit an internal error: {kind}"
