"""When a pair is loaded again by itself, and when that is left to the user."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from support.choices import choice_of

from specchat.domain.answer_tasks import ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask, EngineEvent, EngineTask, PromptPrepared
from specchat.domain.errors import Cancelled, EngineStoppedError, ModelLoadError, NotReadyError, SettingError, UserError
from specchat.domain.loading import (
    LoadAborted,
    LoadCompleted,
    LoadingEvent,
    LoadStage,
    LoadUpdate,
    OnLoading,
    PairUnloaded,
)
from specchat.domain.types import FinishReason, GenerationFinished, GenerationStats, PairChoice
from specchat.services.engines.pair_session import PairSession

CHOICE = choice_of(Path("a.gguf"))
TASK = ChatTask(())
BEGUN = PromptPrepared(1, 0)
END = GenerationFinished(FinishReason.STOP, "", GenerationStats())


def a_stop() -> EngineStoppedError:
    """The same one for all answers that it ended."""
    return EngineStoppedError("llama.cpp stopped: a fault.", "Continue.")


class ScriptedEngine:
    """What it does next is said before; otherwise all goes well."""

    def __init__(self) -> None:
        self.is_loaded = False
        self.n_loads = 0
        self.next: list[UserError | Cancelled | None] = []
        self.is_mute = False
        """It says nothing before."""
        self.while_loading: Callable[[], None] = lambda: None

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        self.n_loads += 1
        self.is_loaded = False
        progress(LoadStage.LOADING_TARGET, 0.5)
        self.while_loading()
        cancel.check()
        self._do_next()
        self.is_loaded = True
        return PairInfo(choice.target.name, None, 512, "on", "")

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        if not self.is_mute:
            yield BEGUN
        self._do_next()
        yield END

    def count(self, task: CountTask) -> ContextCount:
        self._do_next()
        return ContextCount(0, 0, (), 0, 512, 512)

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        self.unload()
        return BenchReport(plan, (), (), (), complete=False)

    def unload(self) -> None:
        self.is_loaded = False

    close = unload

    def _do_next(self) -> None:
        if self.next and (error := self.next.pop(0)) is not None:
            self.is_loaded = self.is_loaded and not isinstance(error, EngineStoppedError)
            raise error


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


@pytest.fixture
def told() -> list[LoadingEvent]:
    return []


@pytest.fixture
def session(engine: ScriptedEngine, told: list[LoadingEvent]) -> PairSession:
    session = PairSession(lambda: engine, told.append)
    session.load(CHOICE, CancelToken())
    told.clear()
    return session


def ask(session: PairSession) -> list[EngineEvent]:
    return list(session.generate(TASK, CancelToken()))


def stop(session: PairSession, engine: ScriptedEngine) -> EngineStoppedError:
    engine.next = [a_stop()]
    with pytest.raises(EngineStoppedError) as stopped:
        ask(session)
    return stopped.value


def kinds(told: list[LoadingEvent]) -> list[type]:
    return [type(event) for event in told]


def test_loading_is_told(engine: ScriptedEngine, told: list[LoadingEvent]) -> None:
    session = PairSession(lambda: engine, told.append)
    pair = session.load(CHOICE, CancelToken())
    assert told == [LoadUpdate(CHOICE, LoadStage.LOADING_TARGET, 0.5), LoadCompleted(CHOICE, pair)]
    assert session.pair == pair


@pytest.mark.parametrize("error", [ModelLoadError("Broken.", "Choose another."), Cancelled()])
def test_a_load_that_fails_leaves_nothing(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent], error: UserError | Cancelled
) -> None:
    engine.next = [error]
    with pytest.raises(type(error)):
        session.load(CHOICE, CancelToken())
    assert told[-1] == LoadAborted(CHOICE, error if isinstance(error, UserError) else None)
    assert session.pair is None
    with pytest.raises(SettingError, match="No model is loaded"):
        ask(session)


def test_after_a_stop_it_is_loaded_at_once(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    stopped = stop(session, engine)
    session.recover(stopped, CancelToken())
    assert kinds(told) == [LoadUpdate, LoadCompleted]
    assert ask(session) == [BEGUN, END]
    assert engine.n_loads == 2


def test_stopped_twice_without_an_answer_it_is_left_to_the_user(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    for _ in range(2):
        stopped = stop(session, engine)
        session.recover(stopped, CancelToken())
    assert kinds(told) == [LoadUpdate, LoadCompleted, LoadAborted]
    assert engine.n_loads == 2
    assert ask(session) == [BEGUN, END], "who asks nevertheless, is answered"
    assert engine.n_loads == 3
    stopped = stop(session, engine)
    session.recover(stopped, CancelToken())
    assert kinds(told)[-1] is LoadCompleted, "an answer was finished since"


def test_a_stop_that_only_a_question_finds_out_costs_no_answer(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    engine.is_mute = True
    engine.next = [a_stop()]
    assert ask(session) == [END]
    assert kinds(told) == [LoadUpdate, LoadCompleted]
    engine.next = [a_stop(), None, a_stop()]
    with pytest.raises(EngineStoppedError):
        ask(session)
    assert engine.n_loads == 3, "what ends it each time is not tried for ever"


def test_one_that_ended_several_answers_is_recovered_from_once(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    stopped = a_stop()
    answers = [session.generate(TASK, CancelToken()) for _ in range(3)]
    assert [next(answer) for answer in answers] == [BEGUN] * 3
    engine.next = [stopped] * 3
    for answer in answers:
        with pytest.raises(EngineStoppedError):
            next(answer)
    engine.next = [a_stop()]
    with pytest.raises(EngineStoppedError):
        session.recover(stopped, CancelToken())
    for _ in answers[1:]:
        session.recover(stopped, CancelToken())
    assert engine.n_loads == 2
    assert kinds(told)[-1] is LoadAborted


def test_who_hears_of_the_end_does_not_wait_for_who_loads_again(session: PairSession, engine: ScriptedEngine) -> None:
    ended, loads, may_load = session.generate(TASK, CancelToken()), Event(), Event()
    assert next(ended) == BEGUN
    engine.next = [a_stop()]
    engine.is_loaded = False

    def load_slowly() -> None:
        loads.set()
        may_load.wait()

    engine.while_loading = load_slowly
    with ThreadPoolExecutor(2) as clients:
        try:
            asking = clients.submit(ask, session)
            loads.wait()
            with pytest.raises(EngineStoppedError):
                clients.submit(next, ended).result(30)
        finally:
            may_load.set()
        assert asking.result() == [BEGUN, END]


def test_what_fails_while_it_recovers_is_told(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    stopped, again = stop(session, engine), a_stop()
    engine.next = [again]
    with pytest.raises(EngineStoppedError):
        session.recover(stopped, CancelToken())
    assert told[-1] == LoadAborted(CHOICE, again)
    assert ask(session) == [BEGUN, END]


def test_what_was_unloaded_is_loaded_by_the_next_question_but_not_to_count(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    session.unload()
    with pytest.raises(NotReadyError):
        session.count(CountTask(()))
    assert ask(session) == [BEGUN, END]
    assert kinds(told) == [PairUnloaded, LoadUpdate, LoadCompleted]
    assert session.count(CountTask(())).n_ctx == 512


def test_a_load_that_nobody_asked_for_is_stopped_for_good(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    stopped = stop(session, engine)
    engine.while_loading = session.stop_loading
    with pytest.raises(Cancelled):
        session.recover(stopped, CancelToken())
    assert told[-1] == LoadAborted(CHOICE, None)
    assert session.pair is None
    with pytest.raises(SettingError):
        ask(session)


def test_who_stops_an_answer_stops_its_load_too_but_the_next_one_loads_again(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    session.unload()
    cancel = CancelToken()
    engine.while_loading = cancel.cancel
    with pytest.raises(Cancelled):
        list(session.generate(TASK, cancel))
    engine.while_loading = lambda: None
    assert ask(session) == [BEGUN, END]


def test_a_mistake_while_loading_does_not_leave_it_loading(
    session: PairSession, engine: ScriptedEngine, told: list[LoadingEvent]
) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    engine.while_loading = fail
    with pytest.raises(ZeroDivisionError):
        session.load(CHOICE, CancelToken())
    assert told[-1] == LoadAborted(CHOICE, None)


def test_a_benchmark_takes_the_pair_away(session: PairSession) -> None:
    session.bench(BenchPlan((), ()), lambda _: None, CancelToken())
    assert session.pair is None
    with pytest.raises(SettingError):
        ask(session)


def test_an_engine_that_was_never_needed_is_not_made() -> None:
    session = PairSession(lambda: pytest.fail("it is not needed"))
    session.unload()
    session.close()
