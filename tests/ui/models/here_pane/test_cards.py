from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QTextEdit,
    QToolButton,
)
from pytestqt.qtbot import QtBot
from ui.models.here_pane.panes import ADDED, DEMO, GONE, MINE, SEA, STUDIO, card, find, words

from specchat.domain.media import Senses
from specchat.domain.model_ref import ModelRef
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.models.cards import CardList
from specchat.ui.models.local_model_card import ModelCardAction
from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme
from specchat.ui.words.number_format import format_parameters


def test_a_model_tells_what_it_is(pane: LocalModelsPane) -> None:
    shown = words(card(pane, SEA))
    assert shown == [
        "Sea 7B Instruct",
        "4.7\u00a0GB · 7.6\u00a0B parameters · context up to 131,072 tokens",
        "sea/sea-7b",
        "Q4_K_M",
    ]
    assert str(MINE.path) in words(card(pane, MINE))
    assert card(pane, SEA).accessibleDescription().endswith("131,072 tokens, Q4_K_M")
    assert (
        "usual choice"
        in next(each for each in card(pane, SEA).findChildren(QLabel) if each.text() == "Q4_K_M").toolTip()
    )


def test_what_chats_now_is_marked(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.set_loaded_models({SEA.ref, DEMO.ref})
    marked = [each.accessibleName() for each in find(pane, CardList, "hereList").cards if "Loaded" in words(each)]
    assert marked == ["Sea 7B Instruct", "Demo"]
    assert "Loaded" in card(pane, SEA).accessibleDescription()
    QTest.keyClick(card(pane, SEA), Qt.Key.Key_Delete)
    assert find(pane, QMessageBox, "removeQuestion").informativeText().startswith("It is loaded now")
    pane.set_loaded_models(())
    assert "Loaded" not in words(card(pane, SEA))


def test_buttons_stay_in_their_place_when_a_model_is_loaded(qtbot: QtBot, pane: LocalModelsPane) -> None:
    def height(loaded: set[ModelRef]) -> int:
        pane.set_loaded_models(loaded)
        QApplication.processEvents()
        sea = card(pane, SEA)
        return abs(find(sea, QPushButton, "useAsTargetButton").mapTo(sea, QPoint()).y() - sea.title.y())

    are_beside = set()
    for width in range(480, 960, 40):
        pane.resize(width, 900)
        is_beside = height(set()) < 20
        assert (height({SEA.ref}) < 20) is is_beside
        are_beside.add(is_beside)
    assert are_beside == {True, False}


def test_the_demo_stays(qtbot: QtBot, pane: LocalModelsPane) -> None:
    assert ModelCardAction.REMOVE not in {action.objectName() for action in card(pane, DEMO).build_menu().actions()}
    with qtbot.assertNotEmitted(pane.requests.model_removal_requested):
        QTest.keyClick(card(pane, DEMO), Qt.Key.Key_Delete)


def test_more_is_told_when_asked(qtbot: QtBot, pane: LocalModelsPane) -> None:
    sea = card(pane, SEA)
    QTest.keyClick(sea, Qt.Key.Key_Return)
    details = find(sea, QTextEdit, "cardDetails")
    qtbot.waitUntil(details.isVisible)
    for part in (str(SEA.path), SEA.reference, "Q4_K_M: Small", "28 layers"):
        assert part in details.toPlainText()
    QTest.keyClick(sea, Qt.Key.Key_Space)
    assert not details.isVisible()


def test_a_path_is_told_once(pane: LocalModelsPane) -> None:
    added = card(pane, ADDED)
    assert str(ADDED.path) in words(added)
    QTest.keyClick(added, Qt.Key.Key_Return)
    assert str(ADDED.path) in find(added, QTextEdit, "cardDetails").toPlainText()
    assert str(ADDED.path) not in words(added)
    QTest.keyClick(added, Qt.Key.Key_Return)
    assert str(ADDED.path) in words(added)


def test_what_cannot_be_used_says_why_and_offers_no_use(pane: LocalModelsPane) -> None:
    gone = card(pane, GONE)
    assert "It is not there." in words(gone)
    assert "It is not there." in gone.accessibleDescription()
    assert gone.findChild(QPushButton, "useAsTargetButton") is None
    enabled = {action.objectName() for action in gone.build_menu().actions() if action.isEnabled()}
    assert enabled >= {ModelCardAction.COPY, ModelCardAction.REMOVE}
    assert not enabled & {ModelCardAction.CHECK, ModelCardAction.SHOW}


def test_a_model_is_taken_as_target_or_draft(qtbot: QtBot, pane: LocalModelsPane) -> None:
    for name, signal in (
        ("useAsTargetButton", pane.requests.target_requested),
        ("useAsDraftButton", pane.requests.draft_requested),
    ):
        button = find(card(pane, SEA), QPushButton, name)
        assert "Sea 7B Instruct" in button.accessibleName()
        with qtbot.waitSignal(signal) as wanted:
            button.click()
        assert wanted.args == [str(SEA.path)]


def test_the_menu_offers_the_rest(qtbot: QtBot, pane: LocalModelsPane) -> None:
    wishes = {
        ModelCardAction.CHECK: pane.requests.check_requested,
        ModelCardAction.SHOW: pane.requests.show_in_folder_requested,
        ModelCardAction.COPY: pane.requests.copy_reference_requested,
    }
    for wish, signal in wishes.items():
        action = next(each for each in card(pane, STUDIO).build_menu().actions() if each.objectName() == wish)
        with qtbot.waitSignal(signal) as wanted:
            action.trigger()
        assert wanted.args == [STUDIO]


def test_the_menu_opens_by_button_and_by_a_right_click(qtbot: QtBot, pane: LocalModelsPane) -> None:
    sea = card(pane, SEA)
    find(sea, QToolButton, "modelMenuButton").click()
    menu = find(sea, QMenu, "")
    assert menu.isVisible()
    assert [each.text() for each in menu.actions()][-1] == "Delete the file (4.7\u00a0GB)…"
    menu.close()
    qtbot.waitUntil(lambda: sea.findChild(QMenu) is None)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), sea.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(sea, event)
    assert find(sea, QMenu, "").isVisible()


