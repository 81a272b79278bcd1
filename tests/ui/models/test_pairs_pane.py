from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from specchat.domain.errors import UserError
from specchat.domain.translatable_text import TranslatableText
from specchat.services.drafts.draft_candidates import PairMember, PairOffer, PairOffers, SpeedupEstimate, TargetOffer
from specchat.services.models.pair_fit import Fit
from specchat.ui.models.cards import Card, CardList
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.pairs_pane import PairsPane
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

T = TypeVar("T", bound=QWidget)


def side(name: str, size: int, *, here: bool = False, quantization: str = "Q4_K_M") -> PairMember:
    return PairMember(f"someone/{name}-GGUF", name, quantization, 2 * size, size, here)


SEA = PairOffer(
    target=side("Sea 7B", 4_700_000_000),
    draft=side("Sea 1B", 700_000_000, here=True, quantization="Q8_0"),
    fit=Fit.FITS,
    needed=6_100_000_000,
    expected=SpeedupEstimate(1.87, 6, 0.74, is_known=True),
    note=TranslatableText("Good at German."),
)
HERE = replace(
    SEA,
    target=side("Pond 3B", 2_000_000_000, here=True),
    draft=side("Pond 1B", 600_000_000, here=True),
    fit=Fit.TIGHT,
    expected=SpeedupEstimate(0.8, 3, 0.6, is_known=False),
    note=None,
)
OWN = replace(SEA, target=side("Mine 7B", 0), draft=side("Mine 1B", 0), own=True, note=None)
LARGE = replace(SEA, target=side("Ocean 70B", 42_000_000_000), fit=Fit.DOES_NOT_FIT)
ALONE = TargetOffer(side("Brook", 300_000_000, here=True), Fit.FITS, 400_000_000)
ALL = PairOffers((SEA, HERE, OWN, LARGE), (ALONE,))


@pytest.fixture
def pane(qtbot: QtBot) -> PairsPane:
    made = PairsPane(ManagerRequests())
    qtbot.addWidget(made)
    made.resize(640, 800)
    made.show()
    qtbot.waitExposed(made)
    made.show_offers(ALL)
    return made


def find(place: QWidget, kind: type[T], name: str) -> T:
    found = place.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def cards(pane: PairsPane) -> list[Card]:
    return find(pane, CardList, "pairList").cards


def listed(pane: PairsPane) -> list[str]:
    return [card.accessibleName() for card in cards(pane)]


def card(pane: PairsPane, name: str) -> Card:
    return next(each for each in cards(pane) if each.accessibleName() == name)


def words(place: QWidget) -> list[str]:
    QApplication.sendPostedEvents()  # what was added just now is shown by one
    return [label.text() for label in place.findChildren(QLabel) if label.isVisibleTo(place)]


def type_filter(qtbot: QtBot, pane: PairsPane, text: str) -> None:
    with qtbot.waitSignal(pane.filter.search_changed):
        find(pane, QLineEdit, "pairFilter").setText(text)


def dialog(pane: PairsPane) -> QDialog:
    find(pane, QPushButton, "addPairButton").click()
    return find(pane, QDialog, "pairDialog")


def test_a_pair_tells_what_it_is_and_what_it_takes(pane: PairsPane) -> None:
    assert words(card(pane, "Sea 7B")) == [
        "Sea 7B",
        "Draft: Sea 1B",
        "Q4_K_M and Q8_0 · 4.7\u00a0GB to download (draft already on this computer)",
        "Good at German.",
        "Fits",
        "estimate: 1.9×",
    ]
    assert "Q4_K_M · on this computer" in words(card(pane, "Pond 3B"))
    assert "Q4_K_M · not downloaded" in words(card(pane, "Mine 7B"))
    assert "Draft: Sea 1B" in card(pane, "Sea 7B").accessibleDescription()


def test_models_of_the_same_name_are_told_apart(qtbot: QtBot, pane: PairsPane) -> None:
    """By their files, or where these are called the same, by their folders."""
    target, draft = (replace(each, reference=f"/models/{each.name}.gguf") for each in (HERE.target, HERE.draft))
    copies = replace(HERE, target=replace(target, reference="/copies/Pond 3B.gguf"), draft=draft, own=True)
    small = replace(HERE, target=target, draft=replace(draft, reference="/models/small.gguf"))
    pane.show_offers(PairOffers((SEA, copies, small), (replace(ALONE, target=replace(ALONE.target, name="Pond 1B")),)))
    pond, copy = f"Pond 3B · {Path('/models')}", f"Pond 3B · {Path('/copies')}"
    assert listed(pane) == ["Sea 7B", copy, pond, "Pond 1B · Brook-GGUF"]
    assert "Draft: Pond 1B · Pond 1B.gguf" in words(card(pane, copy))
    assert "Draft: Pond 1B · small.gguf" in words(card(pane, pond))
    with qtbot.waitSignal(pane.requests.pair_requested) as wanted:
        find(card(pane, copy), QPushButton, "usePairButton").click()
    assert wanted.args == [copies]


