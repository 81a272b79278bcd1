from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event, current_thread, main_thread

import pytest
from pytestqt.qtbot import QtBot
from support.hub import LocalHub
from ui.pair.pair_editor.planning import PATIENCE_MS, Desk, size_of

from specchat.domain.cancel_token import CancelToken
from specchat.services.drafts.draft_candidates import DraftCandidate, DraftSearchResult, ModelLocation
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.models.pair_fit import DraftVerdict
from specchat.ui.models.cards import CardList


class Finder:
    """Finds what it is told, bit by bit."""

    def __init__(self, first: DraftCandidate, second: DraftCandidate) -> None:
        self.first, self.second = first, second
        self.targets: list[str] = []
        self.go_on = Event()

    def __call__(self, target: str, cancel: CancelToken, found: "object") -> DraftSearchResult:
        assert current_thread() is not main_thread()
        assert callable(found)
        self.targets.append(target)
        found([self.first])
        with cancel.listening(self.go_on.set):
            assert self.go_on.wait(PATIENCE_MS / 1000)
        cancel.check()
        return DraftSearchResult((self.first, self.second))


def candidate(path: Path, verdict: DraftVerdict) -> DraftCandidate:
    return DraftCandidate(
        str(path), path.stem, size_of(path), "Q8_0", ModelLocation.HERE, False, verdict, "Because.", None, None
    )


@pytest.fixture
def finder(models: Path) -> Finder:
    return Finder(
        candidate(models / "draft.gguf", DraftVerdict.IDENTICAL),
        candidate(models / "other.gguf", DraftVerdict.INCOMPATIBLE),
    )


@pytest.fixture
def finding(qtbot: QtBot, fits: FitEstimator, local: LocalHub, tmp_path: Path, finder: Finder) -> Iterator[Desk]:
    made = Desk(qtbot, fits, local.endpoint, tmp_path, finder)
    yield made
    made.editor.close()


def names(controller: Desk) -> Sequence[str]:
    shown = controller.tray.findChild(CardList, "draftCandidates")
    assert isinstance(shown, CardList)
    return [card.accessibleName() for card in shown.cards]


def test_a_draft_is_found_and_used(finding: Desk, finder: Finder, models: Path) -> None:
    finding.editor.use_target(str(models / "target.gguf"))
    finding.press("findDraftButton")
    finding.until(lambda: names(finding) == ["draft"])
    assert finding.tray.drafts.note() == "Searching this computer and Hugging Face…"
    finding.until_measured()  # while drafts are looked for
    finder.go_on.set()
    finding.until(lambda: names(finding) == ["draft", "other"])
    finding.until(lambda: finding.tray.drafts.note().startswith("No other drafts found on Hugging Face"))
    finding.press("useDraftButton")
    assert not finding.tray.shows_drafts
    finding.until_step("Chat with this pair")
    assert finder.targets == [str(models / "target.gguf")]


def test_going_back_ends_the_search(finding: Desk, finder: Finder, models: Path) -> None:
    finding.editor.use_target(str(models / "target.gguf"))
    finding.press("findDraftButton")
    finding.until(lambda: names(finding) == ["draft"])
    finding.press("draftsBack")
    finding.until(finder.go_on.is_set)
    assert not finding.tray.shows_drafts
    finding.press("withoutDraftButton")
    finding.until_step("Chat with this model")
    assert names(finding) == ["draft"]
