"""Passes requests from the server's event loop to the engine and its events back."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import cast

from starlette.types import Receive

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import (
    Completions,
    CompletionTask,
    ModelAwaited,
    ModelCatalog,
    ModelDescription,
    ModelQuery,
    QueryAnswered,
    RequestStarted,
    ServedTask,
    ServingEvent,
    TaskFailed,
)
from specchat.domain.errors import Cancelled, NotReadyError, UserError
from specchat.domain.media import TEXT_ONLY
from specchat.domain.types import FinishReason, GenerationEvent, GenerationFinished, TokenEvent
from specchat.server.slot_table import SlotAnswer, SlotTable
from specchat.services.generation.server_stats import ServerStats


class RequestDispatcher:
    """The requests of one server. Everything except the engine's callbacks runs in its event loop."""

    def __init__(self, completions: Completions, served: ServerStats) -> None:
        self._completions = completions
        self._served = served
        self.slots = SlotTable()
        self._asked: dict[PendingRequest, None] = {}
        self.last_used: dict[str, float] = {}
        """When each model ended its last answer, by its file's name."""
        self._closed = False

    @property
    def pair(self) -> PairInfo:
        pair = self._completions.pair
        if self._closed or pair is None:
            raise self._not_ready()
        return pair

    @property
    def is_asleep(self) -> bool:
        return self._completions.is_asleep

    @property
    def description(self) -> ModelDescription | None:
        """Of the one pair, if it is known without waking it."""
        return self._completions.description

    @property
    def catalog(self) -> ModelCatalog | None:
        return self._completions.catalog

    @property
    def n_waiting(self) -> int:
        return self._completions.n_waiting

    @property
    def n_slots(self) -> int:
        """Of all that is loaded at the moment."""
        return sum(pair.n_slots for pair in self._pairs())

    @property
    def reads_media(self) -> bool:
        """Whether some model sees pictures or hears recordings, also one that a request would load."""
        if self.catalog is not None:
            return any(model.senses != TEXT_ONLY for model in self.catalog.models())
        return any(pair.senses != TEXT_ONLY for pair in self._pairs())

    def _pairs(self) -> list[PairInfo]:
        catalog = self.catalog
        pairs = [self._completions.pair] if catalog is None else [model.pair for model in catalog.models()]
        return [pair for pair in pairs if pair is not None]

    @property
    def n_requests(self) -> int:
        return len(self._asked)

    @property
    def is_answering(self) -> bool:
        return any(asked.has_begun for asked in self._asked)

    @asynccontextmanager
    async def submit(
        self, tasks: Sequence[ServedTask], receive: Receive, model: str = ""
    ) -> AsyncIterator["PendingAnswers"]:
        """Given up when the client goes away or this is left. `model`: as the client calls it."""
        await self.look_for(model)
        with self._pending(tasks, model) as asked:
            watching = asyncio.create_task(_watch(receive, asked))
            try:
                yield asked
            finally:
                watching.cancel()

    async def ask(self, query: ModelQuery, receive: Receive, model: str = "") -> tuple[object, "PendingRequest"]:
        """Returns the result of a query, and its request. Cancelled if the client disconnects first."""
        async with self.submit([query], receive, model) as asked:
            return await asked.value(), asked.requests[0]

    async def look_for(self, model: str) -> None:
        """It may have come to this computer a moment ago."""
        catalog = self.catalog
        if model and catalog is not None and not catalog.has(model):
            await asyncio.to_thread(catalog.refresh)

    def _not_ready(self) -> UserError:
        if self._closed:
            return NotReadyError("The server is shutting down.", "Restart it, then try again.")
        return self._completions.not_ready()

    @contextmanager
    def _pending(self, tasks: Sequence[ServedTask], model: str) -> Iterator["PendingAnswers"]:
        answers = PendingAnswers(self._not_ready)
        if self._closed:
            raise self._not_ready()
        try:
            for task in tasks:
                hear = answers.hear(len(answers.requests))
                request = PendingRequest(self._completions, task, model, self._served, self.slots, hear)
                answers.requests.append(request)
                self._asked[request] = None
            yield answers
        finally:
            for request in answers.requests:
                del self._asked[request]
                if request.has_begun:
                    self.last_used[request.pair.target] = time.time()
            answers.abandon()

    def close(self) -> None:
        """No new requests, and none that wait; the one that is being answered goes on."""
        self._closed = True
        for asked in self._asked:
            asked.fail_if_waiting(self._not_ready())

    def cancel_all(self) -> None:
        """The answer ends where it is."""
        for asked in self._asked:
            asked.cancel.cancel()


