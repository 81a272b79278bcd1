from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from ui.pair.tray.trays import CANDIDATES, HERE, click, find

from specchat.domain.errors import UserError
from specchat.services.drafts.draft_candidates import ModelLocation
from specchat.ui.models.cards import CardList
from specchat.ui.pair.next_step import DraftAlternative
from specchat.ui.pair.pair_editor import PairEditor


def test_a_draft_is_found_or_done_without(qtbot: QtBot, tray: PairEditor) -> None:
    tray.show_target(HERE)
    tray.show_draft(None, has_target=True)
    with qtbot.waitSignal(tray.drafts_requested):
        click(tray, "findDraftButton")
    with qtbot.waitSignal(tray.no_draft_requested):
        click(tray, "withoutDraftButton")
    tray.show_draft(None, has_target=True, instead=DraftAlternative.EARLIER_TEXT)
    assert tray.draft.words().startswith("Draft: Earlier text. No draft: ")
    with qtbot.waitSignal(tray.draft.removed):
        click(tray, "draftSlotRemove")


def test_drafts_to_choose_from(qtbot: QtBot, tray: PairEditor) -> None:
    tray.show_drafts(shown=True)
    page, cards = tray.drafts, find(tray, CardList, "draftCandidates")
    page.begin("Sea 7B")
    assert page.note() == "Searching this computer and Hugging Face…"
    assert find(tray, QLabel, "draftsTarget").text() == "Sea 7B"
    page.show_candidates(CANDIDATES[:1])
    page.show_candidates(CANDIDATES)
    assert [card.accessibleName() for card in cards.cards] == ["/near", "a/far", "/strange"]
    near, _, strange = cards.cards
    assert near.accessibleDescription() == "estimate: 1.4×, tight, Q8_0 · 400\u00a0MB · on this computer, Because."
    assert strange.accessibleDescription() == "incompatible, Q8_0 · 400\u00a0MB · on this computer, Because."
    assert strange.findChild(QPushButton) is None
    with qtbot.assertNotEmitted(page.draft_chosen):
        QTest.keyClick(strange, Qt.Key.Key_Return)
    with qtbot.waitSignal(page.draft_chosen) as used:
        click(near, "useDraftButton")
    assert used.args == ["/near"]
    with qtbot.waitSignal(page.draft_chosen):
        QTest.keyClick(near, Qt.Key.Key_Return)
    page.end()
    assert page.note() == "Searched this computer and Hugging Face."
    page.show_candidates([each for each in CANDIDATES if each.where is ModelLocation.HERE])
    page.end()
    assert page.note() == "No other drafts found on Hugging Face."
    with qtbot.waitSignal(page.closed):
        click(tray, "draftsBack")


def test_a_search_that_finds_nothing_or_not_all(qtbot: QtBot, tray: PairEditor) -> None:
    tray.show_drafts(shown=True)
    page = tray.drafts
    page.begin("Sea 7B")
    page.show_candidates(CANDIDATES[:1])
    page.end()
    assert page.note().startswith("No drafts found on this computer or on Hugging Face.")
    with qtbot.waitSignal(page.no_draft_requested):
        click(tray, "draftsWithout")
    page.end("The Hub could not be asked.")
    assert page.note() == "The Hub could not be asked."
    with qtbot.waitSignal(page.retry_requested):
        click(tray, "draftsAgain")
    page.begin("Sea 7B")
    assert not find(tray, QPushButton, "draftsAgain").isVisible()
    page.fail(UserError("It broke.", "Mend it."))
    assert page.problem.words() == "It broke. Mend it."
    with qtbot.waitSignal(page.problem.retry_requested):
        click(tray, "draftsProblemAgain")
