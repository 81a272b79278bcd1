"""Requests on their way to the models and back: what the engine's thread tells arrives in the server's loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import cast

from starlette.types import Receive

from specchat.domain.answering import PairInfo
from specchat.domain.errors import Cancelled, NotReadyError, UserError
from specchat.domain.serving import Completions, CompletionTask, ServingEvent, TaskFailed, TurnCame
from specchat.domain.types import Event, Finished, FinishReason, TokenEvent
from specchat.services.generation.served import Served


class Asking:
    """Of one server. Everything but what is told by the engine happens in its loop."""

    def __init__(self, completions: Completions, served: Served) -> None:
        self._completions = completions
        self._served = served
        self._asked: set[Asked] = set()
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
    def n_asked(self) -> int:
        return len(self._asked)

    @property
    def is_answering(self) -> bool:
        return any(asked.has_begun for asked in self._asked)

    @asynccontextmanager
    async def asked(self, task: CompletionTask, receive: Receive) -> AsyncIterator["Asked"]:
        """Given up when the client goes away or this is left."""
        with self._told(task) as asked:
            watching = asyncio.create_task(_watch(receive, asked))
            try:
                yield asked
            finally:
                watching.cancel()

    def _not_ready(self) -> NotReadyError:
        if self._closed:
            return NotReadyError("The server is ending.", "Ask again when it is back.")
        return self._completions.not_ready()

    @contextmanager
    def _told(self, task: CompletionTask) -> Iterator["Asked"]:
        pair = self.pair
        asked = Asked(pair, self._completions, task, self._served, self._not_ready)
        self._asked.add(asked)
        try:
            yield asked
        finally:
            self._asked.discard(asked)
            asked.give_up()

    def close(self) -> None:
        """No new requests, and none that wait; the one that is being answered goes on."""
        self._closed = True
        for asked in self._asked:
            asked.fail_unless_begun(self._not_ready())

    def end(self) -> None:
        """The answer ends where it is."""
        for asked in self._asked:
            asked.cancel.cancel()


class Asked:
    def __init__(
        self,
        pair: PairInfo,
        completions: Completions,
        task: CompletionTask,
        served: Served,
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
        self.cancel = completions.ask(task, self._hear)

    async def steps(self) -> AsyncIterator[list[Event]]:
        """Each with all its tokens, until the answer is finished; Cancelled when the client went away before. One
        that was given up fails: nobody shall take it for a whole one.
        """
        while True:
            step = await self._arrived.get()
            match step[-1]:
                case TaskFailed(error):
                    raise Cancelled if self._gone else error or self._not_ready()
                case Finished(reason=FinishReason.CANCELLED):
                    raise Cancelled if self._gone else self._not_ready()
                case TurnCame():
                    continue
            yield cast(list[Event], step)
            if isinstance(step[-1], Finished):
                return

    def give_up(self) -> None:
        self._gone = True
        self.cancel.cancel()
        self._arrived.put_nowait([TaskFailed(None)])

    def fail_unless_begun(self, error: UserError) -> None:
        if not self.has_begun:
            self.cancel.cancel()
            self._arrived.put_nowait([TaskFailed(error)])

    def _hear(self, step: list[ServingEvent]) -> None:
        with suppress(RuntimeError):  # the loop has ended: nobody listens any more
            self._loop.call_soon_threadsafe(self._arrive, step)

    def _arrive(self, step: list[ServingEvent]) -> None:
        """Counted also when the client is gone: the engine worked for it."""
        match step[-1]:
            case TurnCame():
                self.has_begun = True
                self.pair = self._completions.pair or self.pair
                self._served.n_running += 1
                self._served.waited.add(time.monotonic() - self._came)
            case TokenEvent(step=stats) if stats is not None:
                self._served.step(stats)
            case Finished():
                self._served.n_running -= 1
                self._served.answer(str(step[-1].reason), step[-1].stats)
            case TaskFailed() if self.has_begun:
                self._served.n_running -= 1
        self._arrived.put_nowait(step)


async def _watch(receive: Receive, asked: Asked) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    asked.give_up()
