"""Several answers at once from an engine in a process of its own: each as if it were alone."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import psutil
import pytest
from support import chat_templates
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_pair
from support.pairs import DRAFT, EXACT
from support.vocabularies import BpeVocab

from specchat.container import Container
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import Completions, CompletionTask, OnWaiting, ServerSettings, ServingEvent
from specchat.domain.errors import EngineStoppedError
from specchat.domain.types import FinishReason, GenerationFinished, PairChoice, SamplingParams, TokenEvent
from specchat.services.engines.queued_completions import serve
from specchat.services.engines.subprocess_engine import SubprocessEngine
from specchat.store.paths import Paths

RECIPE = ModelRecipe(
    vocab=BpeVocab(control=("<|endoftext|>", "<|im_start|>", "<|im_end|>")), chat_template=chat_templates.CHATML
)
N_SLOTS = 3
TASKS = [
    CompletionTask(
        f"{'Once upon a time there was. ' * (1 + 7 * (i % 3))}{i}",
        SamplingParams(temperature=0.0 if i % 2 else 0.8, seed=i, repeat_penalty=1.1),
        max_tokens=8 + 9 * (i % 4),
        ignore_eos=True,
    )
    for i in range(8)
]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Paths:
    home = tmp_path_factory.mktemp("home")
    return Paths(*(home / name for name in ("data", "config", "cache", "logs")))


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=RECIPE)
    return choice_of(target, draft, replace(EXACT, slots=N_SLOTS, threads=1), replace(DRAFT, threads=1))


@pytest.fixture
def engine(places: Paths, choice: PairChoice) -> Iterator[SubprocessEngine]:
    with closing(SubprocessEngine(places)) as engine:
        pair = engine.load(choice, CancelToken(), lambda *_: None)
        assert pair.n_slots == N_SLOTS
        yield engine


def answered(engine: SubprocessEngine, task: CompletionTask, cancel: CancelToken) -> list[int]:
    return [event.token for event in engine.generate(task, cancel) if isinstance(event, TokenEvent)]


def test_the_text_of_each_is_that_of_its_request_alone(
    engine: SubprocessEngine, places: Paths, choice: PairChoice
) -> None:
    settings = replace(choice.target_settings, slots=1)
    with closing(Container(places).engine()) as by_itself:
        by_itself.load(replace(choice, target_settings=settings, draft_type="none"), CancelToken(), lambda *_: None)
        expected = [
            [event.token for event in by_itself.generate(task, CancelToken()) if isinstance(event, TokenEvent)]
            for task in TASKS
        ]
    with ThreadPoolExecutor(len(TASKS)) as clients:
        found = list(clients.map(lambda task: answered(engine, task, CancelToken()), TASKS))
    assert found == expected


def test_who_cancels_ends_nobody_elses_answer(engine: SubprocessEngine) -> None:
    cancel = CancelToken()

    def cancelled() -> FinishReason | None:
        reason = None
        for event in engine.generate(replace(TASKS[0], max_tokens=400), cancel):
            if isinstance(event, TokenEvent):
                cancel.cancel()
            elif isinstance(event, GenerationFinished):
                reason = event.reason
        return reason

    with ThreadPoolExecutor(3) as clients:
        others = [clients.submit(answered, engine, task, CancelToken()) for task in TASKS[1:3]]
        assert clients.submit(cancelled).result() is FinishReason.CANCELLED
        assert [len(other.result()) for other in others] == [task.max_tokens for task in TASKS[1:3]]


def test_where_the_process_dies_all_are_told(engine: SubprocessEngine) -> None:
    assert engine.pid is not None

    def killing() -> None:
        for event in engine.generate(replace(TASKS[0], max_tokens=400), CancelToken()):
            if isinstance(event, TokenEvent) and engine.pid is not None:
                os.kill(engine.pid, signal.SIGKILL)

    with ThreadPoolExecutor(3) as clients:
        asked = [clients.submit(answered, engine, replace(TASKS[i], max_tokens=450), CancelToken()) for i in (1, 2)]
        asked.append(clients.submit(killing))  # type: ignore[arg-type]
        for each in asked:
            with pytest.raises(EngineStoppedError):
                each.result()
    assert not engine.is_loaded


def test_who_hears_late_of_the_end_takes_nothing_from_who_loaded_again(
    engine: SubprocessEngine, choice: PairChoice
) -> None:
    late = engine.generate(replace(TASKS[0], max_tokens=400), CancelToken())
    next(late)
    psutil.Process(engine.pid).kill()
    while engine.is_loaded:
        time.sleep(0.01)
    engine.load(choice, CancelToken(), lambda *_: None)
    loaded = engine.pid
    with pytest.raises(EngineStoppedError, match="the system stopped it"):
        list(late)
    assert engine.is_loaded
    assert engine.pid == loaded
    assert len(answered(engine, TASKS[1], CancelToken())) == TASKS[1].max_tokens


def test_who_asks_after_another_met_the_end_is_told_of_it(engine: SubprocessEngine) -> None:
    first = engine.generate(replace(TASKS[0], max_tokens=400), CancelToken())
    next(first)
    psutil.Process(engine.pid).kill()
    with pytest.raises(EngineStoppedError) as met:
        list(first)
    with pytest.raises(EngineStoppedError) as told:
        answered(engine, TASKS[1], CancelToken())
    assert told.value is met.value


def test_memory_and_handles_stay_flat(engine: SubprocessEngine) -> None:
    def ask_all() -> tuple[int, int]:
        with ThreadPoolExecutor(len(TASKS)) as clients:
            list(clients.map(lambda task: answered(engine, task, CancelToken()), TASKS))
        process = psutil.Process(engine.pid)
        return process.memory_info().rss, process.num_fds()

    for _ in range(2):
        memory, handles = ask_all()
    for _ in range(3):
        later, handles_later = ask_all()
    assert handles_later == handles
    assert later - memory < 8 << 20


class Fault(Exception):
    pass


class FaultyServer:
    """Its mistake ends one of the threads that answer."""

    url = "http://127.0.0.1:0"

    def __init__(self, settings: ServerSettings, completions: Completions) -> None:
        self._completions = completions
        self.is_ready, self._is_stopped = threading.Event(), threading.Event()

    def run(self, waits: OnWaiting = lambda by_ctrl_c: None) -> None:
        assert self.is_ready.wait(60)
        self._completions.submit(TASKS[0], self._hear)
        assert self._is_stopped.wait(60)

    def _hear(self, events: list[ServingEvent]) -> None:
        raise Fault

    def stop(self) -> None:
        self._is_stopped.set()


def test_a_thread_that_ends_by_a_mistake_ends_the_server(places: Paths, choice: PairChoice) -> None:
    """The others would go on, and nobody would notice."""
    servers: list[FaultyServer] = []

    def make_server(settings: ServerSettings, completions: Completions) -> FaultyServer:
        servers.append(FaultyServer(settings, completions))
        return servers[0]

    with pytest.raises(Fault):
        serve(
            choice,
            ServerSettings(),
            lambda *_: None,
            lambda *_: servers[0].is_ready.set(),
            lambda _: None,
            make_engine=lambda: SubprocessEngine(places),
            make_server=make_server,
            logs=places.logs,
        )
