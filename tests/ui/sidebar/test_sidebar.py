from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QHelpEvent, QKeyEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolButton, QToolTip
from ui.sidebar.driver import NOW, TITLES, Driver, conversations

from specchat.domain.conversations import Conversation
from specchat.ui.sidebar.row_painting import shorten_title
from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.theme import DARK, LIGHT, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import set_current_theme


def test_buttons_ask_for_what_they_say(driver: Driver) -> None:
    sidebar = driver.sidebar
    for kind, name, signal in (
        (QPushButton, "newChatButton", sidebar.new_chat_requested),
        (QToolButton, "settingsButton", sidebar.settings_requested),
        (QToolButton, "collapseButton", sidebar.collapse_requested),
    ):
        button = driver.child(kind, name)
        assert button.accessibleName()
        with driver.qtbot.waitSignal(signal):
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_click_opens_and_the_window_says_what_is_open(driver: Driver) -> None:
    assert driver.lines == ["Today", *TITLES]
    with driver.qtbot.waitSignal(driver.sidebar.list.open_requested) as opened:
        driver.click("Rust")
    assert opened.args == [2]
    assert driver.selected == []
    driver.sidebar.list.select(2)
    assert driver.selected == ["Rust"]


def test_headings_cannot_be_opened(driver: Driver) -> None:
    opened = QSignalSpy(driver.sidebar.list.open_requested)
    driver.click("Today")
    assert opened.count() == 0


def test_arrows_move_without_opening_and_enter_opens(driver: Driver) -> None:
    driver.sidebar.list.select(1)
    driver.list.setFocus()
    opened = QSignalSpy(driver.sidebar.list.open_requested)
    driver.press(Qt.Key.Key_Down)
    driver.press(Qt.Key.Key_Down)
    assert (opened.count(), driver.selected) == (0, ["Sky"])
    with driver.qtbot.waitSignal(driver.sidebar.list.open_requested) as signal:
        driver.press(Qt.Key.Key_Return)
    assert signal.args == [3]


def test_arrows_pass_over_headings(driver: Driver) -> None:
    driver.sidebar.show_conversations(conversations(pinned=3), NOW)
    driver.go_to("Poem")
    driver.press(Qt.Key.Key_Down)
    assert driver.list.currentIndex().data() == "Sky"


def test_delete_key_asks_for_deletion_and_the_next_line_becomes_current(driver: Driver) -> None:
    driver.sidebar.list.select(1)
    driver.go_to("Rust")
    with driver.qtbot.waitSignal(driver.sidebar.list.delete_requested) as deleted:
        driver.press(Qt.Key.Key_Delete)
    assert deleted.args == [[2]]
    driver.sidebar.show_conversations([c for c in conversations() if c.id != 2], NOW)
    assert driver.list.currentIndex().data() == "Poem"
    assert driver.selected == ["Sky"]


def test_renaming_happens_in_place(driver: Driver) -> None:
    driver.go_to("Rust")
    driver.sidebar.rename()
    field = driver.rename_field()
    field.setText("  Borrowing  ")
    with driver.qtbot.waitSignal(driver.sidebar.list.renamed) as renamed:
        driver.press(Qt.Key.Key_Return, field)
    assert renamed.args == [2, "Borrowing"]


def test_escape_and_an_empty_title_change_nothing(driver: Driver) -> None:
    renamed = QSignalSpy(driver.sidebar.list.renamed)
    for text, key in (("Other", Qt.Key.Key_Escape), (" ", Qt.Key.Key_Return)):
        driver.go_to("Rust")
        driver.sidebar.rename()
        field = driver.rename_field()
        field.setText(text)
        driver.press(key, field)
        driver.qtbot.waitUntil(driver.list.hasFocus)
    assert renamed.count() == 0


def test_from_elsewhere_the_open_one_is_renamed_and_the_keyboard_returns(driver: Driver) -> None:
    driver.click("Rust")
    driver.sidebar.list.select(2)
    driver.elsewhere.setFocus()
    driver.sidebar.rename()
    field = driver.rename_field()
    assert field.hasFocus()
    assert field.text() == "Rust"
    field.setText("Borrowing")
    with driver.qtbot.waitSignal(driver.sidebar.list.renamed) as renamed:
        driver.press(Qt.Key.Key_Return, field)
    assert renamed.args == [2, "Borrowing"]
    driver.qtbot.waitUntil(driver.elsewhere.hasFocus)


