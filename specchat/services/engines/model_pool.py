"""Loads models by name, each in its own engine, and as many at once as there is room for."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import (
    ModelCatalog,
    ModelDescription,
    ModelStatus,
    OfferedModel,
    ServedTask,
    ServerSettings,
)
from specchat.domain.engine import Engine
from specchat.domain.errors import NO_MODEL, Cancelled, NotReadyError, UserError
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.services.engines.model_host import ModelHost
from specchat.services.engines.pair_session import OnLoadingEvent
from specchat.services.engines.queued_completions import OnEvents
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.named_models import NamedModels
from specchat.services.program.internal_errors import wrap_internal_errors
from specchat.services.settings.pair_chooser import PairChooser, fits_beside

_MOST_HOSTS = 64
"""The maximum number of threads; further models wait."""


class ModelPool:
    """`Completions` for all models on this computer. Requests wait in their model's queue while it loads. Models are
    loaded one at a time. The least recently used model makes room after it has answered its pending requests.
    """

    def __init__(
        self,
        library: ModelLibrary,
        chooser: PairChooser,
        make_engine: Callable[[], Engine],
        settings: ServerSettings,
        logs: Path,
        on_event: OnLoadingEvent = lambda _: None,
    ) -> None:
        self.on_mistake: Callable[[], None] = lambda: None
        """Called when a thread that owns a model ends with an unexpected error, which `close` then raises."""
        self._library, self._chooser = library, chooser
        self._make_engine, self._logs, self._on_event = make_engine, logs, on_event
        self._settings = settings
        self._changed = threading.Condition()
        self._in_library = threading.Lock()
        self._named = NamedModels()
        self._senses: Mapping[str, Senses] = {}
        """What models see or hear once they are loaded, by name."""
        self._hosts: dict[str, ModelHost] = {}
        """Hosts that accept requests, by name."""
        self._present: list[ModelHost] = []
        """The same hosts and those that still finish their requests, in the order of their creation."""
        self._failures: dict[str, UserError] = {}
        self._last_used: str | None = None
        self._count = count(1)
        self._threads = ThreadPoolExecutor(_MOST_HOSTS, "models")
        self._mistake: BaseException | None = None
        self._is_closed = False

    # Completions

    @property
    def catalog(self) -> ModelCatalog:
        return self

    @property
    def pair(self) -> PairInfo | None:
        with self._changed:
            loaded = [host for host in self._hosts.values() if host.loaded is not None]
            return max(loaded, key=lambda host: host.last_asked).completions.pair if loaded else None

    @property
    def is_asleep(self) -> bool:
        return self.pair is None

    @property
    def description(self) -> None:
        """The catalog has one of each model."""
        return None

    @property
    def n_waiting(self) -> int:
        with self._changed:
            return sum(host.completions.n_waiting for host in self._present)

    def not_ready(self) -> UserError:
        return NotReadyError(NO_MODEL, "Try again in a moment.")

    def submit(self, task: ServedTask, hear: OnEvents, model: str = "") -> CancelToken:
        with self._changed:
            return self._host(self._meant(model)).completions.enqueue(task, hear)

    # ModelCatalog

    def models(self) -> Sequence[OfferedModel]:
        with self._changed:
            return [self._offered(name) for name in self._named.names]

    def refresh(self) -> None:
        with self._in_library:
            named = NamedModels(self._library.models())
            last = self._chooser.last_target()
            senses = {name: self._chooser.senses(named[name]) for name in named.names}
        with self._changed:
            self._named, self._senses = named, senses
            self._last_used = self._last_used or (named.name_of(last) if last is not None else None)

    def find(self, name: str) -> OfferedModel:
        with self._changed:
            return self._offered(self._meant(name))

    def has(self, name: str) -> bool:
        with self._changed:
            return self._named.find(name) is not None

    def describe(self, name: str) -> ModelDescription:
        from specchat.services.models.header_description import describe_header  # needs numpy

        with self._changed:
            model = self._named[self._meant(name)]
        return describe_header(model.path, model.size)

    def load(self, name: str) -> bool:
        with self._changed:
            meant = self._meant(name)
            if meant in self._hosts:
                return False
            self._host(meant)
            return True

    def unload(self, name: str) -> bool:
        with self._changed:
            host = self._hosted(name)
            if host is None:
                return False
            if host.loaded is None:
                host.fail(NotReadyError("The model was unloaded.", "Send the request again to reload it."))
                host.cancel.cancel()
            self._dismiss(host)
            return True

    def close(self) -> None:
        """Ends all loaded or loading models and all answers."""
        with self._changed:
            self._is_closed = True
            for host in self._present:
                host.stop()
            self._changed.notify_all()
        self._threads.shutdown()
        if self._mistake is not None:
            raise self._mistake

    # Implementation. Except `_run` and the methods it calls, all of these require the lock.

    def _meant(self, given: str) -> str:
        name = self._named.find(given) if given else self._usual()
        if name is None:
            raise self._named.unknown_error(given)
        return name

    def _hosted(self, given: str) -> ModelHost | None:
        """None: it is not loaded. What is has a name even if its file is gone."""
        name = self._named.find(given)
        if name is None and given not in self._hosts:
            hosts = {host.model.path: host for host in self._hosts.values()}
            named = NamedModels(host.model for host in hosts.values())
            gone = named.find(given)
            if gone is None:
                raise self._named.unknown_error(given)
            return hosts[named[gone].path]
        return self._hosts.get(name or given)

    def _usual(self) -> str | None:
        """Returns the model for requests without a name, or None. Ignores models whose file is gone."""
        present = max(self._hosts.values(), key=lambda host: host.last_asked, default=None)
        last = present.name if present is not None else self._last_used or ""
        return self._named.find(last) or self._named.only()

    def _host(self, name: str) -> ModelHost:
        """Returns the host that accepts requests for this model. Creates it if necessary."""
        if self._is_closed:
            raise self.not_ready()
        host = self._hosts.get(name)
        if host is None:
            host = ModelHost(name, self._named[name], self._make_engine, self._logs, self._on_event)
            host.turns.on_idle = lambda: self._release(host)
            host.turns.set_idle_timeout(self._settings.idle_unload_s)
            self._hosts[name] = host
            self._present.append(host)
            self._threads.submit(self._run, host).add_done_callback(self._note_end)
        host.last_asked, self._last_used = next(self._count), name
        return host

    def _offered(self, name: str) -> OfferedModel:
        model, host = self._named[name], self._hosts.get(name)
        leaving = any(each.name == name and each.loaded is not None for each in self._present)
        is_loaded = leaving if host is None else host.loaded is not None
        status = ModelStatus.LOADED if is_loaded else ModelStatus.LOADING if host is not None else ModelStatus.UNLOADED
        return OfferedModel(
            name,
            model.size,
            model.parameters,
            model.quantization,
            model.n_ctx_train,
            status,
            self._failures.get(name) if status is ModelStatus.UNLOADED else None,
            host.loaded if host is not None else None,
            host.loaded.senses if host is not None and host.loaded is not None else self._senses.get(name, TEXT_ONLY),
        )

    def _dismiss(self, host: ModelHost) -> None:
        """Makes the host accept no more requests, and end when it has answered its pending ones."""
        if self._hosts.get(host.name) is host:
            del self._hosts[host.name]
        host.turns.finish()
        self._changed.notify_all()

    def _has_room(self, host: ModelHost) -> bool:
        others = [each for each in self._present if each.has_place]
        most = self._settings.models_max
        if not others or (most is not None and len(others) >= most):
            return not others
        return fits_beside(host.needs, [each.needs for each in others])

    def _dismiss_least_used(self) -> None:
        """Dismisses the least recently used model, unless another one is already leaving."""
        placed = [host for host in self._present if host.has_place]
        staying = [host for host in placed if self._hosts.get(host.name) is host]
        if len(staying) == len(placed):
            self._dismiss(min(staying, key=lambda host: host.last_asked))

    # In the host's own thread

    def _run(self, host: ModelHost) -> None:
        try:
            try:
                with wrap_internal_errors(self._logs):
                    self._load(host)
            except Cancelled:
                self._end(host, self.not_ready())
            except UserError as error:
                self._end(host, error)
            else:
                self._note_loaded(host)
            host.answer()
        finally:
            with self._changed:
                self._dismiss(host)
                self._present.remove(host)
                self._changed.notify_all()

    def _load(self, host: ModelHost) -> None:
        """Loads the model when it is its turn and there is room."""
        with self._changed:
            self._changed.wait_for(lambda: host.cancel.cancelled or self._next_to_load() is host)
            host.cancel.check()
            loaded = [each.needs for each in self._present if each.has_place]
        with self._in_library:
            chosen = self._chooser.choose(host.model, loaded)
        with self._changed:
            host.needs = chosen.needs
            while not (host.cancel.cancelled or self._has_room(host)):
                self._dismiss_least_used()
                self._changed.wait()
            host.cancel.check()
            host.has_place = True
        host.load(chosen.choice)

    def _next_to_load(self) -> ModelHost | None:
        return next((host for host in self._present if not host.is_settled), None)

    def _note_loaded(self, host: ModelHost) -> None:
        with self._changed:
            self._failures.pop(host.name, None)
            self._changed.notify_all()

    def _end(self, host: ModelHost, error: UserError) -> None:
        """Ends a host whose model couldn't be loaded. The next request tries again."""
        with self._changed:
            if not host.cancel.cancelled:
                self._failures[host.name] = error
            host.fail(error)
            self._dismiss(host)

    def _release(self, host: ModelHost) -> None:
        """Dismisses a host that has been idle for some time."""
        with self._changed:
            if not host.completions.n_waiting:
                self._dismiss(host)

    def _note_end(self, ended: "Future[None]") -> None:
        mistake = ended.exception()
        if mistake is not None:
            self._mistake = self._mistake or mistake
            self.on_mistake()