@pytest.mark.parametrize(
    ("model", "yes"), [(SEA, "Delete the file (4.7\u00a0GB)"), (ADDED, "Remove from list"), (GONE, "Remove from list")]
)
def test_nothing_goes_without_a_question(qtbot: QtBot, pane: LocalModelsPane, model: LocalModel, yes: str) -> None:
    def question() -> QMessageBox:
        QTest.keyClick(card(pane, model), Qt.Key.Key_Delete)
        return find(pane, QMessageBox, "removeQuestion")

    asked = question()
    assert model.name in asked.text()
    with qtbot.assertNotEmitted(pane.requests.model_removal_requested):
        asked.button(QMessageBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: pane.findChild(QMessageBox) is None)
    with qtbot.waitSignal(pane.requests.model_removal_requested) as wanted:
        next(each for each in question().buttons() if each.text() == yes).click()
    assert wanted.args == [model]


def test_what_belongs_to_others_needs_an_explanation_only(qtbot: QtBot, pane: LocalModelsPane) -> None:
    with qtbot.waitSignal(pane.requests.model_removal_requested) as wanted:
        QTest.keyClick(card(pane, STUDIO), Qt.Key.Key_Delete)
    assert wanted.args == [STUDIO]
    assert pane.findChild(QMessageBox) is None


def test_another_text_size_moves_the_buttons(
    qtbot: QtBot, pane: LocalModelsPane, choose_text_size: Callable[[int], None]
) -> None:
    def is_beside() -> bool:
        sea = card(pane, SEA)
        return abs(find(sea, QPushButton, "useAsTargetButton").mapTo(sea, QPoint()).y() - sea.title.y()) < 20

    pane.resize(600, 900)
    qtbot.waitUntil(is_beside)
    choose_text_size(22)
    set_current_theme(DARK)
    qtbot.waitUntil(lambda: not is_beside())


def test_models_are_called_by_their_size() -> None:
    said = [
        format_parameters(count).replace("\u00a0", " ")
        for count in (12, 9_500_000, 494_032_768, 7 * 10**9, 123 * 10**9)
    ]
    assert said == ["12", "9.5 M", "494 M", "7 B", "123 B"]


def test_a_target_that_sees_and_hears_is_marked(qtbot: QtBot, pane: LocalModelsPane) -> None:
    senses = Senses(sees=True, hears=True)
    able = replace(SEA, mmproj=SEA.path.with_name("mmproj-F16.gguf"), senses=senses)
    pane.show_models([able, DEMO], ())
    badges = ("Vision", "Audio")
    assert not set(badges).intersection(words(card(pane, DEMO)))
    tips = [each.toolTip() for each in card(pane, able).findChildren(QLabel) if each.text() in badges]
    assert tips == ["Sees pictures, with mmproj-F16.gguf.", "Hears recordings, with mmproj-F16.gguf."]
