from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.choice_rows import ChoiceRow
from specchat.ui.pair.row_painting import HEIGHT, remove_area
from specchat.ui.widgets.theme import BODY_PX, DARK, LIGHT, SMALL_PX, body_font
from specchat.ui.widgets.theme_service import set_current_theme

ROWS = (
    ChoiceRow("a", "A model", "4.7 GB", removable=True),
    ChoiceRow("b", "Another", "1.0 GB"),
    ChoiceRow("c", "A stranger", "Its tokens are others. " * 6, selectable=False),
    ChoiceRow("d", "The last", "2.0 GB", removable=True),
)


@pytest.fixture
def choices(qtbot: QtBot) -> ChoiceList:
    made = ChoiceList("targetList", "Target")
    qtbot.addWidget(made)
    made.resize(440, 400)
    made.show_rows(ROWS, "b")
    made.show()
    qtbot.waitExposed(made)
    return made


def index(choices: ChoiceList, row: int) -> QModelIndex:
    return choices.model().index(row, 0)


def centre(choices: ChoiceList, row: int) -> QPoint:
    return choices.visualRect(index(choices, row)).center()


def selected(choices: ChoiceList) -> list[int]:
    return [found.row() for found in choices.selectedIndexes()]


def click(qtbot: QtBot, choices: ChoiceList, place: QPoint) -> None:
    QTest.mouseClick(choices.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_what_is_shown_is_not_picked(qtbot: QtBot, choices: ChoiceList) -> None:
    with qtbot.assertNotEmitted(choices.picked):
        choices.show_rows(ROWS[1:], "d")
        choices.show_rows(ROWS, "unknown")
    assert selected(choices) == []


def test_a_click_picks(qtbot: QtBot, choices: ChoiceList) -> None:
    with qtbot.waitSignal(choices.picked) as picked:
        click(qtbot, choices, centre(choices, 0))
    assert picked.args == ["a"]
    assert selected(choices) == [0]


def test_what_cannot_be_chosen_takes_nothing_away(qtbot: QtBot, choices: ChoiceList) -> None:
    with qtbot.assertNotEmitted(choices.picked):
        click(qtbot, choices, centre(choices, 2))
    assert selected(choices) == [1]


def test_the_keyboard_reaches_everything(qtbot: QtBot, choices: ChoiceList) -> None:
    with qtbot.assertNotEmitted(choices.picked):
        QTest.keyClick(choices, Qt.Key.Key_Down)
    assert choices.currentIndex().row() == 2
    assert selected(choices) == [1]
    with qtbot.waitSignal(choices.picked) as picked:
        QTest.keyClick(choices, Qt.Key.Key_Down)
    assert picked.args == ["d"]
    assert selected(choices) == [3]


def test_screen_readers_hear_the_reason(choices: ChoiceList) -> None:
    role = Qt.ItemDataRole.AccessibleTextRole
    assert index(choices, 1).data(role) == "Another, 1.0 GB"
    assert index(choices, 2).data(role).startswith("A stranger, not available: Its tokens are others.")
    interface = QAccessible.queryAccessibleInterface(choices)
    assert interface.text(QAccessible.Text.Name) == "Target"
    assert interface.childCount() == len(ROWS)
    assert interface.child(2).text(QAccessible.Text.Name).startswith("A stranger, not available")


def test_the_cross_takes_a_row_off_the_list(qtbot: QtBot, choices: ChoiceList) -> None:
    cross = remove_area(choices.visualRect(index(choices, 0))).center()
    with qtbot.assertNotEmitted(choices.picked), qtbot.waitSignal(choices.removed) as removed:
        click(qtbot, choices, cross)
    assert removed.args == ["a"]
    with qtbot.assertNotEmitted(choices.removed):
        click(qtbot, choices, remove_area(choices.visualRect(index(choices, 1))).center())


def test_the_delete_key_does_too(qtbot: QtBot, choices: ChoiceList) -> None:
    with qtbot.assertNotEmitted(choices.removed):
        QTest.keyClick(choices, Qt.Key.Key_Delete)
    QTest.keyClick(choices, Qt.Key.Key_Up)
    with qtbot.waitSignal(choices.removed) as removed:
        QTest.keyClick(choices, Qt.Key.Key_Delete)
    assert removed.args == ["a"]


def test_the_context_menu_does_too(qtbot: QtBot, choices: ChoiceList) -> None:
    def ask(row: int) -> None:
        place = centre(choices, row)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, choices.viewport().mapToGlobal(place))
        QApplication.sendEvent(choices.viewport(), event)

    ask(1)
    assert choices.findChild(QMenu) is None
    ask(3)
    menu = choices.findChild(QMenu)
    assert isinstance(menu, QMenu)
    with qtbot.waitSignal(choices.removed) as removed:
        menu.actions()[0].trigger()
    assert removed.args == ["d"]
    menu.close()
    qtbot.waitUntil(lambda: choices.findChild(QMenu) is None)


