"""Clients' requests in the thread that owns the models, one at a time."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Event

from specchat.domain.answering import PairInfo
from specchat.domain.cancel import CancelToken
from specchat.domain.engine import Engine, EngineEvent, PromptMade
from specchat.domain.errors import NO_MODEL, Cancelled, EngineStoppedError, NotReadyError, UserError
from specchat.domain.loading import Loading, LoadingEvent
from specchat.domain.serving import (
    CompletionTask,
    MakeServer,
    ServerSettings,
    ServingEvent,
    TaskFailed,
    TurnCame,
    TurnWanted,
)
from specchat.domain.types import PairChoice, TokenEvent
from specchat.services.engines.session import PairSession
from specchat.services.engines.turns import Lane, Turns
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

    def __init__(self, turns: Turns, session: PairSession, logs: Path, watch: Watch = lambda task, event: None) -> None:
        """`watch` hears, in any thread, of all requests how each of their steps ends."""
        self.is_loading = self.is_measuring = False
        """The models are needed for that, or will be in a moment."""
        self._turns = turns
        self._session = session
        self._logs = logs
        self._watch = watch

    @property
    def pair(self) -> PairInfo | None:
        return None if self.is_loading or self.is_measuring else self._session.pair

    @property
    def n_waiting(self) -> int:
        return self._turns.n_waiting(Lane.SERVER)

    def not_ready(self) -> NotReadyError:
        if self.is_measuring:
            return NotReadyError("A benchmark is running.", "Ask again when it is done.")
        if self.is_loading:
            return NotReadyError("The model is being loaded.", "Ask again in a moment.")
        return NotReadyError(NO_MODEL, "Ask again when one is.")

    def hear(self, event: LoadingEvent) -> None:
        """Of each load."""
        self.is_loading = isinstance(event, Loading)

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
                with closing(self._session.generate(task, cancel)) as events:
                    for step in _steps(events):
                        tell(step)
        except Cancelled:
            tell([TaskFailed(None)])
        except UserError as error:
            tell([TaskFailed(error)])
            if isinstance(error, EngineStoppedError):
                self._recover(error)

    def _recover(self, stopped: EngineStoppedError) -> None:
        """In a turn of its own, so that it ends with the server."""

        def load_again(cancel: CancelToken) -> None:
            with suppress(UserError, Cancelled), own_mistakes_explained(self._logs):
                self._session.recover(stopped, cancel)

        with suppress(UserError):  # it is ending, or so many wait that the next one loads it
            self._turns.add(Lane.SERVER, load_again, brief=True)

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
    make_engine: Callable[[], Engine],
    make_server: MakeServer,
    logs: Path,
) -> None:
    """Until the program is asked to end. `ready`: told the pair, once it is loaded, and where it is served. `waits`:
    told that the end waits for an answer.
    """

    def told(event: LoadingEvent) -> None:
        completions.hear(event)
        if isinstance(event, Loading) and not is_serving.is_set():
            progress(event.stage, event.done)

    turns, session = Turns({Lane.SERVER: MOST_WAITING}), PairSession(make_engine, told)
    cancel, is_serving = CancelToken(), Event()
    turns.rest = session.unload
    turns.rest_after(settings.idle_unload_s)
    completions = TurnedCompletions(turns, session, logs)
    server = make_server(settings, completions)

    def own_the_models() -> None:
        try:
            with closing(session):
                pair = session.load(choice, cancel)
                is_serving.set()
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
            session.stop_loading()
    models_thread.result()


def _steps(events: Iterable[EngineEvent]) -> Iterator[list[ServingEvent]]:
    """A step's tokens at once: each time that somebody is told costs the models a moment."""
    step: list[ServingEvent] = []
    for event in events:
        assert not isinstance(event, PromptMade), "a completion has none"
        step.append(event)
        if not isinstance(event, TokenEvent) or event.step is not None:
            yield step
            step = []
