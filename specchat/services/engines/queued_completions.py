"""Answers API requests in the threads that call the engine, as many at once as the pair has slots."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import (
    AboutQuery,
    ApiServer,
    CompletionTask,
    Lookup,
    MakeServer,
    ModelAwaited,
    ModelDescription,
    OnWaiting,
    PromptQuery,
    QueryAnswered,
    RequestQueued,
    RequestStarted,
    ServedTask,
    ServerSettings,
    ServingEvent,
    TaskFailed,
)
from specchat.domain.engine import Engine, EngineEvent, PromptPrepared, ToolsRefused
from specchat.domain.errors import NO_MODEL, Cancelled, EngineStoppedError, NotReadyError, SettingError, UserError
from specchat.domain.loading import LoadingEvent, LoadUpdate
from specchat.domain.types import PairChoice, TokenEvent
from specchat.services.engines.engine_queue import EngineQueue, Lane
from specchat.services.engines.pair_session import PairSession
from specchat.services.program.internal_errors import wrap_internal_errors

MAX_WAITING = 64

OnEvents = Callable[[list[ServingEvent]], None]
OnTaskEvent = Callable[[CompletionTask, ServingEvent], None]
OnProgress = Callable[[str, float], None]
OnReady = Callable[[PairInfo, str], None]
Serve = Callable[[PairChoice, ServerSettings, OnProgress, OnReady, OnWaiting], None]


class QueuedCompletions:
    """`Completions` that take turns with the other jobs of the models."""

    catalog = None

    def __init__(
        self,
        turns: EngineQueue,
        session: PairSession,
        logs: Path,
        watch: OnTaskEvent = lambda task, event: None,
        name: str = "",
    ) -> None:
        """`watch`: called in any thread with the last event of each step of each request. `name`: the target's name for
        clients; empty: the name of its file.
        """
        self.is_measuring = False
        """Whether a benchmark uses the models or is about to."""
        self.failure: UserError | None = None
        """Why the models couldn't be loaded."""
        self._turns = turns
        self._session = session
        self._logs = logs
        self._watch = watch
        self._name = name
        self._described: tuple[PairInfo, ModelDescription] | None = None

    @property
    def pair(self) -> PairInfo | None:
        pair = None if self._session.is_loading or self.is_measuring else self._session.pair
        return replace(pair, target=self._name) if pair is not None and self._name else pair

    @property
    def is_asleep(self) -> bool:
        return self._session.is_unloaded

    @property
    def description(self) -> ModelDescription | None:
        pair, described = self._described or (None, None)
        return described if pair is self._session.pair else None

    @property
    def n_waiting(self) -> int:
        return self._turns.n_waiting(Lane.SERVER)

    def not_ready(self) -> UserError:
        if self.failure is not None:
            return self.failure
        if self.is_measuring:
            return NotReadyError("A benchmark is running.", "Try again when it has finished.")
        if self._session.is_loading:
            return NotReadyError("The model is loading.", "Try again in a moment.")
        return NotReadyError(NO_MODEL, "Try again when a model has loaded.")

    def submit(self, task: ServedTask, hear: OnEvents, model: str = "") -> CancelToken:
        self._require_pair()
        return self.enqueue(task, hear)

    def enqueue(self, task: ServedTask, hear: OnEvents) -> CancelToken:
        """Adds a task without checking that a pair is loaded. For callers that know that one will be."""
        is_lookup, came = isinstance(task, Lookup), time.monotonic()
        cancel = self._turns.add(
            Lane.SERVER,
            lambda cancel: self._answer(task, hear, came, cancel),
            is_answer=not is_lookup,
            is_lookup=is_lookup,
        )
        self._tell_watcher(task, RequestQueued())
        return cancel

    def rest(self) -> None:
        """Unloads the models until the next request. What they are stays known."""
        if self.description is None and not self.is_asleep:
            with suppress(UserError, Cancelled), wrap_internal_errors(self._logs):
                for event in self._session.generate(AboutQuery(), CancelToken()):
                    self._note_description(event)
        self._session.unload()

    def _note_description(self, event: EngineEvent | ServingEvent) -> None:
        pair = self._session.pair
        if pair is not None and isinstance(event, QueryAnswered) and isinstance(event.value, ModelDescription):
            self._described = pair, event.value

    def _tell_watcher(self, task: ServedTask, event: ServingEvent) -> None:
        """Reports events of answers only, because queries are too short to be shown."""
        if isinstance(task, CompletionTask):
            self._watch(task, event)

    def _answer(self, task: ServedTask, hear: OnEvents, came: float, cancel: CancelToken) -> None:
        def report(step: list[ServingEvent]) -> None:
            hear(step)
            self._tell_watcher(task, step[-1])

        try:
            with wrap_internal_errors(self._logs):
                cancel.check()
                pair = self._require_pair()
                _require_senses(task, pair)
                report([RequestStarted(pair)])
                with closing(self._session.generate(task, cancel)) as events:
                    for number, step in enumerate(_steps(events)):
                        if number == 0 and self._session.loaded_at > came:
                            report([ModelAwaited(self._session.loaded_at - came)])
                        self._note_description(step[-1])
                        report(step)
        except Cancelled:
            report([TaskFailed(None)])
        except UserError as error:
            report([TaskFailed(error)])
            if isinstance(error, EngineStoppedError):
                self._recover(error)

    def _recover(self, stopped: EngineStoppedError) -> None:
        """Reloads the pair as a separate job, so that it is canceled when the server ends."""

        def load_again(cancel: CancelToken) -> None:
            with suppress(UserError, Cancelled), wrap_internal_errors(self._logs):
                self._session.recover(stopped, cancel)

        with suppress(UserError):  # the server is ending, or the queue is full and its next job reloads the pair
            self._turns.add(Lane.SERVER, load_again, brief=True)

    def _require_pair(self) -> PairInfo:
        pair = self.pair
        if pair is None:
            raise self.not_ready()
        return pair


