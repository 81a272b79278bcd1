"""The response to a completion request: one JSON object, or an event stream."""

import json
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from specchat.domain.errors import Cancelled, UserError
from specchat.domain.types import GenerationEvent
from specchat.server.answer_builder import AnswerBuilder, AnswerDelta, join_deltas
from specchat.server.completion_request import ApiRequest
from specchat.server.errors import to_api_error
from specchat.server.response_formatters import Choice, ResponseFormatter
from specchat.server.response_stats import speculation, timings, usage

if TYPE_CHECKING:
    from specchat.server.dispatcher import PendingRequest, RequestDispatcher

_EVENTS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-cache")]
_START = {"type": "http.response.start", "status": 200, "headers": _EVENTS}
_DONE = b"data: [DONE]\n\n"


class CompletionResponse:
    """Used like a Starlette response; the request waits for its turn in it."""

    def __init__(self, asking: "RequestDispatcher", request: ApiRequest, form: ResponseFormatter) -> None:
        self._asking = asking
        self._request = request
        self._form = form
        self._answer = AnswerBuilder(in_step=form.has_offsets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(Cancelled):
            async with self._asking.submit(self._request.task, receive) as asked:
                if self._request.stream:
                    await self._stream(asked, send)
                else:
                    response = await self._whole(asked)
                    await response(scope, receive, send)

    async def _whole(self, asked: "PendingRequest") -> Response:
        pieces = [self._answer.add_step(step) async for step in asked.steps()]
        choice = self._form.format_full(join_deltas(pieces))
        frame = self._frame(asked, self._form.name)
        ended = {**frame, **_choices(choice, self._answer.finish_reason), "usage": usage(self._answer.end.stats)}
        return Response(_json({**ended, **self._figures(asked)}), media_type="application/json")

    async def _stream(self, asked: "PendingRequest", send: Send) -> None:
        """What fails before the first step has a status of its own; what fails later is one of the events."""
        steps = asked.steps()
        first = await anext(steps)
        await send(_START)
        frame = self._frame(asked, self._form.piece_name)
        if self._request.include_usage:
            frame |= {"usage": None}
        end = b""
        try:
            async for data in self._events(frame, first, steps):
                await send({"type": "http.response.body", "body": data, "more_body": True})
            end = b"".join(map(_event, self._endings(frame, asked))) + _DONE
        except UserError as error:
            end = _event({"error": to_api_error(error).error})
        await send({"type": "http.response.body", "body": end, "more_body": False})

    async def _events(
        self, frame: Mapping[str, object], first: list[GenerationEvent], others: AsyncIterator[list[GenerationEvent]]
    ) -> AsyncIterator[bytes]:
        opening = self._form.format_opening()
        if opening is not None:
            yield _event({**frame, **_choices(opening, None)})
        self._answer.add_step(first)
        async for step in others:
            piece = self._answer.add_step(step)
            if piece:
                yield _event({**frame, **_choices(self._form.format_delta(piece), None)})

    def _endings(self, frame: Mapping[str, object], asked: "PendingRequest") -> Iterator[Mapping[str, object]]:
        """The figures come with the last of them, as from llama-server."""
        empty = self._form.format_delta(AnswerDelta())
        last = {**frame, **_choices(empty, self._answer.finish_reason)}
        if self._request.include_usage:
            yield last
            last = {**frame, "choices": [], "usage": usage(self._answer.end.stats)}
        yield {**last, **self._figures(asked)}

    def _figures(self, asked: "PendingRequest") -> dict[str, object]:
        stats = self._answer.end.stats
        return {"timings": timings(stats), "speculation": speculation(stats, asked.pair, self._answer.origins)}

    def _frame(self, asked: "PendingRequest", name: str) -> dict[str, object]:
        return {
            "id": self._form.id_prefix + secrets.token_hex(12),
            "object": name,
            "created": int(time.time()),
            "model": asked.pair.target,
        }


def _choices(choice: Choice, finish_reason: str | None) -> dict[str, object]:
    return {"choices": [{"index": 0, **choice, "finish_reason": finish_reason}]}


def _event(value: Mapping[str, object]) -> bytes:
    return b"data: " + _json(value) + b"\n\n"


def _json(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
