"""The engine's process dies, hangs, or runs out of memory: that ends an answer, and nothing else."""

import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from support.choices import choice_of
from support.ggufs import make_pair
from support.known_loads import known_loads

from specchat.domain.answer_tasks import CountTask
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import QueryAnswered, TokenizeQuery
from specchat.domain.engine import ChatTask, EngineEvent
from specchat.domain.errors import EngineStoppedError, UserError
from specchat.domain.types import (
    GenerationFinished,
    Message,
    ModelSettings,
    PairChoice,
    PromptProgress,
    Role,
    SamplingParams,
)
from specchat.domain.types import TokenEvent as Token
from specchat.services.engines.subprocess_engine import EngineTimeouts, SubprocessEngine, _Watch
from specchat.store.paths import Paths

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")

SETTINGS = ModelSettings(n_ctx=512, threads=1)
TASK = ChatTask((Message(Role.USER, "Tell me more."),), SamplingParams(temperature=0), 200)
Kill = Callable[[int], None]
SECONDS = 60.0


def send(number: signal.Signals) -> Kill:
    return lambda pid: os.kill(pid, number)


def take_memory(pid: int) -> None:
    """Whatever it asks for next, there is none."""
    psutil.Process(pid).rlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))


WAYS = {
    "ABRT": (send(signal.SIGABRT), "Aborted"),
    "SEGV": (send(signal.SIGSEGV), "Segmentation fault"),
    "KILL": (send(signal.SIGKILL), "the system stopped it, possibly because memory ran out"),
    "STOP": (send(signal.SIGSTOP), "its process was suspended"),
}


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"))
    return choice_of(target, draft, SETTINGS, SETTINGS, "model", 3)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SubprocessEngine]:
    places = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    timeouts = EngineTimeouts(counting_s=5.0, stopped_s=1.0, ending_s=5.0, pass_s=5.0)
    with known_loads(places.cache), closing(SubprocessEngine(places, timeouts)) as engine:
        yield engine


def load(engine: SubprocessEngine, choice: PairChoice) -> None:
    engine.load(choice, CancelToken(), lambda *_: None)


def pid_of(engine: SubprocessEngine) -> int:
    assert engine.pid is not None
    return engine.pid


def ask(
    engine: SubprocessEngine,
    kind: type[EngineEvent],
    do: Callable[[], None],
    *,
    after: int = 1,
    cancel: CancelToken | None = None,
) -> None:
    """`do`: at so many events of a kind."""
    seen = 0
    for event in engine.generate(TASK, cancel or CancelToken()):
        seen += isinstance(event, kind)
        if isinstance(event, kind) and seen == after:
            do()


def answers(engine: SubprocessEngine) -> bool:
    *_, end = engine.generate(TASK, CancelToken())
    return isinstance(end, GenerationFinished) and end.stats.n_generated > 10


@pytest.mark.parametrize("way", WAYS)
def test_amid_an_answer(engine: SubprocessEngine, choice: PairChoice, way: str) -> None:
    kill, reason = WAYS[way]
    load(engine, choice)
    process = psutil.Process(pid_of(engine))
    with pytest.raises(EngineStoppedError) as stopped:
        ask(engine, Token, lambda: kill(process.pid), after=5)
    assert stopped.value.message == f"llama.cpp stopped: {reason}."
    assert not engine.is_loaded
    assert not process.is_running()
    load(engine, choice)
    assert answers(engine)


