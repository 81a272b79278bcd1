from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.engine_scenes import BOX, ENTRIES, OF_BOX
from support.gated_engine import PAIR
from ui.pair.examples import DRAFTS, OTHER, SMALL, TARGET, fit_of
from ui.pair.pickers import CHOICE, find, pick, titles

from specchat.domain.model_ref import ServedModel
from specchat.domain.types import Device, ModelSettings, PairChoice
from specchat.services.connections.connection_registry import ConnectionRegistry
from specchat.services.connections.connections import Connections
from specchat.services.connections.engine_keys import EngineKeys
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import DraftOption, Fit, PairFit
from specchat.services.settings.pair_settings import PairSettings
from specchat.sources.engine_http import EngineHttp
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.pair.pair_button import PairButton
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.pair.picker_controller import PickerController
from specchat.ui.session import Session
from specchat.ui.threads.task_queue import TaskQueue


class Library(ModelLibrary):
    def draft_options(self, target: Path) -> list[DraftOption]:
        return list(DRAFTS if target == TARGET.path else DRAFTS[:1])

    def with_best_draft(self, choice: PairChoice) -> PairChoice:
        return choice


class Fits(FitEstimator):
    asked: list[object]

    def fit(self, models: object, machine: Sequence[Device] = (), loaded: PairChoice | None = None) -> PairFit:
        self.asked.append(models)
        return fit_of(Fit.TIGHT)


@pytest.fixture
def fits() -> Fits:
    made = Fits()
    made.asked = []
    return made


@pytest.fixture
def settings(tmp_path: Path) -> PairSettings:
    return PairSettings(JsonFile(tmp_path / "pairs.json"))


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def controller(
    qtbot: QtBot, session: Session, picker: PairPicker, settings: PairSettings, fits: Fits, tmp_path: Path
) -> Iterator[PickerController]:
    facts = JsonCache(tmp_path / "facts.json")
    library = Library(JsonFile(tmp_path / "added.json"), tmp_path, facts, facts)
    tasks = TaskQueue(tmp_path)
    button = PairButton()
    qtbot.addWidget(button)
    http, registry = EngineHttp(), ConnectionRegistry(JsonFile(tmp_path / "engines.json"))
    engines = EngineList(lambda: Connections(http, registry, EngineKeys({})), tmp_path)
    yield PickerController(session, picker, button, tasks, library, settings, lambda: fits, lambda: None, engines)
    tasks.close()
    engines.close()


def test_what_is_unloaded_can_be_loaded(
    qtbot: QtBot, session: Session, picker: PairPicker, controller: PickerController
) -> None:
    session.set_pair(PAIR, CHOICE)
    button = find(picker, QPushButton, "loadButton")
    for is_unloaded, words in ((False, "Reload"), (True, "Load")):
        session.is_unloaded = is_unloaded
        controller.open()
        picker.show_choice(CHOICE, DRAFTS)
        assert button.text() == words


def test_drafts_that_come_too_late_are_left_out(qtbot: QtBot, picker: PairPicker, controller: PickerController) -> None:
    heard: list[PairChoice] = []
    picker.choice_changed.connect(heard.append)
    pick(picker, "targetList", OTHER.ref)
    pick(picker, "targetList", SMALL.ref)
    qtbot.waitUntil(lambda: titles(picker, "draftList") == ["Automatic"])
    pick(picker, "targetList", TARGET.ref)
    qtbot.waitUntil(lambda: len(titles(picker, "draftList")) == len(DRAFTS))
    assert {choice.target for choice in heard} <= {SMALL.ref, TARGET.ref}


def test_drafts_that_come_too_late_do_not_replace_a_model_of_an_engine(
    qtbot: QtBot, picker: PairPicker, controller: PickerController
) -> None:
    """Typing its name may choose others on the way to it."""
    engine_model = ServedModel(BOX, OF_BOX.models[0].id)
    picker.show_engines(ENTRIES)
    pick(picker, "targetList", OTHER.ref)
    pick(picker, "targetList", engine_model)
    done: list[None] = []
    controller._tasks.run(lambda: None, done.append, lambda error: pytest.fail(str(error)))
    qtbot.waitUntil(lambda: bool(done))
    assert picker.target == engine_model


def test_what_is_chosen_is_measured(qtbot: QtBot, picker: PairPicker, controller: PickerController, fits: Fits) -> None:
    context = find(picker, QComboBox, "contextSize")
    context.setCurrentText("8,192 tokens")
    qtbot.waitUntil(lambda: "Tight" in find(picker, MemoryBar, "fitBar").words())
    (asked,) = fits.asked
    assert isinstance(asked, PairChoice)
    assert asked.target_settings.n_ctx == 8192


def test_an_added_draft_has_settings_of_its_own(
    qtbot: QtBot, picker: PairPicker, controller: PickerController, settings: PairSettings
) -> None:
    on_draft = ModelSettings(gpu_layers=3)
    settings.save(choice_of(TARGET.path, OTHER.path, ModelSettings(n_ctx=2048), on_draft, draft_max=4))
    picker.show_choice(CHOICE, DRAFTS)
    with qtbot.waitSignal(picker.choice_changed) as changed:
        controller.select_added(SMALL.ref)
    (choice,) = changed.args or [None]
    assert isinstance(choice, PairChoice)
    assert (choice.draft, choice.draft_max, choice.draft_settings.gpu_layers) == (SMALL.ref, None, None)
    assert choice.target_settings.n_ctx == 2048