def test_fit_and_speed_come_with_their_reasons(pane: PairsPane) -> None:
    badges = {each.text(): each for name in ("Sea 7B", "Pond 3B") for each in card(pane, name).findChildren(QLabel)}
    assert {badges[words].property("badge") for words in ("Tight", "estimate: 0.8×")} == {"warning"}
    assert badges["Fits"].property("badge") == "good"
    assert "6.1\u00a0GB" in badges["Fits"].toolTip()
    known = badges["estimate: 1.9×"].toolTip().replace("\u00a0", " ")
    assert "assumes that 74 % of them are accepted, as measured for this pair" in known
    assert "assumes that 60" in badges["estimate: 0.8×"].toolTip()


def test_the_reasons_can_be_read_without_a_mouse(qtbot: QtBot, pane: PairsPane) -> None:
    QTest.keyClick(card(pane, "Sea 7B"), Qt.Key.Key_Return)
    details = find(card(pane, "Sea 7B"), QTextEdit, "cardDetails").toPlainText()
    for part in ("6.1 GB", "as measured for this pair", SEA.target.reference, SEA.draft.reference, "Q8_0: Half"):
        assert part in details


def test_only_what_fits_until_all_is_wanted(pane: PairsPane) -> None:
    assert listed(pane) == ["Sea 7B", "Pond 3B", "Mine 7B", "Brook"]
    assert "3 of 4 pairs · 1 is too large for this computer" in words(pane)
    find(pane, QCheckBox, "onlyFittingBox").click()
    assert listed(pane) == ["Sea 7B", "Pond 3B", "Mine 7B", "Ocean 70B", "Brook"]
    assert "4 pairs" in words(pane)


def test_when_nothing_fits_all_can_be_seen(pane: PairsPane) -> None:
    pane.show_offers(PairOffers((LARGE,), ()))
    assert "No pairs fit this computer" in words(pane)
    find(pane, QPushButton, "showAllPairsButton").click()
    assert listed(pane) == ["Ocean 70B"]
    assert not find(pane, QCheckBox, "onlyFittingBox").isChecked()


def test_the_filter_looks_at_both_names(qtbot: QtBot, pane: PairsPane) -> None:
    type_filter(qtbot, pane, "pond 1b")
    assert listed(pane) == ["Pond 3B"]
    type_filter(qtbot, pane, "brook")
    assert listed(pane) == ["Brook"]
    type_filter(qtbot, pane, "nothing like it")
    assert "No matching pairs" in words(pane)


def test_a_pair_is_used(qtbot: QtBot, pane: PairsPane) -> None:
    button = find(card(pane, "Sea 7B"), QPushButton, "usePairButton")
    assert button.accessibleName() == "Use Sea 7B with Sea 1B"
    with qtbot.waitSignal(pane.requests.pair_requested) as wanted:
        button.click()
    assert wanted.args == [SEA]


def test_a_target_without_a_draft_is_used(qtbot: QtBot, pane: PairsPane) -> None:
    assert "On this computer, without a draft" in words(pane)
    with qtbot.waitSignal(pane.requests.target_requested) as wanted:
        find(card(pane, "Brook"), QPushButton, "useAsTargetButton").click()
    assert wanted.args == [ALONE.target.reference]


def test_asking_the_hub_is_shown_and_can_be_stopped(qtbot: QtBot, pane: PairsPane) -> None:
    pane.show_lookup(SEA)
    type_filter(qtbot, pane, "sea")
    assert "Looking up files on Hugging Face…" in words(card(pane, "Sea 7B"))
    with qtbot.waitSignal(pane.requests.lookup_cancelled) as given_up:
        find(card(pane, "Sea 7B"), QPushButton, "stopButton").click()
    assert given_up.args == [SEA]
    pane.hide_lookup(SEA)
    assert "Looking up files on Hugging Face…" not in words(card(pane, "Sea 7B"))


def test_own_pairs_are_taken_off_after_a_question(qtbot: QtBot, pane: PairsPane) -> None:
    assert card(pane, "Sea 7B").findChild(QToolButton, "removePairButton") is None
    find(card(pane, "Mine 7B"), QToolButton, "removePairButton").click()
    question = find(pane, QMessageBox, "removeQuestion")
    assert question.text() == "Remove Mine 7B with Mine 1B from the list?"
    with qtbot.waitSignal(pane.requests.pair_removal_requested) as removed:
        next(each for each in question.buttons() if each.text() == "Remove from list").click()
    assert removed.args == [OWN]