def test_enter_is_for_the_panel_around_it(choices: ChoiceList) -> None:
    """Nothing happens to the list, and nothing breaks."""
    QTest.keyClick(choices, Qt.Key.Key_Return)
    assert selected(choices) == [1]


def test_long_reasons_take_a_second_line(choices: ChoiceList) -> None:
    heights = [choices.visualRect(index(choices, row)).height() for row in range(len(ROWS))]
    assert heights[0] == heights[1] == heights[3] == HEIGHT < heights[2] < 2 * HEIGHT


def test_hovering_and_themes_paint_without_complaint(qtbot: QtBot, choices: ChoiceList) -> None:
    QTest.mouseMove(choices.viewport(), remove_area(choices.visualRect(index(choices, 0))).center())
    light = choices.grab().toImage()
    set_current_theme(DARK)
    assert choices.grab().toImage() != light
    choices.setEnabled(False)
    choices.grab()


def test_as_high_as_its_rows_up_to_a_limit(choices: ChoiceList) -> None:
    choices.show_rows(ROWS[:2], "a")
    assert choices.sizeHint().height() == 2 * HEIGHT
    choices.show_rows(ROWS[:2] * 3, "a")
    assert choices.sizeHint().height() == 6 * HEIGHT
    choices.show_rows(ROWS * 5, "a")
    assert choices.sizeHint().height() == 5.5 * HEIGHT
    choices.set_compact(few=True)
    assert choices.sizeHint().height() == 3.5 * HEIGHT
    assert choices.minimumSizeHint().height() == 2 * HEIGHT


def test_pointing_elsewhere_is_harmless(qtbot: QtBot, choices: ChoiceList) -> None:
    click(qtbot, choices, QPointF(200, 390).toPoint())
    assert choices.rows == ROWS


@pytest.mark.parametrize("picked", range(7))
@pytest.mark.parametrize("shown", [2.0, 2.5, 3.5])
def test_it_opens_at_whole_rows_with_the_chosen_one_among_them(qtbot: QtBot, picked: int, shown: float) -> None:
    opened = ChoiceList("targetList", "Target")
    qtbot.addWidget(opened)
    opened.resize(440, 100)
    opened.show_rows([replace(ROWS[1], key=key) for key in range(7)], picked)
    opened.show()
    opened.resize(440, round(shown * HEIGHT))
    rows = [opened.visualRect(index(opened, row)) for row in range(7)]
    assert 0 in [row.top() for row in rows] or rows[-1].bottom() == opened.viewport().rect().bottom()
    assert opened.viewport().rect().contains(opened.visualRect(index(opened, picked)))


@pytest.mark.parametrize("shown", [2.0, 2.5, 3.5])
def test_below_the_last_row_nothing_is_empty(qtbot: QtBot, choices: ChoiceList, shown: float) -> None:
    choices.resize(440, round(shown * HEIGHT))
    choices.verticalScrollBar().setValue(choices.verticalScrollBar().maximum())
    assert choices.visualRect(index(choices, 3)).bottom() == choices.viewport().rect().bottom()


def test_choosing_what_is_in_sight_scrolls_nothing(qtbot: QtBot, choices: ChoiceList) -> None:
    choices.show_rows([replace(ROWS[1], key=key) for key in range(20)], 0)
    choices.verticalScrollBar().setValue(30)
    click(qtbot, choices, centre(choices, 3))
    choices.show_rows(choices.rows, 3)
    assert choices.verticalScrollBar().value() == 30


def test_rows_are_as_high_as_their_text(choices: ChoiceList, choose_text_size: Callable[[int], None]) -> None:
    choose_text_size(22)
    set_current_theme(LIGHT)
    choices.executeDelayedItemsLayout()
    text = sum(QFontMetrics(body_font(pixels)).height() for pixels in (BODY_PX, SMALL_PX))
    assert choices.visualRect(index(choices, 0)).height() > max(text, HEIGHT)


def test_headings_are_passed_over(qtbot: QtBot, choices: ChoiceList) -> None:
    heading = ChoiceRow("studio", "studio", "", selectable=False, place="LM Studio", is_heading=True)
    choices.show_rows((*ROWS[:2], heading, ROWS[3]), "b")
    choices.setFocus()
    QTest.keyClick(choices, Qt.Key.Key_Down)
    assert selected(choices) == [3]
    QTest.keyClick(choices, Qt.Key.Key_Up)
    assert selected(choices) == [1]
    click(qtbot, choices, centre(choices, 2))
    assert selected(choices) == [1]
    assert choices.visualRect(index(choices, 2)).height() < HEIGHT
    spoken = choices.model().data(index(choices, 2), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "studio, LM Studio"
