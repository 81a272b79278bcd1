"""The pane with the real services behind it: files made for the test, and a Hub on this machine."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import close_session
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QTextEdit
from pytestqt.qtbot import QtBot
from support.ggufs import ModelRecipe, make_model
from support.hub import LocalHub

from specchat.services.drafts.draft_candidates import PairOffer
from specchat.services.drafts.known_pairs import KnownModel, KnownPair, KnownPairs
from specchat.services.hub.hub import Hub
from specchat.services.memory.offer_finder import OfferFinder
from specchat.services.models.model_library import ModelLibrary
from specchat.sources.hugging_face import HuggingFace
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile
from specchat.ui.models.cards import CardList
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.pair_cards import PairCard
from specchat.ui.models.pairs_controller import PairsController
from specchat.ui.models.pairs_pane import PairsPane

TARGET = ModelRecipe(n_layer=4, name="Sea 8B")
DRAFT = replace(TARGET, n_layer=1, name="Sea 1B")
REPO, FILE = "someone/Lake-GGUF", "lake-Q8_0.gguf"
LAKE, DROP = f"{REPO}:{FILE}", "someone/Drop-GGUF:drop-Q8_0.gguf"


class Place:
    def __init__(self, folder: Path, endpoint: str) -> None:
        self.folder = folder
        facts, verdicts = (JsonCache(folder / f"{name}.json") for name in ("facts", "verdicts"))
        self.library = ModelLibrary(JsonFile(folder / "added.json"), folder / "own", facts, verdicts)
        (folder / "shipped.json").write_text('{"version": 1, "pairs": []}')
        self.known = KnownPairs(folder / "shipped.json", JsonFile(folder / "pairs.json"))
        hub = Hub(HuggingFace(lambda: None, endpoint))
        self.pane = PairsPane(ManagerRequests())
        runnable = OfferFinder(self.library, self.known)
        self.control = PairsController(self.pane, lambda: runnable, lambda: self.known, lambda: hub, folder)
        box = self.pane.findChild(QCheckBox, "onlyFittingBox")
        assert isinstance(box, QCheckBox)
        box.setChecked(False)

    def make(self, recipe: ModelRecipe) -> Path:
        (self.folder / "own").mkdir(exist_ok=True)
        return make_model(self.folder / "own" / f"{recipe.name}.gguf", recipe)

    def know(self, target: KnownModel, draft: KnownModel) -> None:
        self.known.add(KnownPair(target, draft))

    def offers(self) -> list[PairOffer]:
        shown = self.pane.findChild(CardList, "pairList")
        assert isinstance(shown, CardList)
        return [card.offer for card in shown.cards if isinstance(card, PairCard)]

    def listed(self, qtbot: QtBot, count: int) -> list[PairOffer]:
        self.control.refresh()
        qtbot.waitUntil(lambda: len(self.offers()) == count)
        return self.offers()

    def words(self) -> str:
        return "\n".join(label.text() for label in self.pane.findChildren(QLabel) if not label.isHidden())

    def problem(self) -> str:
        parts = (self.pane.findChild(QTextEdit, f"problem{part}") for part in ("Message", "Hint"))
        return " ".join(part.toPlainText() for part in parts if isinstance(part, QTextEdit))


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as hub:
        yield hub
    close_session()


@pytest.fixture
def place(qtbot: QtBot, local: LocalHub, tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path, local.endpoint)
    qtbot.addWidget(made.pane)
    made.pane.show()
    yield made
    made.control.close()


def test_known_pairs_and_those_that_are_here(qtbot: QtBot, place: Place) -> None:
    target, draft = place.make(TARGET), place.make(DRAFT)
    place.know(KnownModel("a/Pond-GGUF", name="Pond", parameters=10**9), KnownModel("a/Drop-GGUF", parameters=10**8))
    pond, sea = sorted(place.listed(qtbot, 2), key=lambda offer: offer.target.name)
    assert (pond.target.name, pond.own) == ("Pond", True)
    with qtbot.waitSignal(place.control.pair_requested) as wanted:
        place.pane.requests.pair_requested.emit(sea)
    assert wanted.args == [str(target), str(draft)]


def test_a_model_without_a_draft_is_used_as_target(qtbot: QtBot, place: Place) -> None:
    target = place.make(TARGET)
    place.control.refresh()
    qtbot.waitUntil(lambda: "Sea 8B" in place.words())
    with qtbot.waitSignal(place.pane.requests.target_requested) as wanted:
        button = place.pane.findChild(QPushButton, "useAsTargetButton")
        assert button is not None
        button.click()
    assert wanted.args == [str(target)]


def test_the_hub_is_asked_which_file_is_meant(qtbot: QtBot, place: Place, local: LocalHub, tiny_llama: Path) -> None:
    local.add(REPO, {FILE: tiny_llama})
    draft = place.make(DRAFT)
    place.know(KnownModel(REPO, name="Lake", parameters=10**9, quantization="Q8_0"), KnownModel(file=str(draft)))
    (offer,) = place.listed(qtbot, 1)
    assert offer.target.reference == REPO
    with qtbot.waitSignal(place.control.pair_requested) as wanted:
        place.pane.requests.pair_requested.emit(offer)
        assert "Looking up files on Hugging Face…" in place.words()
    assert wanted.args == [LAKE, str(draft)]
    assert "Asking" not in place.words()


def test_asking_can_be_given_up(qtbot: QtBot, place: Place, local: LocalHub, tiny_llama: Path) -> None:
    local.add(REPO, {FILE: tiny_llama})
    place.know(KnownModel(REPO, name="Lake", parameters=10**9), KnownModel("someone/Drop-GGUF", parameters=10**8))
    (offer,) = place.listed(qtbot, 1)
    with qtbot.assertNotEmitted(place.control.pair_requested):
        place.pane.requests.pair_requested.emit(offer)
        place.pane.requests.lookup_cancelled.emit(offer)
        place.control.close()
    assert "Asking" not in place.words()


def test_what_the_hub_no_longer_has_is_wished_all_the_same(qtbot: QtBot, place: Place) -> None:
    """Beside it the pair is shown, with what is wrong: the one before must not look as if it were this one."""
    place.know(KnownModel(REPO, name="Lake", parameters=10**9), KnownModel("someone/Drop-GGUF", parameters=10**8))
    (offer,) = place.listed(qtbot, 1)
    with qtbot.waitSignal(place.control.pair_requested) as wanted:
        place.pane.requests.pair_requested.emit(offer)
    assert wanted.args == [REPO, "someone/Drop-GGUF"]
    assert "Asking" not in place.words()
    assert len(place.offers()) == 1


def test_a_pair_that_names_its_files_needs_no_answer(qtbot: QtBot, place: Place, local: LocalHub) -> None:
    place.pane.requests.pair_entered.emit(LAKE, DROP)
    qtbot.waitUntil(lambda: len(place.offers()) == 1)
    with qtbot.waitSignal(place.control.pair_requested) as wanted:
        place.pane.requests.pair_requested.emit(place.offers()[0])
    assert wanted.args == [LAKE, DROP]
    assert local.requests == []


def test_an_own_pair_comes_and_goes(qtbot: QtBot, place: Place) -> None:
    draft = place.make(replace(DRAFT, name="Drop"))
    place.pane.requests.pair_entered.emit("me/Sea-7B-GGUF:sea-7b-Q4_K_M.gguf", str(draft))
    qtbot.waitUntil(lambda: len(place.offers()) == 1)
    (offer,) = place.offers()
    assert (offer.target.quantization, offer.target.parameters, offer.own) == ("Q4_K_M", 7 * 10**9, True)
    assert (offer.draft.name, offer.draft.here) == ("Drop", True)
    place.pane.requests.pair_removal_requested.emit(offer)
    qtbot.waitUntil(lambda: not place.offers())
    assert place.known.pairs() == []


def test_of_two_own_pairs_only_one_goes(qtbot: QtBot, place: Place) -> None:
    for file in ("drop-Q8_0.gguf", "drop-Q4_0.gguf"):
        place.pane.requests.pair_entered.emit(LAKE, f"someone/Drop-GGUF:{file}")
    qtbot.waitUntil(lambda: len(place.offers()) == 2)
    kept, gone = place.offers()
    place.pane.requests.pair_removal_requested.emit(gone)
    qtbot.waitUntil(lambda: place.offers() == [kept])


def test_a_pair_that_cannot_be_kept_is_explained(qtbot: QtBot, place: Place) -> None:
    add = place.pane.findChild(QPushButton, "addPairButton")
    assert isinstance(add, QPushButton)
    add.click()
    place.pane.requests.pair_entered.emit(LAKE, LAKE.upper().replace("GGUF:LAKE-Q8_0.GGUF", "GGUF:lake-Q8_0.gguf"))
    problem = place.pane.findChild(QLabel, "pairDialogProblem")
    assert isinstance(problem, QLabel)
    qtbot.waitUntil(lambda: "the same model" in problem.text())