def test_an_own_pair_is_entered(qtbot: QtBot, pane: PairsPane, tmp_path: Path) -> None:
    file = tmp_path / "mine.gguf"
    file.touch()
    asked = dialog(pane)
    add = find(asked, QPushButton, "addThePairButton")
    assert not add.isEnabled()
    find(asked, QLineEdit, "pairTargetField").setText("someone/sea-GGUF:sea-7b.gguf ")
    find(asked, QLineEdit, "pairDraftField").setText(str(file))
    with qtbot.waitSignal(pane.requests.pair_entered) as entered:
        add.click()
    assert entered.args == ["someone/sea-GGUF:sea-7b.gguf", str(file)]
    pane.show_entry_problem(UserError("It cannot be kept.", "Free some space."))
    assert find(asked, QLabel, "pairDialogProblem").text() == "It cannot be kept. Free some space."
    pane.close_dialog()
    qtbot.waitUntil(lambda: pane.findChild(QDialog, "pairDialog") is None)


@pytest.mark.parametrize(
    ("target", "draft", "said"),
    [
        ("sea", "", "sea is not a model."),
        ("someone/sea", "", "someone/sea is not a model."),
        ("a/b:c.gguf", "/no/such/file.gguf", "/no/such/file.gguf is not a model."),
        ("a/b:c.gguf", "a/b:c.gguf", "Target and draft are the same model. Choose a different draft."),
        ("a/b:c.gguf", "", ""),
    ],
)
def test_what_cannot_be_a_pair_is_not_taken(pane: PairsPane, target: str, draft: str, said: str) -> None:
    asked = dialog(pane)
    find(asked, QLineEdit, "pairTargetField").setText(target)
    find(asked, QLineEdit, "pairDraftField").setText(draft)
    problem = find(asked, QLabel, "pairDialogProblem").text()
    assert problem.startswith(said)
    assert bool(problem) is bool(said)
    assert not find(asked, QPushButton, "addThePairButton").isEnabled()


def test_loading_and_looking_further(qtbot: QtBot) -> None:
    pane = PairsPane(ManagerRequests())
    qtbot.addWidget(pane)
    pane.show_loading()
    assert "Looking for pairs that fit this computer…" in words(pane)
    pane.show_offers(PairOffers((SEA,), ()), complete=False)
    assert "1 pair · still searching…" in words(pane)
    pane.show_loading()
    assert listed(pane) == ["Sea 7B"]
    pane.show_offers(PairOffers((), ()))
    assert "No known pairs" in words(pane)


def test_a_problem_leaves_the_list_and_a_way_to_try_again(qtbot: QtBot, pane: PairsPane) -> None:
    pane.show_problem(UserError("It cannot be read.", "Look at it."), can_retry=True)
    assert len(listed(pane)) == 4
    with qtbot.waitSignal(pane.requests.pairs_refresh_requested):
        find(pane, QPushButton, "problemAction").click()


@pytest.mark.parametrize("text_size", [15, 17])
@pytest.mark.parametrize("width", [370, 420, 640])
def test_nothing_is_cut_off(
    qtbot: QtBot, pane: PairsPane, width: int, text_size: int, choose_text_size: Callable[[int], None]
) -> None:
    choose_text_size(text_size)
    pane.resize(width, 800)
    set_current_theme(DARK)
    long = replace(SEA, target=side("Sea 7B " * 9, 10**9), draft=side("Sea 1B " * 9, 10**9), own=True)
    pane.show_offers(PairOffers((long, replace(long, own=False), LARGE), (ALONE,)), complete=False)
    shown = find(pane, CardList, "pairList")
    inside = shown.widget()
    assert inside is not None
    qtbot.waitUntil(lambda: inside.width() <= shown.viewport().width())
    buttons = cards(pane)[0].findChildren(QPushButton)
    qtbot.waitUntil(lambda: all(button.width() >= button.sizeHint().width() for button in buttons))
    assert pane.minimumSizeHint().width() <= width


@pytest.mark.parametrize(
    ("speed", "words"),
    [
        (None, ""),
        (0.4, "less than 1 token/s with the draft"),
        (1.2, "about 1 token/s with the draft"),
        (7.4, "about 7 tokens/s with the draft"),
    ],
)
def test_how_fast_it_answers(pane: PairsPane, speed: float | None, words: str) -> None:
    pane.show_offers(PairOffers((replace(SEA, tokens_per_s=speed),), ()))
    shown = [label.text() for label in cards(pane)[0].findChildren(QLabel)]
    facts = "Q4_K_M and Q8_0 · 4.7 GB to download (draft already on this computer)"
    assert " · ".join(filter(None, (facts, words))) in [text.replace("\u00a0", " ") for text in shown]
