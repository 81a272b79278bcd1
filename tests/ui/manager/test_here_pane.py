from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QTextEdit,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from specchat.domain.errors import UserError
from specchat.domain.said import Said
from specchat.services.pair_values import Origin, ShelfModel
from specchat.ui.manager.cards import CardList
from specchat.ui.manager.here_card import HereCard, Wish
from specchat.ui.manager.here_pane import HerePane
from specchat.ui.manager.here_words import parameters
from specchat.ui.manager.note import Note
from specchat.ui.theme import DARK, LIGHT

T = TypeVar("T", bound=QWidget)

FOLDER = Path("/srv/models")
SEA = ShelfModel(
    path=Path("/hub/models--sea--sea-7b/snapshots/abc/sea-7b.gguf"),
    name="Sea 7B Instruct",
    origin=Origin.HUB,
    size=4_700_000_000,
    parameters=7_620_000_000,
    quantization="Q4_K_M",
    n_ctx_train=131072,
    n_layer=28,
    reference="sea/sea-7b:sea-7b.gguf",
    ours=True,
)
STUDIO = ShelfModel(Path("/studio/lake.gguf"), "Lake 3B", Origin.LM_STUDIO, 2_000_000_000, quantization="Q8_0")
MINE = ShelfModel(FOLDER / "deep/pond.gguf", "Pond", Origin.FOLDER, 500_000_000)
GONE = ShelfModel(Path("/gone.gguf"), "gone", Origin.ADDED, problems=(Said("It is not there."),), missing=True)
ADDED = ShelfModel(Path("/added.gguf"), "Brook", Origin.ADDED, 300_000_000)
DEMO = ShelfModel(Path("/demo.gguf"), "Demo", Origin.DEMO, 12_000_000)
MODELS = (ADDED, DEMO, GONE, MINE, SEA, STUDIO)


@pytest.fixture
def pane(qtbot: QtBot) -> HerePane:
    made = HerePane(LIGHT)
    qtbot.addWidget(made)
    made.resize(640, 900)
    made.show()
    qtbot.waitExposed(made)
    made.show_models(MODELS, [FOLDER])
    return made


def find(place: QWidget, kind: type[T], name: str) -> T:
    found = place.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def listed(pane: HerePane) -> list[str]:
    return [card.accessibleName() for card in find(pane, CardList, "hereList").cards]


def card(pane: HerePane, model: ShelfModel) -> HereCard:
    found = next(each for each in find(pane, CardList, "hereList").cards if each.key == model.path)
    assert isinstance(found, HereCard)
    return found


def words(place: QWidget) -> list[str]:
    QApplication.sendPostedEvents()  # what was added just now is shown by one
    return [label.text() for label in place.findChildren(QLabel) if label.isVisibleTo(place)]


def type_filter(qtbot: QtBot, pane: HerePane, text: str) -> None:
    box = find(pane, QLineEdit, "hereFilter")
    with qtbot.waitSignal(pane._shown.filtered):
        box.setText(text)


def test_models_are_grouped_by_where_they_live(pane: HerePane) -> None:
    assert listed(pane) == ["Sea 7B Instruct", "Lake 3B", "Pond", "Brook", "gone", "Demo"]
    headings = [text for text in words(find(pane, CardList, "hereList")) if text in _HEADINGS]
    assert headings == list(_HEADINGS)
    assert "6 models, 7.5 GB" in words(pane)


_HEADINGS = ("Downloaded from the Hub", "LM Studio", str(FOLDER), "Added files", "Comes with specchat")


def test_a_model_tells_what_it_is(pane: HerePane) -> None:
    shown = words(card(pane, SEA))
    assert shown == [
        "Sea 7B Instruct",
        "4.7 GB · 7.6\u00a0B parameters · up to 131,072 tokens",
        "sea/sea-7b",
        "Q4_K_M",
    ]
    assert str(MINE.path) in words(card(pane, MINE))
    assert card(pane, SEA).accessibleDescription().endswith("131,072 tokens, Q4_K_M")
    assert (
        "usual choice"
        in next(each for each in card(pane, SEA).findChildren(QLabel) if each.text() == "Q4_K_M").toolTip()
    )


