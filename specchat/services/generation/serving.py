"""Clients' requests in the thread that owns the models, one at a time."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from specchat.domain.answering import PairInfo
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import NO_MODEL, Cancelled, NotReadyError, UserError
from specchat.domain.ports import ChatEngine
from specchat.domain.serving import (
    CompletionTask,
    MakeServer,
    ServerSettings,
    ServingEvent,
    TaskFailed,
    TurnCame,
    TurnWanted,
)
from specchat.domain.types import Event, PairChoice, TokenEvent
from specchat.services.generation.turns import Lane, Turns
from specchat.services.once import Once
from specchat.services.program.mistakes import own_mistakes_explained

MOST_WAITING = 64

Hear = Callable[[list[ServingEvent]], None]
Watch = Callable[[CompletionTask, ServingEvent], None]
Progress = Callable[[str, float], None]
Ready = Callable[[PairInfo, str], None]
Waits = Callable[[], None]
Serve = Callable[[PairChoice, ServerSettings, Progress, Ready, Waits], None]


class TurnedCompletions:
    """`Completions`, in turn with whatever else the models have to do."""

    def __init__(
        self, turns: Turns, engine: Callable[[], ChatEngine], logs: Path, watch: Watch = lambda task, event: None
    ) -> None:
        """`engine` is asked for in the thread that owns the models; `watch` hears, in any thread, of all requests how
        each of their steps ends.
        """
        self.pair: PairInfo | None = None
        """To be set by whoever loads one."""
        self.is_measuring = False
        """A benchmark needs the models."""
        self._turns = turns
        self._engine = engine
        self._logs = logs
        self._watch = watch

    @property
    def n_waiting(self) -> int:
        return self._turns.n_waiting(Lane.SERVER)

    def not_ready(self) -> NotReadyError:
        if self.is_measuring:
            return NotReadyError("A benchmark is running.", "Ask again when it is done.")
        return NotReadyError(NO_MODEL, "Ask again when one is.")

    def ask(self, task: CompletionTask, hear: Hear) -> CancelToken:
        self._require_pair()
        cancel = self._turns.add(Lane.SERVER, lambda cancel: self._answer(task, hear, cancel))
        self._watch(task, TurnWanted())
        return cancel

    def _answer(self, task: CompletionTask, hear: Hear, cancel: CancelToken) -> None:
        def tell(step: list[ServingEvent]) -> None:
            hear(step)
            self._watch(task, step[-1])

        try:
            with own_mistakes_explained(self._logs):
                cancel.check()
                self._require_pair()
                tell([TurnCame()])
                for step in _steps(self._engine().complete(task, cancel)):
                    tell(step)
        except Cancelled:
            tell([TaskFailed(None)])
        except UserError as error:
            tell([TaskFailed(error)])

    def _require_pair(self) -> None:
        if self.pair is None:
            raise self.not_ready()


def serve(
    choice: PairChoice,
    settings: ServerSettings,
    progress: Progress,
    ready: Ready,
    waits: Waits,
    *,
    make_engine: Callable[[], ChatEngine],
    make_server: MakeServer,
    logs: Path,
) -> None:
    """Until the program is asked to end. `ready`: told the pair, once it is loaded, and where it is served. `waits`:
    told that the end waits for an answer.
    """
    turns, engine, cancel = Turns({Lane.SERVER: MOST_WAITING}), Once(make_engine), CancelToken()
    completions = TurnedCompletions(turns, engine, logs)
    server = make_server(settings, completions)

    def own_the_models() -> None:
        try:
            with closing(engine()) as models:
                pair = models.load(choice, cancel, progress)
                completions.pair = pair
                ready(pair, server.url)
                turns.work()
        except Cancelled:
            pass
        finally:
            server.stop()

    with ThreadPoolExecutor(1, "models") as executor:
        models_thread = executor.submit(own_the_models)
        try:
            server.run(waits)
        finally:
            cancel.cancel()
            turns.close()
    models_thread.result()


def _steps(events: Iterable[Event]) -> Iterator[list[ServingEvent]]:
    """A step's tokens at once: each time that somebody is told costs the models a moment."""
    step: list[ServingEvent] = []
    for event in events:
        step.append(event)
        if not isinstance(event, TokenEvent) or event.step is not None:
            yield step
            step = []