class PendingAnswers:
    """All that one client asked for at once."""

    def __init__(self, not_ready: Callable[[], UserError]) -> None:
        self.requests: list[PendingRequest] = []
        self._not_ready = not_ready
        self._arrived: asyncio.Queue[tuple[int, list[ServingEvent]]] = asyncio.Queue()
        self._gone = False

    def hear(self, index: int) -> Callable[[list[ServingEvent]], None]:
        return lambda step: self._arrived.put_nowait((index, step))

    async def steps(self) -> AsyncIterator[tuple[int, list[GenerationEvent]]]:
        """Each with all its tokens, and the number of its answer, until all are finished; Cancelled when the client
        went away before. If one was given up, all fail: nobody shall take it for a whole one.
        """
        n_left = len(self.requests)
        while n_left:
            index, step = await self._next()
            yield index, cast(list[GenerationEvent], step)
            n_left -= isinstance(step[-1], GenerationFinished)

    async def value(self) -> object:
        """The result of a query."""
        _, step = await self._next()
        assert isinstance(step[-1], QueryAnswered)
        return step[-1].value

    async def _next(self) -> tuple[int, list[ServingEvent]]:
        while True:
            index, step = await self._arrived.get()
            match step[-1]:
                case TaskFailed(error):
                    raise Cancelled if self._gone else error or self._not_ready()
                case GenerationFinished(reason=FinishReason.CANCELLED):
                    raise Cancelled if self._gone else self._not_ready()
                case RequestStarted() | ModelAwaited():
                    continue
            return index, step

    def abandon(self) -> None:
        self._gone = True
        for request in self.requests:
            request.cancel.cancel()
        self.hear(0)([TaskFailed(None)])


class PendingRequest:
    def __init__(
        self,
        completions: Completions,
        task: ServedTask,
        model: str,
        served: ServerStats,
        slots: SlotTable,
        hear: Callable[[list[ServingEvent]], None],
    ) -> None:
        """`hear`: told in the loop what happens."""
        self.task = task
        self._pair: PairInfo | None = None
        self._served = served
        self._slots = slots
        self._slot: SlotAnswer | None = None
        """None: it waits, or it is only a query."""
        self._tell = hear
        self._loop = asyncio.get_running_loop()
        self.has_begun = False
        self.load_s = 0.0
        """How long it waited for its model to load."""
        self._came = time.monotonic()
        self.cancel = completions.submit(task, self._hear, model)

    @property
    def pair(self) -> PairInfo:
        """Which answers it, once it has begun."""
        assert self._pair is not None
        return self._pair

    def fail_if_waiting(self, error: UserError) -> None:
        if not self.has_begun:
            self.cancel.cancel()
            self._tell([TaskFailed(error)])

    def _hear(self, step: list[ServingEvent]) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody listens any more
            self._loop.call_soon_threadsafe(self._arrive, step)

    def _arrive(self, step: list[ServingEvent]) -> None:
        """Counted also when the client is gone: the engine worked for it."""
        if self._slot is not None:
            self._slot.hear(step[-1])
        match step[-1]:
            case RequestStarted(pair):
                self.has_begun = True
                self._pair = pair
                self._served.n_running += 1
                self._served.waited.add(time.monotonic() - self._came)
                if isinstance(self.task, CompletionTask):
                    self._slot = self._slots.begin(self.task, pair)
            case ModelAwaited(seconds):
                self.load_s = seconds
            case TokenEvent(step=stats) if stats is not None:
                self._served.record_step(stats)
            case GenerationFinished():
                self._served.n_running -= 1
                self._served.record_answer(str(step[-1].reason), step[-1].stats)
            case QueryAnswered():
                self._served.n_running -= 1
            case TaskFailed() if self.has_begun:
                self._served.n_running -= 1
        self._tell(step)


async def _watch(receive: Receive, asked: PendingAnswers) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    asked.abandon()