def test_what_chats_now_is_marked(qtbot: QtBot, pane: HerePane) -> None:
    pane.show_loaded({SEA.path, DEMO.path})
    marked = [each.accessibleName() for each in find(pane, CardList, "hereList").cards if "Loaded" in words(each)]
    assert marked == ["Sea 7B Instruct", "Demo"]
    assert "Loaded" in card(pane, SEA).accessibleDescription()
    QTest.keyClick(card(pane, SEA), Qt.Key.Key_Delete)
    assert find(pane, QMessageBox, "removeQuestion").informativeText().startswith("It is loaded now")
    pane.show_loaded(())
    assert "Loaded" not in words(card(pane, SEA))


def test_the_demo_stays(qtbot: QtBot, pane: HerePane) -> None:
    assert Wish.REMOVE not in {action.objectName() for action in card(pane, DEMO).menu().actions()}
    with qtbot.assertNotEmitted(pane.removeWanted):
        QTest.keyClick(card(pane, DEMO), Qt.Key.Key_Delete)


def test_more_is_told_when_asked(qtbot: QtBot, pane: HerePane) -> None:
    sea = card(pane, SEA)
    QTest.keyClick(sea, Qt.Key.Key_Return)
    details = find(sea, QTextEdit, "cardDetails")
    qtbot.waitUntil(details.isVisible)
    for part in (str(SEA.path), SEA.reference, "Q4_K_M: Small", "28 layers"):
        assert part in details.toPlainText()
    QTest.keyClick(sea, Qt.Key.Key_Space)
    assert not details.isVisible()


def test_what_cannot_be_used_says_why_and_offers_no_use(pane: HerePane) -> None:
    gone = card(pane, GONE)
    assert "It is not there." in words(gone)
    assert "It is not there." in gone.accessibleDescription()
    assert gone.findChild(QPushButton, "useAsTargetButton") is None
    enabled = {action.objectName() for action in gone.menu().actions() if action.isEnabled()}
    assert enabled >= {Wish.COPY, Wish.REMOVE}
    assert not enabled & {Wish.CHECK, Wish.SHOW}


def test_a_model_is_taken_as_target_or_draft(qtbot: QtBot, pane: HerePane) -> None:
    for name, signal in (("useAsTargetButton", pane.targetWanted), ("useAsDraftButton", pane.draftWanted)):
        button = find(card(pane, SEA), QPushButton, name)
        assert "Sea 7B Instruct" in button.accessibleName()
        with qtbot.waitSignal(signal) as wanted:
            button.click()
        assert wanted.args == [str(SEA.path)]


def test_the_menu_offers_the_rest(qtbot: QtBot, pane: HerePane) -> None:
    wishes = {Wish.CHECK: pane.checkWanted, Wish.SHOW: pane.showWanted, Wish.COPY: pane.copyWanted}
    for wish, signal in wishes.items():
        action = next(each for each in card(pane, STUDIO).menu().actions() if each.objectName() == wish)
        with qtbot.waitSignal(signal) as wanted:
            action.trigger()
        assert wanted.args == [STUDIO]


def test_the_menu_opens_by_button_and_by_a_right_click(qtbot: QtBot, pane: HerePane) -> None:
    sea = card(pane, SEA)
    find(sea, QToolButton, "modelMenuButton").click()
    menu = find(sea, QMenu, "")
    assert menu.isVisible()
    assert [each.text() for each in menu.actions()][-1] == "Delete the file (4.7 GB)…"
    menu.close()
    qtbot.waitUntil(lambda: sea.findChild(QMenu) is None)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), sea.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(sea, event)
    assert find(sea, QMenu, "").isVisible()


@pytest.mark.parametrize(
    ("model", "yes"), [(SEA, "Delete the file (4.7 GB)"), (ADDED, "Take off the list"), (GONE, "Take off the list")]
)
def test_nothing_goes_without_a_question(qtbot: QtBot, pane: HerePane, model: ShelfModel, yes: str) -> None:
    def question() -> QMessageBox:
        QTest.keyClick(card(pane, model), Qt.Key.Key_Delete)
        return find(pane, QMessageBox, "removeQuestion")

    asked = question()
    assert model.name in asked.text()
    with qtbot.assertNotEmitted(pane.removeWanted):
        asked.button(QMessageBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: pane.findChild(QMessageBox) is None)
    with qtbot.waitSignal(pane.removeWanted) as wanted:
        next(each for each in question().buttons() if each.text() == yes).click()
    assert wanted.args == [model]


