"""Keeps the chosen pair loaded in an engine and reloads it after the engine stopped."""

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager

from specchat.domain.answer_tasks import ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import Engine, EngineEvent, EngineTask
from specchat.domain.errors import NO_MODEL, EngineStoppedError, NotReadyError, SettingError, UserError
from specchat.domain.loading import LoadAborted, LoadCompleted, LoadingEvent, LoadUpdate, PairUnloaded
from specchat.domain.types import PairChoice
from specchat.services.lazy import Lazy

OnLoadingEvent = Callable[[LoadingEvent], None]


class PairSession:
    """Call its methods from the thread that owns the models, except `stop_loading`, and `generate` if several answers
    are written at once.

    A stopped engine is reloaded at once, but only once until it has finished an answer. After that, it is reloaded by
    the next request.
    """

    def __init__(self, make_engine: Callable[[], Engine], on_event: OnLoadingEvent = lambda _: None) -> None:
        """`on_event`: called for the events of all loads."""
        self._engine = Lazy(make_engine)
        self._on_event = on_event
        self._choice: PairChoice | None = None
        self._n_stops = 0
        """How often the engine stopped since it last finished an answer."""
        self._last_stop: EngineStoppedError | None = None
        self._counting = threading.Lock()
        self._one_at_a_time = threading.RLock()
        """Lets only one thread reload the engine."""
        self._loading = CancelToken()
        """Cancels the latest load."""
        self._is_given_up = False
        self.is_loading = False
        """Whether a pair is loading or about to; callers that start a load set this."""
        self.pair: PairInfo | None = None
        """The pair that answers, reloaded if necessary."""
        self.loaded_at = 0.0
        """When it was loaded, by the monotonic clock."""

    @property
    def is_unloaded(self) -> bool:
        """Whether the next job has to load the engine first."""
        engine = self._engine.created_value
        return engine is None or not engine.is_loaded

    def load(self, choice: PairChoice, cancel: CancelToken) -> PairInfo:
        self._choice, self.pair, self._n_stops = None, None, 0
        self.pair = self._load(choice, cancel)
        self._choice = choice
        self._report(LoadCompleted(choice, self.pair))
        return self.pair

    def choose(self, choice: PairChoice, cancel: CancelToken) -> None:
        """Loads the pair unless it is the chosen one."""
        if choice != self._choice:
            self.load(choice, cancel)

    def stop_loading(self) -> None:
        """Stops loading from any thread. It isn't retried automatically."""
        self._is_given_up = True
        self._loading.cancel()

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        """Generates an answer. Tries again if the engine stopped before the first event, perhaps long ago."""
        has_begun, is_last_try = False, self._n_stops > 0 and not self._engine().is_loaded
        try:
            with self._counting_stops():
                engine = self._ensure_loaded(cancel, tells_stops=is_last_try)
                with closing(engine.generate(task, cancel)) as events:
                    for event in events:
                        has_begun = True
                        yield event
        except EngineStoppedError:
            if has_begun or is_last_try:
                raise
            yield from self.generate(task, cancel)
        with self._counting:
            self._n_stops = 0

    def count(self, task: CountTask) -> ContextCount:
        """Counts tokens, but doesn't reload an unloaded pair for this."""
        if not self._engine().is_loaded:
            raise NotReadyError(NO_MODEL, "Send a message to load it.")
        with self._counting_stops():
            return self._engine().count(task)

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        self._choice = self.pair = None
        return self._engine().bench(plan, on_progress, cancel)

    def recover(self, error: EngineStoppedError, cancel: CancelToken) -> None:
        """Reloads the pair after the engine stopped, as a separate job. Reports errors."""
        if self._choice is None or self._engine().is_loaded:
            return
        if self._n_stops == 1:
            with self._counting_stops():
                self._ensure_loaded(cancel)
        else:
            self._report(LoadAborted(self._choice, error))

    def unload(self) -> None:
        """Unloads the pair; the next job reloads it."""
        if self._engine.created_value is None:
            return
        was_loaded = self._engine().is_loaded
        self._engine().unload()
        if was_loaded and self._choice is not None:
            self._on_event(PairUnloaded(self._choice))

    def close(self) -> None:
        if self._engine.created_value is not None:
            self._engine().close()

    def _ensure_loaded(self, cancel: CancelToken, *, tells_stops: bool = True) -> Engine:
        if self._choice is None:
            raise SettingError(NO_MODEL, "Choose a pair first.")
        with self._one_at_a_time:
            if self._choice is None:  # loading was given up meanwhile
                raise SettingError(NO_MODEL, "Choose a pair first.")
            if not self._engine().is_loaded:
                self.pair = self._load(self._choice, cancel, tells_stops=tells_stops)
                self._report(LoadCompleted(self._choice, self.pair))
        return self._engine()

    def _load(self, choice: PairChoice, cancel: CancelToken, *, tells_stops: bool = True) -> PairInfo:
        loading = self._loading = CancelToken()
        self._is_given_up = False
        failed: UserError | None = None
        try:
            with cancel.listening(loading.cancel):
                return self._engine().load(
                    choice, loading, lambda stage, done: self._report(LoadUpdate(choice, stage, done))
                )
        except UserError as error:
            failed = error
            raise
        finally:
            if not self._engine().is_loaded:
                self._choice, self.pair = (None, None) if self._is_given_up else (self._choice, self.pair)
                if tells_stops or not isinstance(failed, EngineStoppedError):
                    self._report(LoadAborted(choice, failed))

    def _report(self, event: LoadingEvent) -> None:
        if isinstance(event, LoadCompleted):
            self.loaded_at = time.monotonic()
        self.is_loading = isinstance(event, LoadUpdate)
        self._on_event(event)

    @contextmanager
    def _counting_stops(self) -> Iterator[None]:
        """Counts a stop of the engine, but only once if several answers were affected."""
        try:
            yield
        except EngineStoppedError as stop:
            with self._counting:
                self._n_stops += stop is not self._last_stop
                self._last_stop = stop
            raise
