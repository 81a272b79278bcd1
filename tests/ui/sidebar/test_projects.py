"""Projects in the sidebar, and several chats that are selected at once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QMenu
from ui.sidebar.driver import NOW, Driver, conversations

from specchat.domain.conversations import SearchHit
from specchat.domain.projects import Project
from specchat.ui.sidebar.chat_drag import chats_to_mime
from specchat.ui.widgets.theme import DARK, LIGHT
from specchat.ui.widgets.theme_service import set_current_theme

TITLES = ("Sky", "Rust", "Poem", "Moon")
GARDEN, THESIS = Project(7, "Garden", 0.0), Project(8, "Thesis", 0.0)
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def show(driver: Driver, *, folded: bool = False) -> None:
    """Sky and Rust are in Garden, Thesis is empty."""
    chats = [replace(chat, project=7) if chat.title in ("Sky", "Rust") else chat for chat in conversations(TITLES)]
    driver.sidebar.show_conversations(chats, NOW, [replace(GARDEN, is_folded=folded), THESIS])


@pytest.fixture
def projects(driver: Driver) -> Driver:
    show(driver)
    return driver


def pick(driver: Driver, *titles: str, modifier: Qt.KeyboardModifier = CTRL) -> None:
    for title in titles:
        place = driver.list.visualRect(driver.line(title)).center()
        QTest.mouseClick(driver.list.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def press(driver: Driver, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(driver.list, key, modifier)


def choose_place(driver: Driver, words: str) -> None:
    """In the menu that is open."""
    places = driver.menu.findChild(QMenu, "moveMenu")
    assert isinstance(places, QMenu)
    next(action for action in places.actions() if action.text() == words).trigger()


def test_projects_stand_first(projects: Driver) -> None:
    assert projects.lines == ["Projects", "Garden", "Sky", "Rust", "Thesis", "Today", "Poem", "Moon"]
    spoken = [projects.line(name).data(Qt.ItemDataRole.AccessibleTextRole) for name in ("Garden", "Thesis")]
    assert spoken == ["Garden, project, 2 chats, expanded", "Thesis, project, 0 chats, expanded"]


def test_a_row_is_scrolled_to_with_its_heading(driver: Driver) -> None:
    chats = conversations([f"Chat {number}" for number in range(40)])
    driver.sidebar.show_conversations(chats, NOW, [GARDEN])
    bar = driver.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    driver.sidebar.rename_project(GARDEN.id)
    assert driver.list.visualRect(driver.line("Projects")).top() >= 0
    bar.setValue(bar.maximum())
    driver.sidebar.list.select(1)
    assert driver.list.visualRect(driver.line("Today")).top() >= 0


def test_a_click_folds_and_unfolds(projects: Driver) -> None:
    folded, opened = QSignalSpy(projects.sidebar.list.project_folded), QSignalSpy(projects.sidebar.list.open_requested)
    projects.click("Garden")
    show(projects, folded=True)
    assert "Sky" not in projects.lines
    projects.click("Garden")
    assert [folded.at(0), folded.at(1)] == [[7, True], [7, False]]
    assert opened.count() == 0


def test_the_arrow_keys_fold_as_in_a_tree(projects: Driver) -> None:
    folded = QSignalSpy(projects.sidebar.list.project_folded)
    projects.go_to("Rust")
    press(projects, Qt.Key.Key_Left)
    assert projects.list.currentIndex().data() == "Garden"
    press(projects, Qt.Key.Key_Right)
    assert folded.count() == 0
    press(projects, Qt.Key.Key_Left)
    show(projects, folded=True)
    assert projects.list.currentIndex().data() == "Garden"
    press(projects, Qt.Key.Key_Right)
    press(projects, Qt.Key.Key_Return)
    assert [folded.at(number) for number in range(3)] == [[7, True], [7, False], [7, False]]


def test_a_project_is_renamed_and_deleted_by_key(projects: Driver) -> None:
    projects.go_to("Garden")
    projects.sidebar.rename()
    field = projects.rename_field()
    assert (field.text(), field.accessibleName()) == ("Garden", "Project name")
    field.setText("Orchard")
    with projects.qtbot.waitSignal(projects.sidebar.list.project_renamed) as renamed:
        projects.press(Qt.Key.Key_Return, field)
    assert renamed.args == [7, "Orchard"]
    with projects.qtbot.waitSignal(projects.sidebar.list.project_delete_requested) as deleted:
        press(projects, Qt.Key.Key_Delete)
    assert deleted.args == [7]


def test_the_menu_of_a_project(projects: Driver) -> None:
    rows = projects.sidebar.list
    for words, signal in (
        ("New chat in project", rows.project_chat_requested),
        ("Project settings…", rows.project_settings_requested),
        ("Delete…", rows.project_delete_requested),
    ):
        projects.click_more("Thesis")
        menu = projects.child(QMenu, "projectMenu")
        with projects.qtbot.waitSignal(signal) as chosen:
            next(action for action in menu.actions() if action.text() == words).trigger()
        menu.close()
        assert chosen.args == [8]


def test_chats_are_moved_by_the_menu(projects: Driver) -> None:
    moved = QSignalSpy(projects.sidebar.list.move_requested)
    projects.click_more("Sky")
    places = projects.menu.findChild(QMenu, "moveMenu")
    assert isinstance(places, QMenu)
    offered = [(action.text(), action.isEnabled()) for action in places.actions() if action.text()]
    assert offered == [("Garden", False), ("Thesis", True), ("New project", True), ("No project", True)]
    choose_place(projects, "Thesis")
    choose_place(projects, "No project")
    assert [moved.at(0), moved.at(1)] == [[[1], 8], [[1], None]]
    with projects.qtbot.waitSignal(projects.sidebar.list.new_project_requested) as new:
        choose_place(projects, "New project")
    assert new.args == [[1]]


def test_several_are_selected_by_mouse_and_act_together(projects: Driver) -> None:
    rows, opened = projects.sidebar.list, QSignalSpy(projects.sidebar.list.open_requested)
    rows.select(1)
    pick(projects, "Poem", "Moon")
    assert projects.selected == ["Sky", "Poem", "Moon"]
    assert (opened.count(), projects.list.hasFocus()) == (0, True)
    projects.click_more("Poem")
    assert [action.text() for action in projects.menu.actions() if action.text()] == [
        *("Move to project", "Export…", "Delete 3 chats")
    ]
    with projects.qtbot.waitSignal(rows.export_requested) as exported:
        projects.choose("Export…")
    assert exported.args == [[1, 3, 4]]
    with projects.qtbot.waitSignal(rows.delete_requested) as deleted:
        press(projects, Qt.Key.Key_Delete)
    assert deleted.args == [[1, 3, 4]]


def test_shift_selects_a_range_without_what_is_between_chats(projects: Driver) -> None:
    projects.click("Rust")
    projects.sidebar.list.select(2)
    pick(projects, "Moon", modifier=SHIFT)
    assert projects.selected == ["Rust", "Poem", "Moon"]
    press(projects, Qt.Key.Key_A, CTRL)
    assert projects.selected == list(TITLES)


def test_the_keyboard_selects_several_and_escape_ends_it(projects: Driver) -> None:
    projects.sidebar.list.select(3)
    projects.go_to("Poem")
    press(projects, Qt.Key.Key_Down, SHIFT)
    assert projects.selected == ["Poem", "Moon"]
    override = QKeyEvent(QKeyEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(projects.list, override)
    assert override.isAccepted()
    press(projects, Qt.Key.Key_Escape)
    assert projects.selected == ["Poem"]


def test_a_selection_survives_news_and_ends_with_a_click(projects: Driver) -> None:
    projects.sidebar.list.select(1)
    pick(projects, "Poem")
    show(projects)
    assert projects.selected == ["Sky", "Poem"]
    show(projects, folded=True)
    projects.sidebar.list.select(3)
    assert projects.selected == ["Poem"]


def test_a_menu_beside_the_selection_means_its_own_line(projects: Driver) -> None:
    projects.sidebar.list.select(1)
    pick(projects, "Rust")
    projects.click_more("Moon")
    with projects.qtbot.waitSignal(projects.sidebar.list.delete_requested) as deleted:
        projects.choose("Delete")
    assert deleted.args == [[4]]


def test_search_hits_are_not_selected(projects: Driver) -> None:
    projects.search.setText("sky")
    projects.sidebar.show_hits([SearchHit(1, "Sky", None, "Sky", project="Garden"), SearchHit(3, "Poem", 9, "a sky")])
    press(projects, Qt.Key.Key_A, CTRL)
    assert projects.selected == []
    spoken = projects.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Sky, Garden: Sky"


def drop(driver: Driver, data: QMimeData, title: str) -> bool:
    """Whether it was taken."""
    place = driver.list.visualRect(driver.line(title)).center()
    copy, button, no_modifier = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(place, copy, data, button, no_modifier)
    QApplication.sendEvent(driver.list.viewport(), entered)
    driver.list.viewport().grab()
    if entered.isAccepted():
        QApplication.sendEvent(driver.list.viewport(), QDropEvent(QPointF(place), copy, data, button, no_modifier))
    return entered.isAccepted()


def test_chats_are_dropped_on_projects_and_beside_them(projects: Driver) -> None:
    moved = QSignalSpy(projects.sidebar.list.move_requested)
    for title in ("Thesis", "Sky", "Today"):
        assert drop(projects, chats_to_mime([3, 4]), title)
    assert [moved.at(number) for number in range(3)] == [[[3, 4], 8], [[3, 4], 7], [[3, 4], None]]
    files = QMimeData()
    files.setText("text")
    assert not drop(projects, files, "Thesis")


@pytest.mark.parametrize(("picked", "dragged"), [((), [3]), (("Sky", "Poem"), [1, 3])])
def test_the_mouse_drags_what_is_selected(
    projects: Driver, monkeypatch: pytest.MonkeyPatch, picked: Sequence[str], dragged: list[int]
) -> None:
    """Qt's own loop for dragging would wait for a real mouse."""
    begun: list[list[int]] = []
    name = "specchat.ui.sidebar.conversation_list_view.drag_chats"
    monkeypatch.setattr(name, lambda chats, words, source: begun.append(chats))
    pick(projects, *picked)
    place, viewport = projects.list.visualRect(projects.line("Poem")).center(), projects.list.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseMove(viewport, place + QPoint(2, 0))
    QTest.mouseMove(viewport, place + QPoint(2, 40))
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place + QPoint(2, 40))
    assert begun == [dragged]


def test_it_is_painted_in_every_state(projects: Driver) -> None:
    rows = projects.sidebar.list
    for theme in (LIGHT, DARK):
        set_current_theme(theme)
        for folded in (False, True):
            show(projects, folded=folded)
            rows.select(1)
            rows.set_running({1}, {2}, {3})
            projects.go_to("Garden")
            assert not projects.list.grab().isNull()
    set_current_theme(LIGHT)
