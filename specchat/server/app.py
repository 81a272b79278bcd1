"""What is answered under which address."""

import time

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from specchat.domain.answering import PairInfo
from specchat.domain.errors import UserError
from specchat.domain.printable_text import printable_text
from specchat.domain.serving import ServerSettings
from specchat.server.asking import Asking
from specchat.server.errors import Refusal, on_http_error, on_mistake, on_refusal, on_user_error
from specchat.server.fields import parsed
from specchat.server.forms import ChatForm, TextForm
from specchat.server.guard import Guard
from specchat.server.metrics import CONTENT_TYPE, exposition
from specchat.server.reply import Reply
from specchat.server.request import chat_request, text_request
from specchat.services.generation.served import Served

_LONGEST_NAME = 60


def make_app(settings: ServerSettings, asking: Asking, served: Served) -> ASGIApp:
    endpoints = Endpoints(asking, served)
    routes = [
        Route("/health", endpoints.health),
        Route("/metrics", endpoints.metrics),
        Route("/v1/models", endpoints.models),
        Route("/v1/models/{name:path}", endpoints.model),
        Route("/v1/chat/completions", endpoints.chat, methods=["POST"]),
        Route("/v1/completions", endpoints.text, methods=["POST"]),
    ]
    handlers = {Refusal: on_refusal, UserError: on_user_error, HTTPException: on_http_error, Exception: on_mistake}
    app = Starlette(routes=routes, exception_handlers=handlers)
    return Guard(app, settings, served, frozenset(route.path for route in routes))


class Endpoints:
    def __init__(self, asking: Asking, served: Served) -> None:
        self._asking = asking
        self._served = served
        self._started = int(time.time())

    async def health(self, _: Request) -> Response:
        """503 until a model is loaded."""
        return JSONResponse({"status": "ok", "model": self._asking.pair.target})

    async def metrics(self, _: Request) -> Response:
        return PlainTextResponse(exposition(self._served, self._asking.n_waiting), media_type=CONTENT_TYPE)

    async def models(self, _: Request) -> Response:
        return JSONResponse({"object": "list", "data": [self._about(self._asking.pair)]})

    async def model(self, _: Request) -> Response:
        """Whatever name is asked for: requests that name another model are answered, too."""
        return JSONResponse(self._about(self._asking.pair))

    async def chat(self, request: Request) -> Reply:
        asked = chat_request(parsed(await _body(request)), _client(request))
        return Reply(self._asking, asked, ChatForm(logprobs=asked.task.top_logprobs is not None))

    async def text(self, request: Request) -> Reply:
        asked = text_request(parsed(await _body(request)), _client(request))
        return Reply(self._asking, asked, TextForm(logprobs=asked.task.top_logprobs is not None))

    def _about(self, pair: PairInfo) -> dict[str, object]:
        meta = {"draft": pair.draft, "n_ctx": pair.n_ctx, "drafting": pair.drafting, "exact": pair.exact}
        return {"id": pair.target, "object": "model", "created": self._started, "owned_by": "specchat", "meta": meta}


async def _body(request: Request) -> bytes:
    """Unlike its own method, the request does not keep it while the answer is written."""
    return b"".join([part async for part in request.stream()])


def _client(request: Request) -> str:
    name = request.headers.get("user-agent", "")[:_LONGEST_NAME]
    return printable_text(name, "")
