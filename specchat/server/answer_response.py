"""The response to a request for answers: one JSON object, or a stream of events."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.errors import Cancelled, UserError
from specchat.domain.types import GenerationEvent, GenerationStats, PromptProgress
from specchat.server.answer_builder import AnswerBuilder, AnswerDelta, join_deltas
from specchat.server.completion_request import ApiRequest
from specchat.server.errors import ApiError, to_api_error
from specchat.server.response_stats import speculation, timings

if TYPE_CHECKING:
    from specchat.server.dispatcher import PendingAnswers, RequestDispatcher

EVENT_STREAM = "text/event-stream; charset=utf-8"
JSON_LINES = "application/x-ndjson"
PING_S = 10.0
"""Of silence in a stream, after which a sign of life is sent, as clients and proxies time out."""
PING = b": ping\n\n"
"""A comment in an event stream."""

Reply = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FinishedAnswer:
    content: AnswerDelta
    """All of it; if it was streamed, at most tokens that have no text."""
    progress: AnswerBuilder
    pair: PairInfo
    load_s: float = 0.0
    """How long it waited for its model to load."""

    @property
    def stats(self) -> GenerationStats:
        return self.progress.end.stats

    @property
    def finish_reason(self) -> str:
        return self.progress.finish_reason

    @property
    def speculation(self) -> Reply:
        return speculation(self.stats, self.pair, self.progress.origins)

    @property
    def figures(self) -> Reply:
        """The stats that every API adds to an answer."""
        return {"timings": timings(self.stats), "speculation": self.speculation}


class AnswerFormat(Protocol):
    """Formats answers for one API. Created for a single response."""

    media_type: str
    """Of a stream."""
    in_step: bool
    """See `AnswerBuilder`."""

    def ping(self) -> bytes:
        """A sign of life, which clients ignore."""

    def begin(self, model: str, prompt: PromptProgress) -> bytes:
        """Before the first piece of a stream."""

    def add(self, index: int, piece: AnswerDelta) -> bytes:
        """`index`: of the answer that it belongs to."""

    def end(self, answers: Sequence[FinishedAnswer]) -> bytes: ...
    def fail(self, error: ApiError) -> bytes:
        """Formats an error, which is sent instead of the end."""

    def whole(self, answers: Sequence[FinishedAnswer]) -> Reply | Sequence[Reply]:
        """Formats answers that are not streamed."""


class AnswerResponse:
    """Used like a Starlette response; the request waits for its turn in it."""

    def __init__(self, asking: "RequestDispatcher", request: ApiRequest, form: AnswerFormat) -> None:
        self._asking = asking
        self._request = request
        self._form = form
        self._answers = [AnswerBuilder(in_step=form.in_step) for _ in request.tasks]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(Cancelled):
            async with self._asking.submit(self._request.tasks, receive, self._request.model) as asked:
                if self._request.stream:
                    await self._stream(asked, send)
                else:
                    response = await self._whole(asked)
                    await response(scope, receive, send)

    async def _whole(self, asked: "PendingAnswers") -> Response:
        pieces: list[list[AnswerDelta]] = [[] for _ in self._answers]
        async for index, step in asked.steps():
            pieces[index].append(self._answers[index].add_step(step))
        reply = self._form.whole(self._finished(asked, list(map(join_deltas, pieces))))
        return Response(to_json(reply), media_type="application/json")

    async def _stream(self, asked: "PendingAnswers", send: Send) -> None:
        """What fails before the first step has a status of its own; what fails later is one of the events."""
        steps = asked.steps()
        first = await anext(steps)
        headers = [(b"content-type", self._form.media_type.encode()), (b"cache-control", b"no-cache")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        try:
            async with aclosing(_with_pings(self._events(asked, first, steps), self._form)) as events:
                async for data in events:
                    await send({"type": "http.response.body", "body": data, "more_body": True})
            end = self._form.end(self._finished(asked, [AnswerDelta()] * len(self._answers)))
        except UserError as error:
            end = self._form.fail(to_api_error(error))
        await send({"type": "http.response.body", "body": end, "more_body": False})

    async def _events(
        self,
        asked: "PendingAnswers",
        first: tuple[int, list[GenerationEvent]],
        others: AsyncIterator[tuple[int, list[GenerationEvent]]],
    ) -> AsyncIterator[bytes]:
        index, step = first
        self._answers[index].add_step(step)
        if begun := self._form.begin(asked.requests[index].pair.target, self._answers[index].prompt):
            yield begun
        async for index, step in others:
            piece = self._answers[index].add_step(step)
            if piece and (data := self._form.add(index, piece)):
                yield data

    def _finished(self, asked: "PendingAnswers", contents: Sequence[AnswerDelta]) -> list[FinishedAnswer]:
        return [
            FinishedAnswer(
                replace(content, tokens=(*content.tokens, *progress.take_tokens())),
                progress,
                request.pair,
                request.load_s,
            )
            for content, progress, request in zip(contents, self._answers, asked.requests, strict=True)
        ]


async def _with_pings(events: AsyncIterator[bytes], form: AnswerFormat) -> AsyncGenerator[bytes, None]:
    """The arguments of a call, for example, are sent only when it is complete."""
    while True:
        following = asyncio.ensure_future(anext(events))
        try:
            while not (await asyncio.wait([following], timeout=PING_S))[0]:
                yield form.ping()
            data = following.result()
        except StopAsyncIteration:
            return
        finally:
            following.cancel()
        yield data


def to_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def data_event(value: Reply) -> bytes:
    return b"data: " + to_json(value) + b"\n\n"


def named_event(name: str, value: Reply) -> bytes:
    return b"event: " + name.encode() + b"\n" + data_event(value)