def test_of_several_answers_each_says_why(engine: SubprocessEngine, choice: PairChoice) -> None:
    load(engine, replace(choice, target_settings=replace(SETTINGS, slots=2)))
    said: list[str] = []

    def answer() -> None:
        with pytest.raises(EngineStoppedError) as stopped:
            list(engine.generate(TASK, CancelToken()))
        said.append(stopped.value.message)

    os.kill(pid_of(engine), signal.SIGSTOP)
    threads = [threading.Thread(target=answer) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert said == ["llama.cpp stopped: its process was suspended."] * 3


def test_what_was_suspended_together_goes_on(engine: SubprocessEngine, choice: PairChoice) -> None:
    """The engine wakes a moment after this process does."""
    load(engine, choice)
    running = engine._running
    assert running is not None
    watch = _Watch(running, EngineTimeouts(stopped_s=1.0), 60.0)
    os.kill(pid_of(engine), signal.SIGSTOP)
    watch._looked -= 40.0
    assert watch._judge() is None
    os.kill(pid_of(engine), signal.SIGCONT)
    assert answers(engine)


@pytest.mark.parametrize("way", ["ABRT", "STOP"])
def test_while_it_loads(engine: SubprocessEngine, choice: PairChoice, way: str) -> None:
    killed: list[int] = []

    def progress(*_: object) -> None:
        if not killed:
            killed.append(pid_of(engine))
            WAYS[way][0](killed[0])

    with pytest.raises(EngineStoppedError, match="llama.cpp stopped"):
        engine.load(choice, CancelToken(), progress)
    load(engine, choice)
    assert answers(engine)


def test_while_it_reads_the_prompt(engine: SubprocessEngine, choice: PairChoice) -> None:
    load(engine, choice)
    with pytest.raises(EngineStoppedError):
        ask(engine, PromptProgress, lambda: os.kill(pid_of(engine), signal.SIGSEGV))
    load(engine, choice)
    assert answers(engine)


@pytest.mark.parametrize("way", ["KILL", "STOP"])
def test_while_it_rests(engine: SubprocessEngine, choice: PairChoice, way: str) -> None:
    load(engine, choice)
    WAYS[way][0](pid_of(engine))
    if way == "STOP":
        with pytest.raises(EngineStoppedError, match="stopped"):
            engine.count(CountTask(TASK.messages))
    else:
        psutil.Process(pid_of(engine)).wait(10)
    assert not engine.is_loaded
    load(engine, choice)
    assert answers(engine)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of other processes are Linux's")
def test_out_of_memory(engine: SubprocessEngine, choice: PairChoice) -> None:
    load(engine, choice)
    take_memory(pid_of(engine))
    long = ChatTask((Message(Role.USER, "word " * 100_000),), SamplingParams(temperature=0), 8)
    with pytest.raises(UserError) as failed:
        list(engine.generate(long, CancelToken()))
    if isinstance(failed.value, EngineStoppedError):  # Python may wait for ever for a thread that could not begin
        assert any(words in failed.value.message for words in ("out of memory", "no progress"))
    load(engine, choice)
    assert answers(engine)


def test_what_does_not_end_when_it_is_cancelled_is_ended(engine: SubprocessEngine, choice: PairChoice) -> None:
    load(engine, choice)
    cancel = CancelToken()

    def stop() -> None:
        os.kill(pid_of(engine), signal.SIGSTOP)
        cancel.cancel()

    with pytest.raises(EngineStoppedError):
        ask(engine, Token, stop, cancel=cancel)
    assert not engine.is_loaded


def test_a_process_that_hangs(engine: SubprocessEngine, choice: PairChoice, tmp_path: Path) -> None:
    """It goes on, but says nothing: no pass ends."""
    places = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    with closing(SubprocessEngine(places, EngineTimeouts(stopped_s=60.0, pass_s=1.0, slower=0.0))) as impatient:
        load(impatient, choice)
        with pytest.raises(EngineStoppedError, match="no progress for"):
            ask(impatient, Token, lambda: os.kill(pid_of(impatient), signal.SIGSTOP))


def test_what_is_looked_up_waits_for_the_pass_of_an_answer(choice: PairChoice, tmp_path: Path) -> None:
    """Which takes its time on a slow computer."""
    places = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    with closing(SubprocessEngine(places, EngineTimeouts(counting_s=1.0, stopped_s=60.0))) as engine:
        load(engine, choice)
        found = list[EngineEvent]()

        def look_up() -> None:
            os.kill(pid_of(engine), signal.SIGSTOP)
            threading.Timer(4.0, os.kill, (pid_of(engine), signal.SIGCONT)).start()
            found.extend(engine.generate(TokenizeQuery("hello"), CancelToken()))

        ask(engine, Token, look_up, after=5)
        assert isinstance(found[-1], QueryAnswered)
        assert engine.is_loaded


def test_the_memory_comes_back(engine: SubprocessEngine, choice: PairChoice) -> None:
    load(engine, choice)
    process = psutil.Process(pid_of(engine))
    family = [process, *process.children(recursive=True)]
    engine.unload()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert not alive
    assert engine.pid is None