def test_what_belongs_to_others_needs_an_explanation_only(qtbot: QtBot, pane: HerePane) -> None:
    with qtbot.waitSignal(pane.removeWanted) as wanted:
        QTest.keyClick(card(pane, STUDIO), Qt.Key.Key_Delete)
    assert wanted.args == [STUDIO]
    assert pane.findChild(QMessageBox) is None


def test_the_filter_keeps_what_has_all_its_words(qtbot: QtBot, pane: HerePane) -> None:
    type_filter(qtbot, pane, "7b sea")
    assert listed(pane) == ["Sea 7B Instruct"]
    assert "1 of 6 models" in words(pane)
    type_filter(qtbot, pane, "sea/sea")
    assert listed(pane) == ["Sea 7B Instruct"]
    type_filter(qtbot, pane, "q8_0")
    assert listed(pane) == ["Lake 3B"]
    type_filter(qtbot, pane, "nothing like it")
    assert listed(pane) == []
    assert "No model here has such a name" in words(pane)
    type_filter(qtbot, pane, "")
    assert len(listed(pane)) == len(MODELS)


def test_escape_empties_the_filter_and_is_then_left_to_the_window(pane: HerePane) -> None:
    box = find(pane, QLineEdit, "hereFilter")
    taken = []
    for text in ("sea", ""):
        box.setText(text)
        event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
        event.ignore()
        QApplication.sendEvent(box, event)
        taken.append(event.isAccepted())
    assert taken == [True, False]
    box.setText("sea")
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert box.text() == ""


def test_tab_goes_through_the_cards_from_top_to_bottom(pane: HerePane) -> None:
    pane.show_note(SEA.path, Note("Checking the file: 42 %", running=True))
    box = find(pane, QLineEdit, "hereFilter")
    box.setFocus()
    stops = []
    for _ in range(7):
        QTest.keyClick(pane.focusWidget() or pane, Qt.Key.Key_Tab)
        focus = pane.focusWidget()
        stops.append((focus.objectName() or focus.accessibleName()) if focus else "")
    assert stops == [
        "Sea 7B Instruct",
        "useAsTargetButton",
        "useAsDraftButton",
        "modelMenuButton",
        "stopButton",
        "Lake 3B",
        "useAsTargetButton",
    ]
    find(card(pane, DEMO), QToolButton, "modelMenuButton").setFocus()
    QTest.keyClick(pane.focusWidget() or pane, Qt.Key.Key_Tab)
    assert find(pane, QPushButton, "addFileButton").hasFocus()


def test_down_leads_from_the_filter_into_the_list(pane: HerePane) -> None:
    QTest.keyClick(find(pane, QLineEdit, "hereFilter"), Qt.Key.Key_Down)
    assert card(pane, SEA).hasFocus()


def test_folders_can_be_taken_off_the_list(qtbot: QtBot, pane: HerePane) -> None:
    pane.show_models((SEA,), [FOLDER])
    assert "There are no further models in this folder." in words(pane)
    with qtbot.waitSignal(pane.folderRemoved) as removed:
        find(pane, QToolButton, "removeFolderButton").click()
    assert removed.args == [FOLDER]


@pytest.mark.parametrize("what", ["File", "Folder"])
def test_files_and_folders_are_added(qtbot: QtBot, pane: HerePane, what: str, tmp_path: Path) -> None:
    chosen = tmp_path / "a.gguf" if what == "File" else tmp_path
    (tmp_path / "a.gguf").touch()
    find(pane, QPushButton, f"add{what}Button").click()
    dialog = find(pane, QFileDialog, f"add{what}Dialog")
    signal = pane.fileAdded if what == "File" else pane.folderAdded
    with qtbot.waitSignal(signal) as added:
        dialog.fileSelected.emit(str(chosen))
    dialog.close()
    assert added.args == [chosen]


def test_a_check_shows_how_far_it_is_and_can_be_stopped(qtbot: QtBot, pane: HerePane) -> None:
    pane.show_note(SEA.path, Note("Checking the file: 42 %", running=True))
    assert "Checking the file: 42 %" in words(card(pane, SEA))
    with qtbot.waitSignal(pane.checkStopped) as stopped:
        find(card(pane, SEA), QPushButton, "stopButton").click()
    assert stopped.args == [SEA]


