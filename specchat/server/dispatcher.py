"""Passes requests from the server's event loop to the engine and its events back."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import cast

from starlette.types import Receive

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import Completions, CompletionTask, RequestStarted, ServingEvent, TaskFailed
from specchat.domain.errors import Cancelled, NotReadyError, UserError
from specchat.domain.types import FinishReason, GenerationEvent, GenerationFinished, TokenEvent
from specchat.services.generation.server_stats import ServerStats


class RequestDispatcher:
    """Of one server. Everything but what is told by the engine happens in its loop."""

    def __init__(self, completions: Completions, served: ServerStats) -> None:
        self._completions = completions
        self._served = served
        self._asked: set[PendingRequest] = set()
        self._closed = False

    @property
    def pair(self) -> PairInfo:
        pair = self._completions.pair
        if self._closed or pair is None:
            raise self._not_ready()
        return pair

    @property
    def n_waiting(self) -> int:
        return self._completions.n_waiting

    @property
    def n_slots(self) -> int:
        """0: nothing is loaded at the moment."""
        pair = self._completions.pair
        return pair.n_slots if pair is not None else 0

    @property
    def n_requests(self) -> int:
        return len(self._asked)

    @property
    def is_answering(self) -> bool:
        return any(asked.has_begun for asked in self._asked)

    @asynccontextmanager
    async def submit(self, task: CompletionTask, receive: Receive) -> AsyncIterator["PendingRequest"]:
        """Given up when the client goes away or this is left."""
        with self._pending(task) as asked:
            watching = asyncio.create_task(_watch(receive, asked))
            try:
                yield asked
            finally:
                watching.cancel()

    def _not_ready(self) -> NotReadyError:
        if self._closed:
            return NotReadyError("The server is shutting down.", "Restart it, then try again.")
        return self._completions.not_ready()

    @contextmanager
    def _pending(self, task: CompletionTask) -> Iterator["PendingRequest"]:
        pair = self.pair
        asked = PendingRequest(pair, self._completions, task, self._served, self._not_ready)
        self._asked.add(asked)
        try:
            yield asked
        finally:
            self._asked.discard(asked)
            asked.abandon()

    def close(self) -> None:
        """No new requests, and none that wait; the one that is being answered goes on."""
        self._closed = True
        for asked in self._asked:
            asked.fail_if_waiting(self._not_ready())

    def cancel_all(self) -> None:
        """The answer ends where it is."""
        for asked in self._asked:
            asked.cancel.cancel()


class PendingRequest:
    def __init__(
        self,
        pair: PairInfo,
        completions: Completions,
        task: CompletionTask,
        served: ServerStats,
        not_ready: Callable[[], NotReadyError],
    ) -> None:
        self.pair = pair
        """Until its turn comes, the one that is loaded now; then the one that answers."""
        self._completions = completions
        self._served = served
        self._not_ready = not_ready
        self._loop = asyncio.get_running_loop()
        self._arrived: asyncio.Queue[list[ServingEvent]] = asyncio.Queue()
        self.has_begun = self._gone = False
        self._came = time.monotonic()
        self.cancel = completions.submit(task, self._hear)

    async def steps(self) -> AsyncIterator[list[GenerationEvent]]:
        """Each with all its tokens, until the answer is finished; Cancelled when the client went away before. One
        that was given up fails: nobody shall take it for a whole one.
        """
        while True:
            step = await self._arrived.get()
            match step[-1]:
                case TaskFailed(error):
                    raise Cancelled if self._gone else error or self._not_ready()
                case GenerationFinished(reason=FinishReason.CANCELLED):
                    raise Cancelled if self._gone else self._not_ready()
                case RequestStarted():
                    continue
            yield cast(list[GenerationEvent], step)
            if isinstance(step[-1], GenerationFinished):
                return

    def abandon(self) -> None:
        self._gone = True
        self.cancel.cancel()
        self._arrived.put_nowait([TaskFailed(None)])

    def fail_if_waiting(self, error: UserError) -> None:
        if not self.has_begun:
            self.cancel.cancel()
            self._arrived.put_nowait([TaskFailed(error)])

    def _hear(self, step: list[ServingEvent]) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody listens any more
            self._loop.call_soon_threadsafe(self._arrive, step)

    def _arrive(self, step: list[ServingEvent]) -> None:
        """Counted also when the client is gone: the engine worked for it."""
        match step[-1]:
            case RequestStarted():
                self.has_begun = True
                self.pair = self._completions.pair or self.pair
                self._served.n_running += 1
                self._served.waited.add(time.monotonic() - self._came)
            case TokenEvent(step=stats) if stats is not None:
                self._served.record_step(stats)
            case GenerationFinished():
                self._served.n_running -= 1
                self._served.record_answer(str(step[-1].reason), step[-1].stats)
            case TaskFailed() if self.has_begun:
                self._served.n_running -= 1
        self._arrived.put_nowait(step)


async def _watch(receive: Receive, asked: PendingRequest) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    asked.abandon()