def test_enter_ends_renaming_and_opens_nothing(driver: Driver) -> None:
    opened = QSignalSpy(driver.sidebar.list.open_requested)
    driver.go_to("Sky")
    driver.click_more("Poem")
    driver.choose("Rename")
    field = driver.rename_field()
    field.setText("Verse")
    with driver.qtbot.waitSignal(driver.sidebar.list.renamed):
        driver.press(Qt.Key.Key_Return, field)
    assert opened.count() == 0


def test_renaming_while_nothing_is_open_does_nothing(driver: Driver) -> None:
    driver.elsewhere.setFocus()
    driver.sidebar.rename()
    assert driver.elsewhere.hasFocus()


def test_news_wait_while_a_title_is_written(driver: Driver) -> None:
    driver.go_to("Rust")
    driver.sidebar.rename()
    driver.rename_field().setText("Half a ti")
    driver.sidebar.show_conversations(conversations(["Fresh", *TITLES]), NOW)
    assert driver.rename_field().text() == "Half a ti"
    driver.press(Qt.Key.Key_Escape, driver.rename_field())
    driver.qtbot.waitUntil(lambda: "Fresh" in driver.lines)


def test_the_menu_acts_on_the_line_it_was_opened_for(driver: Driver) -> None:
    sidebar = driver.sidebar
    for words, signal, meant in (
        ("Pin", sidebar.list.pin_toggled, 2),
        ("Export…", sidebar.list.export_requested, [2]),
        ("Delete", sidebar.list.delete_requested, [2]),
    ):
        driver.click_more("Rust")
        with driver.qtbot.waitSignal(signal) as chosen:
            driver.choose(words)
        assert chosen.args == [meant]


def test_the_menu_key_opens_the_menu_of_the_current_line(driver: Driver) -> None:
    driver.go_to("Poem")
    QApplication.sendEvent(driver.list, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    with driver.qtbot.waitSignal(driver.sidebar.list.delete_requested) as deleted:
        driver.choose("Delete")
    assert deleted.args == [[3]]


def test_a_right_click_beside_the_conversations_opens_nothing(driver: Driver) -> None:
    for place in (driver.list.visualRect(driver.line("Today")).center(), QPoint(50, driver.list.height() - 2)):
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, driver.list.mapToGlobal(place))
        QApplication.sendEvent(driver.list.viewport(), event)
    assert driver.list.findChildren(QMenu) == []


def test_holding_the_delete_key_deletes_one(driver: Driver) -> None:
    driver.go_to("Rust")
    deleted = QSignalSpy(driver.sidebar.list.delete_requested)
    for repeated in (False, True, True):
        key = Qt.Key.Key_Delete
        event = QKeyEvent(QKeyEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, "", repeated)
        QApplication.sendEvent(driver.list, event)
    assert deleted.count() == 1


def test_rename_from_the_menu_opens_the_field(driver: Driver) -> None:
    driver.click_more("Poem")
    driver.choose("Rename")
    driver.qtbot.waitUntil(lambda: driver.rename_field().text() == "Poem")


def test_the_more_button_does_not_open_the_conversation(driver: Driver) -> None:
    opened = QSignalSpy(driver.sidebar.list.open_requested)
    driver.click("Rust")
    driver.click_more("Rust")
    assert opened.count() == 1
    assert [action.text() for action in driver.menu.actions() if action.text()] == [
        *("Rename", "Pin", "Move to project", "Export…", "Delete"),
    ]


def test_a_pinned_conversation_offers_to_be_unpinned_and_says_it_is_pinned(driver: Driver) -> None:
    driver.sidebar.show_conversations(conversations(pinned=2), NOW)
    assert driver.lines == ["Pinned", "Rust", "Today", "Sky", "Poem"]
    assert driver.line("Rust").data(Qt.ItemDataRole.AccessibleTextRole) == "Rust, pinned"
    driver.click_more("Rust")
    driver.choose("Unpin")


def test_screen_readers_hear_which_answer_is_being_written(driver: Driver) -> None:
    driver.sidebar.list.set_running({1}, set())
    assert driver.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole) == "Sky, answering"
    driver.sidebar.list.set_running(set(), set())
    assert driver.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole) == "Sky"


