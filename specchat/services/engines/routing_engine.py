"""Engine that loads each target where it is: on this computer, or in another engine."""

from collections.abc import Callable, Generator

from specchat.domain.answer_tasks import ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import Engine, EngineEvent, EngineTask
from specchat.domain.loading import OnLoading
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.services.lazy import Lazy


class RoutingEngine:
    """Benchmarks run in the local engine, which asks other engines itself."""

    def __init__(self, make_local: Callable[[], Engine], make_remote: Callable[[], Engine]) -> None:
        self._local, self._remote = Lazy(make_local), Lazy(make_remote)
        self._is_remote = False

    @property
    def is_loaded(self) -> bool:
        return self._current.is_loaded

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        self.unload()
        self._is_remote = isinstance(choice.target, ServedModel)
        return self._current.load(choice, cancel, progress)

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        return self._current.generate(task, cancel)

    def count(self, task: CountTask) -> ContextCount:
        return self._current.count(task)

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        self.unload()
        self._is_remote = False
        return self._current.bench(plan, on_progress, cancel)

    def unload(self) -> None:
        for engine in (self._local.created_value, self._remote.created_value):
            if engine is not None:
                engine.unload()

    def close(self) -> None:
        for engine in (self._local.created_value, self._remote.created_value):
            if engine is not None:
                engine.close()

    @property
    def _current(self) -> Engine:
        return self._remote() if self._is_remote else self._local()