def answer_requests(turns: EngineQueue, n_slots: int) -> None:
    """Answers requests until the queue is closed. Lookups have their own thread."""

    def run(*, lookups_only: bool = False) -> None:
        try:
            turns.run(lookups_only=lookups_only)
        except BaseException:
            turns.close()  # otherwise the other threads would continue
            raise

    with ThreadPoolExecutor(n_slots + 1, "answers") as answering:
        running = [answering.submit(run) for _ in range(n_slots)]
        running.append(answering.submit(run, lookups_only=True))
    for each in running:
        each.result()


def serve(
    choice: PairChoice,
    settings: ServerSettings,
    progress: OnProgress,
    ready: OnReady,
    waits: OnWaiting,
    *,
    make_engine: Callable[[], Engine],
    make_server: MakeServer,
    logs: Path,
) -> None:
    """Serves the pair until the program is asked to end. `ready`: called with the loaded pair and the server's URL.
    `waits`: called when the end has to wait for an answer, with whether it was Ctrl-C.
    """

    def on_event(event: LoadingEvent) -> None:
        if isinstance(event, LoadUpdate) and not is_serving.is_set():
            progress(event.stage, event.done)

    turns, session = EngineQueue({Lane.SERVER: MAX_WAITING}), PairSession(make_engine, on_event)
    cancel, is_serving = CancelToken(), Event()
    completions = QueuedCompletions(turns, session, logs)
    turns.on_idle = completions.rest
    turns.set_idle_timeout(settings.idle_unload_s)
    server = make_server(settings, completions)

    def own_the_models() -> None:
        with closing(session):
            pair = session.load(choice, cancel)
            is_serving.set()
            ready(pair, server.url)
            answer_requests(turns, pair.n_slots)

    def close() -> None:
        cancel.cancel()
        turns.close()
        session.stop_loading()

    run_server(server, own_the_models, close, waits)


def run_server(server: ApiServer, work: Callable[[], None], close: Callable[[], None], waits: OnWaiting) -> None:
    """Until the program is asked to end. `work`: beside it, in a thread; if it fails, the server ends. `close`: ends
    the work.
    """

    def work_beside() -> None:
        try:
            work()
        except BaseException as error:
            server.stop()
            if not isinstance(error, Cancelled):
                raise

    with ThreadPoolExecutor(1, "models") as executor:
        working = executor.submit(work_beside)
        try:
            server.run(waits)
        finally:
            close()
    working.result()


def _require_senses(task: ServedTask, pair: PairInfo) -> None:
    asked = task.task if isinstance(task, PromptQuery) else task
    if not isinstance(asked, CompletionTask):
        return
    if asked.has_pictures and not pair.sees_pictures:
        raise SettingError(
            "{model} can't see pictures.",
            "Choose a model with a vision encoder (mmproj), or send text only.",
            model=pair.target,
        )
    if asked.has_recordings and not pair.hears_recordings:
        raise SettingError(
            "{model} can't hear recordings.",
            "Choose a model with an audio encoder (mmproj), or send text only.",
            model=pair.target,
        )


def _steps(events: Iterable[EngineEvent]) -> Iterator[list[ServingEvent]]:
    """Yields the tokens of a step together, because each report costs computing time."""
    step: list[ServingEvent] = []
    for event in events:
        assert not isinstance(event, PromptPrepared | ToolsRefused), "a completion has none"
        step.append(event)
        if not isinstance(event, TokenEvent) or event.step is not None:
            yield step
            step = []