def test_what_came_of_it_outlives_the_filter_but_not_the_model(qtbot: QtBot, pane: HerePane) -> None:
    pane.show_note(SEA.path, Note("It is damaged.", bad=True))
    type_filter(qtbot, pane, "sea")
    assert "It is damaged." in words(card(pane, SEA))
    assert not find(card(pane, SEA), QPushButton, "stopButton").isVisible()
    pane.show_models((STUDIO,))
    pane.show_models(MODELS)
    assert "It is damaged." not in words(card(pane, SEA))


def test_there_is_a_way_on_when_there_is_nothing(qtbot: QtBot, pane: HerePane) -> None:
    pane.show_models(())
    assert "There is no model on this computer yet" in words(pane)
    with qtbot.waitSignal(pane.hubWanted):
        find(pane, QPushButton, "findModelsButton").click()
    pane.show_models(MODELS)
    assert not find(pane, QPushButton, "findModelsButton").isVisible()


def test_loading_is_said_once(qtbot: QtBot) -> None:
    pane = HerePane(LIGHT)
    qtbot.addWidget(pane)
    pane.show_loading()
    type_filter(qtbot, pane, "sea")
    assert "Looking for models…" in words(pane)
    type_filter(qtbot, pane, "")
    pane.show_models(MODELS)
    pane.show_loading()
    assert listed(pane)


def test_a_problem_leaves_the_list_and_a_way_to_try_again(qtbot: QtBot, pane: HerePane) -> None:
    pane.show_problem(UserError("It cannot be read.", "Look at it."), can_retry=True)
    assert find(pane, QTextEdit, "problemMessage").toPlainText() == "It cannot be read."
    assert len(listed(pane)) == len(MODELS)
    with qtbot.waitSignal(pane.refreshWanted):
        find(pane, QPushButton, "problemAction").click()
    assert not find(pane, QTextEdit, "problemMessage").isVisible()


def test_what_was_added_is_pointed_at(qtbot: QtBot, pane: HerePane) -> None:
    many = [replace(MINE, path=FOLDER / f"{n}.gguf", name=f"Pond {n}") for n in range(40)]
    type_filter(qtbot, pane, "sea")
    pane.show_models([*MODELS, *many], [FOLDER])
    pane.point_at(many[-1].path)
    last = card(pane, many[-1])
    qtbot.waitUntil(last.hasFocus)
    qtbot.waitUntil(lambda: not last.visibleRegion().isEmpty())


@pytest.mark.parametrize("text_size", [15, 17])
@pytest.mark.parametrize("width", [370, 420, 640])
def test_nothing_is_cut_off(
    qtbot: QtBot, pane: HerePane, width: int, text_size: int, choose_text_size: Callable[[int], None]
) -> None:
    choose_text_size(text_size)
    pane.resize(width, 900)
    pane.set_theme(DARK)
    pane.show_models([replace(model, name=model.name * 9) for model in MODELS])
    shown = find(pane, CardList, "hereList")
    inside = shown.widget()
    assert inside is not None
    qtbot.waitUntil(lambda: inside.width() <= shown.viewport().width())
    buttons = card(pane, SEA).findChildren(QPushButton)
    qtbot.waitUntil(lambda: all(button.width() >= button.sizeHint().width() for button in buttons))
    assert pane.minimumSizeHint().width() <= width


def test_another_text_size_moves_the_buttons(
    qtbot: QtBot, pane: HerePane, choose_text_size: Callable[[int], None]
) -> None:
    def is_beside() -> bool:
        sea = card(pane, SEA)
        return abs(find(sea, QPushButton, "useAsTargetButton").mapTo(sea, QPoint()).y() - sea.title.y()) < 20

    pane.resize(600, 900)
    qtbot.waitUntil(is_beside)
    choose_text_size(22)
    pane.set_theme(DARK)
    qtbot.waitUntil(lambda: not is_beside())


def test_models_are_called_by_their_size() -> None:
    said = [parameters(count).replace("\u00a0", " ") for count in (12, 9_500_000, 494_032_768, 7 * 10**9, 123 * 10**9)]
    assert said == ["12", "9.5 M", "494 M", "7 B", "123 B"]
