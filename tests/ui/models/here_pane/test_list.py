from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QTextEdit,
    QToolButton,
)
from pytestqt.qtbot import QtBot
from ui.models.here_pane.panes import DEMO, FOLDER, MINE, MODELS, SEA, STUDIO, card, find, listed, words

from specchat.domain.errors import UserError
from specchat.domain.translatable_text import TranslatableText
from specchat.ui.models.cards import CardList
from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.models.wide_card import CardNote
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme


class Resizes(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Resize
        return False


def type_filter(qtbot: QtBot, pane: LocalModelsPane, text: str) -> None:
    box = find(pane, QLineEdit, "hereFilter")
    with qtbot.waitSignal(pane.filter.search_changed):
        box.setText(text)


def test_models_are_grouped_by_where_they_live(pane: LocalModelsPane) -> None:
    assert listed(pane) == ["Sea 7B Instruct", "Lake 3B", "Pond", "Brook", "gone", "Demo"]
    headings = [text for text in words(find(pane, CardList, "hereList")) if text in _HEADINGS]
    assert headings == list(_HEADINGS)
    assert "5 models, 7.5\u00a0GB · 1 unusable" in words(pane)


_HEADINGS = ("Downloaded from Hugging Face", "LM Studio", str(FOLDER), "Added files", "Included with specchat")


def test_what_cannot_be_used_comes_last(pane: LocalModelsPane) -> None:
    broken = replace(
        MINE, path=FOLDER / "a.gguf", name="A broken one", problems=(TranslatableText("It is incomplete."),)
    )
    pane.show_models((broken, *MODELS), (FOLDER,))
    assert listed(pane) == ["Sea 7B Instruct", "Lake 3B", "Pond", "A broken one", "Brook", "gone", "Demo"]


def test_the_filter_keeps_what_has_all_its_words(qtbot: QtBot, pane: LocalModelsPane) -> None:
    type_filter(qtbot, pane, "7b sea")
    assert listed(pane) == ["Sea 7B Instruct"]
    assert "1 of 6 models" in words(pane)
    type_filter(qtbot, pane, "sea/sea")
    assert listed(pane) == ["Sea 7B Instruct"]
    type_filter(qtbot, pane, "q8_0")
    assert listed(pane) == ["Lake 3B"]
    type_filter(qtbot, pane, "nothing like it")
    assert listed(pane) == []
    assert "No matching models" in words(pane)
    type_filter(qtbot, pane, "")
    assert len(listed(pane)) == len(MODELS)


def test_escape_empties_the_filter_and_is_then_left_to_the_window(pane: LocalModelsPane) -> None:
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


def test_tab_goes_through_the_cards_from_top_to_bottom(pane: LocalModelsPane) -> None:
    pane.show_note(SEA.path, CardNote("Verifying: 42 %", running=True))
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


def test_down_leads_from_the_filter_into_the_list(pane: LocalModelsPane) -> None:
    QTest.keyClick(find(pane, QLineEdit, "hereFilter"), Qt.Key.Key_Down)
    assert card(pane, SEA).hasFocus()


def test_folders_can_be_taken_off_the_list(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_models((SEA,), [FOLDER])
    assert "No other models in this folder." in words(pane)
    with qtbot.waitSignal(pane.requests.remove_folder_requested) as removed:
        find(pane, QToolButton, "removeFolderButton").click()
    assert removed.args == [FOLDER]


@pytest.mark.parametrize("what", ["File", "Folder"])
def test_files_and_folders_are_added(qtbot: QtBot, pane: LocalModelsPane, what: str, tmp_path: Path) -> None:
    chosen = tmp_path / "a.gguf" if what == "File" else tmp_path
    (tmp_path / "a.gguf").touch()
    find(pane, QPushButton, f"add{what}Button").click()
    dialog = find(pane, QFileDialog, f"add{what}Dialog")
    signal = pane.requests.add_file_requested if what == "File" else pane.requests.add_folder_requested
    with qtbot.waitSignal(signal) as added:
        if what == "File":
            dialog.fileSelected.emit(str(chosen))
        else:
            dialog.filesSelected.emit([str(tmp_path.parent), str(chosen)])
    dialog.close()
    assert added.args == [chosen]


def test_a_check_shows_how_far_it_is_and_can_be_stopped(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_note(SEA.path, CardNote("Verifying: 42 %", running=True))
    assert "Verifying: 42 %" in words(card(pane, SEA))
    with qtbot.waitSignal(pane.requests.stop_check_requested) as stopped:
        find(card(pane, SEA), QPushButton, "stopButton").click()
    assert stopped.args == [SEA]


def test_what_came_of_it_outlives_the_filter_but_not_the_model(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_note(SEA.path, CardNote("It is damaged.", bad=True))
    type_filter(qtbot, pane, "sea")
    assert "It is damaged." in words(card(pane, SEA))
    assert not find(card(pane, SEA), QPushButton, "stopButton").isVisible()
    pane.show_models((STUDIO,))
    pane.show_models(MODELS)
    assert "It is damaged." not in words(card(pane, SEA))


def test_there_is_a_way_on_when_there_is_nothing(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_models(())
    assert "No models on this computer yet" in words(pane)
    with qtbot.waitSignal(pane.requests.pane_requested) as page:
        find(pane, QPushButton, "findModelsButton").click()
    assert page.args == [ManagerSection.HUB]
    pane.show_models(MODELS)
    assert not find(pane, QPushButton, "findModelsButton").isVisible()


def test_loading_is_said_once(qtbot: QtBot) -> None:
    pane = LocalModelsPane(ManagerRequests())
    qtbot.addWidget(pane)
    pane.show_loading()
    type_filter(qtbot, pane, "sea")
    assert "Looking for models…" in words(pane)
    type_filter(qtbot, pane, "")
    pane.show_models(MODELS)
    pane.show_loading()
    assert listed(pane)


def test_a_problem_leaves_the_list_and_a_way_to_try_again(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_problem(UserError("It cannot be read.", "Look at it."), can_retry=True)
    assert find(pane, QTextEdit, "problemMessage").toPlainText() == "It cannot be read."
    assert len(listed(pane)) == len(MODELS)
    with qtbot.waitSignal(pane.requests.local_refresh_requested):
        find(pane, QPushButton, "problemAction").click()
    assert not find(pane, QTextEdit, "problemMessage").isVisible()


def test_what_was_added_is_pointed_at(qtbot: QtBot, pane: LocalModelsPane) -> None:
    many = [replace(MINE, path=FOLDER / f"{n}.gguf", name=f"Pond {n}") for n in range(40)]
    type_filter(qtbot, pane, "sea")
    pane.show_models([*MODELS, *many], [FOLDER])
    pane.reveal_model(many[-1].path)
    last = card(pane, many[-1])
    qtbot.waitUntil(last.hasFocus)
    qtbot.waitUntil(lambda: not last.visibleRegion().isEmpty())


@pytest.mark.parametrize("text_size", [15, 17])
@pytest.mark.parametrize("width", [370, 420, 640])
def test_nothing_is_cut_off(
    qtbot: QtBot, pane: LocalModelsPane, width: int, text_size: int, choose_text_size: Callable[[int], None]
) -> None:
    choose_text_size(text_size)
    pane.resize(width, 900)
    set_current_theme(DARK)
    pane.show_models([replace(model, name=model.name * 9) for model in MODELS])
    shown = find(pane, CardList, "hereList")
    inside = shown.widget()
    assert inside is not None
    qtbot.waitUntil(lambda: inside.width() <= shown.viewport().width())
    buttons = card(pane, SEA).findChildren(QPushButton)
    qtbot.waitUntil(lambda: all(button.width() >= button.sizeHint().width() for button in buttons))
    assert pane.minimumSizeHint().width() <= width


MANY = tuple(replace(MINE, path=FOLDER / f"{n:03}.gguf", name=f"Model {n:03}") for n in range(200))


def test_cards_are_made_as_far_down_as_somebody_looks(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_models(MANY, [FOLDER])
    assert 20 < len(listed(pane)) < 100
    assert any("200 models" in text for text in words(pane))
    bar = find(pane, CardList, "hereList").verticalScrollBar()

    def scrolled_to_the_last() -> bool:
        bar.setValue(bar.maximum())
        return listed(pane)[-1] == "Model 199"

    qtbot.waitUntil(scrolled_to_the_last, timeout=60_000)
    assert listed(pane) == [model.name for model in MANY]


def test_cards_further_down_hardly_move_those_above(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_models(MANY, [FOLDER])
    cards = find(pane, CardList, "hereList")
    bar = cards.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    above, resized = cards.cards, Resizes()
    for each in above:
        each.installEventFilter(resized)
    before = bar.maximum()
    bar.setValue(before)
    assert len(cards.cards) > len(above)
    qtbot.waitUntil(lambda: bar.maximum() > before)
    assert resized.count <= 4 * len(above)


def test_the_keyboard_goes_on_where_a_card_is_gone(pane: LocalModelsPane) -> None:
    """Not to the buttons below: Enter would press one."""
    card(pane, SEA).setFocus()
    pane.show_models([model for model in MODELS if model is not SEA], [FOLDER])
    assert QApplication.focusWidget() is find(pane, CardList, "hereList").cards[0]


def test_arrow_keys_and_what_was_added_reach_cards_further_down(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_models(MANY, [FOLDER])
    first = find(pane, CardList, "hereList").cards[0]
    qtbot.waitUntil(first.isVisible)
    first.setFocus()

    def pressed_down_to_a_late_one() -> bool:
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Down)
        return focused.accessibleName() == "Model 120"

    qtbot.waitUntil(pressed_down_to_a_late_one, timeout=60_000)
    pane.show_models(MANY[:50], [FOLDER])
    pane.show_models(MANY, [FOLDER])
    pane.reveal_model(MANY[-1].path)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is card(pane, MANY[-1]))


def test_a_note_is_on_a_card_that_is_made_later(qtbot: QtBot, pane: LocalModelsPane) -> None:
    pane.show_models(MANY, [FOLDER])
    pane.show_note(MANY[-1].path, CardNote("It is damaged.", bad=True))
    pane.reveal_model(MANY[-1].path)
    qtbot.waitUntil(lambda: "It is damaged." in words(card(pane, MANY[-1])))


def test_what_nobody_sees_is_made_again_when_somebody_looks(qtbot: QtBot, pane: LocalModelsPane) -> None:
    """All widgets are styled anew with another theme: the fewer, the better."""
    pane.unload_cards()
    assert len(listed(pane)) == len(MODELS)
    window = pane.window()
    window.hide()
    gone = card(pane, SEA)
    pane.unload_cards()
    assert not shiboken6.isValid(gone)
    set_current_theme(DARK)
    pane.show_models(MODELS[:-1], (FOLDER,))
    assert listed(pane) == []
    window.show()
    qtbot.waitUntil(lambda: len(listed(pane)) == len(MODELS) - 1)
    assert "4 models" in " ".join(words(pane))