def test_a_chat_that_waits_is_marked_otherwise(driver: Driver) -> None:
    driver.sidebar.list.set_running({1}, set())
    busy = driver.list.grab().toImage()
    driver.sidebar.list.set_running(set(), {1})
    assert driver.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole) == "Sky, waiting"
    waiting = driver.list.grab().toImage()
    driver.sidebar.list.set_running(set(), set())
    assert busy != waiting != driver.list.grab().toImage()


def test_busy_dot_is_painted_in_the_accent_colour(driver: Driver) -> None:
    quiet = driver.list.grab().toImage()
    driver.sidebar.list.set_running({1}, set())
    busy = driver.list.grab().toImage()
    assert quiet != busy
    set_current_theme(DARK)
    assert driver.list.grab().toImage() != busy


def test_an_unsent_message_is_marked_where_it_is_not_open(driver: Driver) -> None:
    plain = driver.list.grab().toImage()
    driver.sidebar.show_conversations(
        [replace(each, unsent_text="Why" * (each.id == 1)) for each in conversations()], NOW
    )
    assert driver.list.grab().toImage() != plain
    assert driver.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole) == "Sky, unsent message"
    assert driver.line("Rust").data(Qt.ItemDataRole.AccessibleTextRole) == "Rust"
    place = driver.list.visualRect(driver.line("Sky")).center()
    QApplication.sendEvent(
        driver.list.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, driver.list.viewport().mapToGlobal(place))
    )
    assert QToolTip.text() == "This chat has an unsent message."
    driver.sidebar.list.select(1)
    opened = driver.list.grab().toImage()
    driver.sidebar.show_conversations(conversations(), NOW)
    assert driver.list.grab().toImage() == opened


@pytest.mark.parametrize("room", [80, 150, 400])
def test_the_number_of_a_branch_is_never_cut_off(driver: Driver, room: int) -> None:
    font = driver.list.font()
    shown = shorten_title("What is a draft model? (12)", font, room)
    assert shown.endswith(" (12)")
    assert QFontMetrics(font).horizontalAdvance(shown) <= room
    assert (shown == "What is a draft model? (12)") is (room == 400)


def test_five_thousand_conversations_keep_place_and_selection_when_news_come(driver: Driver) -> None:
    many = [Conversation(n, f"Conversation {n}", NOW, NOW - n) for n in range(5000)]
    driver.sidebar.show_conversations(many, NOW)
    driver.sidebar.list.select(3000)
    scroll_bar = driver.list.verticalScrollBar()
    scroll_bar.setValue(scroll_bar.maximum() // 3)
    place = scroll_bar.value()
    driver.sidebar.show_conversations(many[:-1], NOW)
    assert (scroll_bar.value(), driver.selected) == (place, ["Conversation 3000"])


def test_an_empty_list_says_so(driver: Driver) -> None:
    driver.sidebar.show_conversations([], NOW)
    assert not driver.list.isVisible()
    driver.sidebar.show_conversations(conversations(), NOW)
    assert driver.list.isVisible()


def test_search_and_settings_follow_the_text_size(driver: Driver, choose_text_size: Callable[[int], None]) -> None:
    settings = driver.child(QToolButton, "settingsButton")
    for pixels in (22, 12):
        choose_text_size(pixels)
        set_current_theme(LIGHT)
        assert driver.search.font().pixelSize() == settings.font().pixelSize() == scaled_px(SMALL_PX) != SMALL_PX


def test_a_chat_in_which_a_tool_waits_for_consent_is_marked_otherwise(driver: Driver) -> None:
    driver.sidebar.list.set_running(set(), {1})
    waiting = driver.list.grab().toImage()
    driver.sidebar.list.set_running(set(), set(), {1})
    told = "Sky, waiting for your permission to run a tool"
    assert driver.line("Sky").data(Qt.ItemDataRole.AccessibleTextRole) == told
    asking = driver.list.grab().toImage()
    driver.sidebar.list.set_running(set(), set())
    assert waiting != asking != driver.list.grab().toImage()


def test_a_line_ends_the_chats(driver: Driver) -> None:
    """Models, Benchmark and Settings would look like more of them."""
    line, models = driver.child(Separator, ""), driver.child(QToolButton, "modelsButton")
    assert driver.list.geometry().bottom() < line.geometry().top() <= line.geometry().bottom() < models.geometry().top()
    assert line.width() == driver.sidebar.width()
