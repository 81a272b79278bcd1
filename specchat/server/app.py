"""The routes and endpoints of the server."""

import time

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import ServerSettings
from specchat.domain.errors import UserError
from specchat.domain.printable_text import printable_text
from specchat.server.completion_request import parse_chat_request, parse_text_request
from specchat.server.completion_response import CompletionResponse
from specchat.server.dispatcher import RequestDispatcher
from specchat.server.errors import ApiError, on_api_error, on_http_error, on_internal_error, on_user_error
from specchat.server.guard_middleware import GuardMiddleware
from specchat.server.metrics import CONTENT_TYPE, render_metrics
from specchat.server.request_fields import parse_body
from specchat.server.response_formatters import ChatFormatter, CompletionFormatter
from specchat.services.generation.server_stats import ServerStats

_LONGEST_NAME = 60


def make_app(settings: ServerSettings, asking: RequestDispatcher, served: ServerStats) -> ASGIApp:
    endpoints = Endpoints(asking, served)
    routes = [
        Route("/health", endpoints.health),
        Route("/metrics", endpoints.metrics),
        Route("/v1/models", endpoints.models),
        Route("/v1/models/{name:path}", endpoints.model),
        Route("/v1/chat/completions", endpoints.chat_completions, methods=["POST"]),
        Route("/v1/completions", endpoints.completions, methods=["POST"]),
    ]
    handlers = {
        ApiError: on_api_error,
        UserError: on_user_error,
        HTTPException: on_http_error,
        Exception: on_internal_error,
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    return GuardMiddleware(app, settings, served, frozenset(route.path for route in routes))


class Endpoints:
    def __init__(self, asking: RequestDispatcher, served: ServerStats) -> None:
        self._asking = asking
        self._served = served
        self._started = int(time.time())

    async def health(self, _: Request) -> Response:
        """503 until a model is loaded."""
        return JSONResponse({"status": "ok", "model": self._asking.pair.target})

    async def metrics(self, _: Request) -> Response:
        return PlainTextResponse(
            render_metrics(self._served, self._asking.n_waiting, self._asking.n_slots), media_type=CONTENT_TYPE
        )

    async def models(self, _: Request) -> Response:
        return JSONResponse({"object": "list", "data": [self._about(self._asking.pair)]})

    async def model(self, _: Request) -> Response:
        """Whatever name is asked for: requests that name another model are answered, too."""
        return JSONResponse(self._about(self._asking.pair))

    async def chat_completions(self, request: Request) -> CompletionResponse:
        asked = parse_chat_request(parse_body(await _body(request)), _client(request))
        return CompletionResponse(self._asking, asked, ChatFormatter(logprobs=asked.task.top_logprobs is not None))

    async def completions(self, request: Request) -> CompletionResponse:
        asked = parse_text_request(parse_body(await _body(request)), _client(request))
        return CompletionResponse(
            self._asking, asked, CompletionFormatter(logprobs=asked.task.top_logprobs is not None)
        )

    def _about(self, pair: PairInfo) -> dict[str, object]:
        meta = {"draft": pair.draft, "n_ctx": pair.n_ctx, "drafting": pair.drafting, "exact": pair.exact}
        return {"id": pair.target, "object": "model", "created": self._started, "owned_by": "specchat", "meta": meta}


async def _body(request: Request) -> bytes:
    """Unlike its own method, the request does not keep it while the answer is written."""
    return b"".join([part async for part in request.stream()])


def _client(request: Request) -> str:
    name = request.headers.get("user-agent", "")[:_LONGEST_NAME]
    return printable_text(name, "")
