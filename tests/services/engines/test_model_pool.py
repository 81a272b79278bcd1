"""Which models are loaded when requests name them, and who waits for whom."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event

import pytest
from support.choices import choice_of
from support.gated_engine import PAIR, GatedEngine
from support.model_homes import small_model

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import (
    CompletionTask,
    ModelStatus,
    RequestStarted,
    ServerSettings,
    ServingEvent,
    TaskFailed,
)
from specchat.domain.errors import Cancelled, ModelLoadError, NotReadyError, UnknownModelError
from specchat.domain.loading import OnLoading
from specchat.domain.types import GenerationFinished, PairChoice
from specchat.services.engines.model_pool import ModelPool
from specchat.services.models.model_library import ModelLibrary
from specchat.services.settings.pair_chooser import PairChooser
from specchat.services.settings.pair_settings import PairSettings
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

SECONDS = 60.0
LARGE, SMALL = 320, 32
NAMES = ["alpha.gguf", "beta.gguf", "gamma.gguf", "little.gguf"]


class NamedEngine(GatedEngine):
    def __init__(self, desk: "Desk") -> None:
        super().__init__()
        self._desk = desk
        self.is_loaded = False
        self.let(1000 if desk.speaks else 0)

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        name = choice.target.name
        self._desk.loads.append(choice)
        self._desk.engines[name] = self
        if name in self._desk.broken:
            raise ModelLoadError("It is broken.", "Use another one.")
        if name in self._desk.endless:
            stopped = Event()
            with cancel.listening(stopped.set):
                stopped.wait(SECONDS)
            raise Cancelled
        self.is_loaded = True
        return replace(PAIR, target=name)

    def unload(self) -> None:
        self.is_loaded = False

    close = unload


class Client:
    def __init__(self, pool: ModelPool, model: str, words: int) -> None:
        self.events: SimpleQueue[ServingEvent] = SimpleQueue()
        self.cancel = pool.submit(CompletionTask("x", max_tokens=words), self._hear, model)

    def _hear(self, step: list[ServingEvent]) -> None:
        self.events.put(step[-1])

    def pair(self) -> PairInfo:
        """Which begins to answer."""
        event = self.events.get(timeout=SECONDS)
        assert isinstance(event, RequestStarted)
        return event.pair

    def end(self) -> ServingEvent:
        while True:
            event = self.events.get(timeout=SECONDS)
            if isinstance(event, GenerationFinished | TaskFailed):
                return event

    @property
    def waits(self) -> bool:
        with suppress(Empty):
            self.events.get_nowait()
            return False
        return True


class Desk:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        models = folder / "models"
        models.mkdir()
        for name in NAMES:
            (models / name).write_bytes(small_model(rows=SMALL if name.startswith("little") else LARGE))
        self.models = models
        self.loads: list[PairChoice] = []
        self.engines: dict[str, NamedEngine] = {}
        self.broken: set[str] = set()
        self.endless: set[str] = set()
        self.speaks = True
        self.used = PairSettings(JsonFile(folder / "pairs.json"))
        self.pool = self.open()

    def open(self, settings: ServerSettings | None = None) -> ModelPool:
        facts = JsonCache(self._folder / "facts.json"), JsonCache(self._folder / "verdicts.json")
        library = ModelLibrary(JsonFile(self._folder / "added.json"), self.models, *facts)
        chooser = PairChooser(library, self.used, lambda choice: choice)
        self.pool = ModelPool(library, chooser, lambda: NamedEngine(self), settings or ServerSettings(), self._folder)
        self.pool.refresh()
        return self.pool

    def ask(self, model: str = "", words: int = 1) -> Client:
        return Client(self.pool, model, words)

    def status(self, name: str) -> ModelStatus:
        return self.pool.find(name).status

    @property
    def loaded(self) -> set[str]:
        return {model.name for model in self.pool.models() if model.status is ModelStatus.LOADED}

    def wait_until(self, happens: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not happens():
            assert time.monotonic() < end
            time.sleep(0.002)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.pool.close()


def test_a_request_loads_its_model_with_the_best_draft(desk: Desk) -> None:
    assert [model.name for model in desk.pool.models()] == NAMES
    asked = desk.ask("alpha.gguf")
    assert asked.pair().target == "alpha.gguf"
    assert isinstance(asked.end(), GenerationFinished)
    (choice,) = desk.loads
    assert (choice.draft and choice.draft.name, choice.draft_type) == ("little.gguf", "auto")
    assert desk.pool.pair
    assert desk.pool.pair.target == "alpha.gguf"


def test_what_was_used_last_is_remembered(desk: Desk) -> None:
    used = choice_of(desk.models / "beta.gguf", draft_type="none")
    desk.used.save(replace(used, target_settings=replace(used.target_settings, n_ctx=512)))
    desk.open()
    assert desk.ask().pair().target == "beta.gguf"
    (choice,) = desk.loads
    assert (choice.draft, choice.draft_type, choice.target_settings.n_ctx) == (None, "none", 512)


def test_the_one_asked_longest_ago_makes_room(desk: Desk) -> None:
    desk.open(ServerSettings(models_max=2))
    for name in ("alpha", "beta", "alpha", "gamma"):
        desk.ask(name).end()
    desk.wait_until(lambda: desk.loaded == {"alpha.gguf", "gamma.gguf"})
    assert [choice.target.name for choice in desk.loads] == ["alpha.gguf", "beta.gguf", "gamma.gguf"]


def test_several_are_loaded_where_there_is_room(desk: Desk) -> None:
    for name in ("alpha", "beta", "gamma"):
        desk.ask(name).end()
    assert desk.loaded == {"alpha.gguf", "beta.gguf", "gamma.gguf"}


def test_running_answers_are_finished_first_and_nobody_overtakes(desk: Desk) -> None:
    desk.speaks = False
    desk.open(ServerSettings(models_max=1))
    first = desk.ask("alpha", words=2)
    first.pair()
    queued = desk.ask("alpha")
    other = desk.ask("beta")
    desk.wait_until(lambda: desk.status("beta") is ModelStatus.LOADING)
    desk.wait_until(lambda: "alpha.gguf" not in desk.pool._hosts)
    late = desk.ask("alpha")
    assert desk.pool.n_waiting == 3
    assert other.waits
    desk.engines["alpha.gguf"].let(3)
    assert isinstance(first.end(), GenerationFinished)
    assert isinstance(queued.end(), GenerationFinished)
    other.pair()
    assert late.waits
    desk.engines["beta.gguf"].let()
    assert isinstance(other.end(), GenerationFinished)
    late.pair()
    desk.engines["alpha.gguf"].let()
    assert isinstance(late.end(), GenerationFinished)
    assert [choice.target.name for choice in desk.loads] == ["alpha.gguf", "beta.gguf", "alpha.gguf"]


def test_what_cannot_be_loaded_tells_all_who_wait(desk: Desk) -> None:
    desk.broken.add("beta.gguf")
    for asked in (desk.ask("beta"), desk.ask("beta")):
        end = asked.end()
        assert isinstance(end, TaskFailed)
        assert end.error
        assert end.error.message == "It is broken."
    desk.wait_until(lambda: desk.status("beta") is ModelStatus.UNLOADED)
    failure = desk.pool.find("beta").failure
    assert failure
    assert failure.message == "It is broken."
    desk.broken.clear()
    assert isinstance(desk.ask("beta").end(), GenerationFinished)
    assert desk.pool.find("beta").failure is None


def test_a_damaged_file_is_not_offered_but_explained(desk: Desk) -> None:
    (desk.models / "damaged.gguf").write_bytes(small_model()[:-200])
    desk.pool.refresh()
    assert [model.name for model in desk.pool.models()] == NAMES
    end = desk.ask("damaged").end()
    assert isinstance(end, TaskFailed)
    assert end.error
    assert "damaged.gguf" in end.error.message
    assert not desk.loads
    assert isinstance(desk.ask("alpha").end(), GenerationFinished)


def test_idle_models_are_unloaded(desk: Desk) -> None:
    desk.open(ServerSettings(idle_unload_s=0.01))
    desk.ask("alpha").end()
    desk.wait_until(lambda: not desk.loaded and not desk.pool._present)
    assert not desk.engines["alpha.gguf"].is_loaded
    assert isinstance(desk.ask().end(), GenerationFinished)
    assert [choice.target.name for choice in desk.loads] == ["alpha.gguf"] * 2


def test_loading_and_unloading_by_hand(desk: Desk) -> None:
    assert desk.pool.load("alpha")
    desk.wait_until(lambda: desk.loaded == {"alpha.gguf"})
    assert not desk.pool.load("alpha")
    assert desk.pool.unload("alpha")
    desk.wait_until(lambda: not desk.loaded)
    assert not desk.pool.unload("alpha")


@pytest.mark.parametrize("stays", [True, False])
def test_a_file_that_is_gone_is_not_meant_where_no_model_is_named(desk: Desk, stays: bool) -> None:
    desk.ask("alpha").end()
    if not stays:
        desk.pool.unload("alpha")
        desk.wait_until(lambda: not desk.pool._present)
    (desk.models / "alpha.gguf").unlink()
    desk.pool.refresh()
    with pytest.raises(UnknownModelError, match="doesn't name a model"):
        desk.ask()


@pytest.mark.parametrize("name", ["alpha", "alpha.gguf"])
def test_a_model_whose_file_is_gone_can_be_unloaded(desk: Desk, name: str) -> None:
    for model in ("alpha", "beta"):
        desk.ask(model).end()
    (desk.models / "alpha.gguf").unlink()
    desk.pool.refresh()
    assert desk.pool.unload(name)
    desk.wait_until(lambda: len(desk.pool._present) == 1)
    assert desk.loaded == {"beta.gguf"}
    with pytest.raises(UnknownModelError):
        desk.pool.unload(name)


def test_unloading_ends_a_load(desk: Desk) -> None:
    desk.endless.add("alpha.gguf")
    asked = desk.ask("alpha")
    desk.wait_until(lambda: bool(desk.loads))
    assert desk.pool.unload("alpha")
    end = asked.end()
    assert isinstance(end, TaskFailed)
    assert isinstance(end.error, NotReadyError)
    assert desk.pool.find("alpha").failure is None
    assert isinstance(desk.ask("beta").end(), GenerationFinished)


def test_closing_ends_all_of_it(desk: Desk) -> None:
    desk.speaks = False
    desk.endless.add("beta.gguf")
    running = desk.ask("alpha", words=5)
    running.pair()
    loading, waiting = desk.ask("beta"), desk.ask("gamma")
    desk.wait_until(lambda: len(desk.loads) == 2)
    desk.pool.close()
    for asked in (loading, waiting):
        assert isinstance(asked.end(), TaskFailed)
    running.end()
    with pytest.raises(NotReadyError):
        desk.ask("alpha")


@pytest.mark.parametrize("name", ["delta", "", "../models/alpha.gguf", "/etc/passwd", "alpha.gguf/..", "\0"])
def test_unknown_names(desk: Desk, name: str) -> None:
    """None is a path, and several models are here where none is named."""
    with pytest.raises(UnknownModelError) as refused:
        desk.ask(name)
    assert refused.value.hint == f"Available: {', '.join(NAMES)}."
    with pytest.raises(UnknownModelError):
        desk.ask(str(desk.models / "alpha.gguf"))
    assert not desk.loads
