from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QMenu, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.ui.composer import ContextPart, ContextUsage
from specchat.ui.overlay.floating_panel import SHADOW
from specchat.ui.pair.pair_button import PairButtonState
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.transcript import Entry, EntryDetails
from specchat.ui.transcript.text_formats import ROW_HEIGHT
from specchat.ui.widgets.theme import GRID, LIGHT, TITLE_PX, scaled_px
from specchat.ui.widgets.theme_service import set_current_theme
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.window_page import WindowPage
from specchat.ui.window.window_state import WindowState

ANSWER = Entry(1, Role.ASSISTANT, "words " * 1000)


@pytest.fixture
def window(qtbot: QtBot, settings_model: SettingsModel) -> MainWindow:
    made = MainWindow(settings_model, lambda _: EntryDetails())
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show_welcome(False)
    made.transcript.show_entries([ANSWER])
    made.composer.set_context_usage(ContextUsage(((ContextPart.MESSAGE, 100),), 4096))
    made.show_overlay(True)
    with qtbot.waitExposed(made):
        made.show()
    return made


def place(window: MainWindow, widget: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def child(window: MainWindow, name: str) -> QWidget:
    found = window.findChild(QWidget, name)
    assert found is not None
    return found


def text_area(window: MainWindow) -> QRect:
    view = window.transcript
    area = place(window, view.viewport())
    return QRect(area.left() + view.column_left, area.top(), view.message_layout.width, area.height())


def overlay_is_clear(window: MainWindow) -> bool:
    return not place(window, window.overlay).intersects(text_area(window))


def resized(qtbot: QtBot, window: MainWindow, width: int, *, folded: bool) -> None:
    window.resize(width, 600)
    qtbot.waitUntil(lambda: window.overlay.is_folded is folded)


def test_where_there_is_little_room_the_overlay_is_folded_below_the_text(qtbot: QtBot, window: MainWindow) -> None:
    resized(qtbot, window, 900, folded=True)
    qtbot.waitUntil(lambda: overlay_is_clear(window))
    assert window.overlay.is_docked
    assert place(window, window.composer).contains(place(window, window.overlay).center())
    resized(qtbot, window, 1600, folded=False)
    qtbot.waitUntil(lambda: overlay_is_clear(window))


@pytest.mark.parametrize("width", [900, 1240, 1300, 1400, 1600])
def test_unfolded_the_overlay_leaves_the_text_alone(qtbot: QtBot, window: MainWindow, width: int) -> None:
    window.resize(width, 600)
    qtbot.waitUntil(lambda: window.transcript.isVisible() and window.width() == width)
    window.update_overlay_layout()
    window.overlay.set_folded(False)
    assert overlay_is_clear(window)
    window.overlay.set_folded(True)
    assert overlay_is_clear(window)


def test_its_card_begins_where_the_first_bubble_does(qtbot: QtBot, window: MainWindow) -> None:
    window.transcript.show_entries([Entry(1, Role.USER, "Hello")])
    resized(qtbot, window, 1600, folded=False)
    row, top = next(window.transcript.visible_rows())
    bubble = text_area(window).top() + top + row.bubble_rect().top()
    assert place(window, window.overlay).top() + SHADOW == bubble


def test_in_the_smallest_window_nothing_lies_over_anything(qtbot: QtBot, window: MainWindow) -> None:
    window.header.set_title("A title that is much longer than there is room for")
    window.header.pair.show_state(PairButtonState("a-target-with-a-long-name", "a-draft-with-a-long-name"))
    window.status.setText("Words that are too many")
    window.show_colours(True)
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: window.size() == window.minimumSize())
    assert 0 < place(window, window.header.pair).right() < place(window, window.header.colours).left()
    assert window.legend.isHidden() or place(window, window.status).right() < place(window, window.legend).left()
    assert place(window, window.header.more).right() <= window.rect().right()
    assert place(window, window.legend).right() <= place(window, window.composer).right()


def test_what_happens_is_told_in_full_and_the_colours_wait(qtbot: QtBot, window: MainWindow) -> None:
    window.show_colours(True)
    window.resize(900, 600)
    qtbot.waitUntil(window.legend.isVisible)
    window.status.setText("Loading a model with quite a long name… Your question is sent then. Press Esc to stop.")
    qtbot.waitUntil(lambda: not window.legend.isVisible())
    assert window.status.width() >= window.status.sizeHint().width()
    window.status.setText("")
    qtbot.waitUntil(window.legend.isVisible)
    window.show_colours(False)
    assert not window.legend.isVisible()


def test_the_colours_keep_their_lines(qtbot: QtBot, window: MainWindow) -> None:
    """Beside few words they stand in one; rather than break into two for a moment they go."""
    window.show_colours(True)
    window.resize(1200, 600)
    qtbot.waitUntil(window.legend.isVisible)
    room = window._status_bar.width() - window.legend.sizeHint().width()
    assert room > 0
    words = ""
    while window.legend.isVisible():
        assert window.legend.width() >= window.legend.sizeHint().width()
        words += "i"
        window.status.setText(words)
        qtbot.wait(1)
    assert window.status.sizeHint().width() <= room


def test_a_title_has_a_third_beside_long_names(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1240, 600)
    window.header.pair.show_state(PairButtonState("a-target-with-a-long-name" * 2, "a-draft-with-a-long-name" * 2))
    qtbot.waitUntil(lambda: window.header.pair.width() > child(window, "chatTitle").width())
    assert window.header.pair.width() <= 2 * child(window, "chatTitle").width() + 1


def test_in_a_small_window_the_pair_takes_the_room_of_the_title(qtbot: QtBot, window: MainWindow) -> None:
    """The list shows the title as well."""
    window.header.pair.show_state(PairButtonState("a-target-with-a-long-name" * 2, "a-draft-with-a-long-name" * 2))
    window.resize(720, 500)
    qtbot.waitUntil(lambda: not child(window, "chatTitle").isVisible())
    qtbot.waitUntil(lambda: window.header.pair.width() > window.header.width() // 2)
    window.resize(1200, 800)
    qtbot.waitUntil(child(window, "chatTitle").isVisible)


def test_what_a_small_window_has_no_room_for_can_be_scrolled_to(qtbot: QtBot, window: MainWindow) -> None:
    window.show_welcome(True)
    window.welcome.show_state("Welcome", "Words. " * 100, ["One", "Two", "Three"], can_add=True)
    window.resize(window.minimumSize())
    view = window.welcome.findChild(QScrollArea)
    assert view is not None
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 0)
    for label in window.welcome.findChildren(QLabel):
        assert label.height() >= label.heightForWidth(label.width())


def test_the_welcome_follows_the_text_size(window: MainWindow, choose_text_size: Callable[[int], None]) -> None:
    choose_text_size(22)
    set_current_theme(LIGHT)
    title = window.welcome.findChild(QLabel)
    assert title is not None
    assert title.font().pixelSize() == scaled_px(TITLE_PX) > TITLE_PX


@pytest.mark.parametrize("bottom", [False, True])
def test_where_nothing_fits_beside_it_the_welcome_begins_below_it(
    qtbot: QtBot, window: MainWindow, bottom: bool
) -> None:
    window.show_welcome(True)
    window.welcome.show_state("Welcome", "Words. " * 10, ["One", "Two", "Three"], can_add=True)
    resized(qtbot, window, 800, folded=True)
    window.overlay.restore_state(replace(window.overlay.state(), folded=False, bottom=bottom))
    qtbot.waitUntil(lambda: not place(window, window.overlay).intersects(place(window, window.welcome)))
    assert window.overlay.covered_width < window.width() - window.sidebar.width()
    window.overlay.set_folded(True)
    pages = window.welcome.parentWidget()
    assert pages is not None
    qtbot.waitUntil(lambda: window.welcome.size() == pages.size())


@pytest.mark.parametrize(
    ("width", "height", "pixels"),
    [(640, 480, 12), (640, 480, 15), (800, 480, 15), (760, 540, 15), (800, 600, 22), (960, 600, 22)],
)
def test_where_there_is_little_height_the_overlay_is_flat(
    qtbot: QtBot, window: MainWindow, width: int, height: int, choose_text_size: Callable[[int], None], pixels: int
) -> None:
    choose_text_size(pixels)
    set_current_theme(LIGHT)
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.overlay.is_folded and window.height() == height)
    window.overlay.set_folded(False)
    assert window.overlay.height() < window.overlay.upright_size.height()
    qtbot.waitUntil(lambda: overlay_is_clear(window))
    assert place(window, window).contains(place(window, window.overlay))
    window.resize(2000, 900)
    qtbot.waitUntil(lambda: window.overlay.size() == window.overlay.upright_size)


def test_flat_it_leaves_more_than_a_few_lines(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(640, 480)
    qtbot.waitUntil(lambda: window.overlay.is_folded and window.height() == 480)
    window.overlay.set_folded(False)
    qtbot.waitUntil(lambda: overlay_is_clear(window))
    assert window.transcript.height() >= 6 * ROW_HEIGHT


def test_where_it_would_leave_no_room_at_all_the_overlay_stays_folded(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: window.size() == window.minimumSize())
    window.overlay.set_folded(False)
    assert window.overlay.is_folded


def test_it_opens_within_the_screen(qtbot: QtBot, settings_model: SettingsModel) -> None:
    made = MainWindow(settings_model, lambda _: EntryDetails())
    qtbot.addWidget(made)
    room = made.screen().availableGeometry()
    assert made.width() <= room.width()
    assert made.height() < room.height()


def test_moved_to_the_other_side_it_leaves_the_text_alone_too(qtbot: QtBot, window: MainWindow) -> None:
    resized(qtbot, window, 1400, folded=False)
    before = text_area(window).left()
    window.overlay.restore_state(replace(window.overlay.state(), right=False))
    assert overlay_is_clear(window)
    assert text_area(window).left() > before


def test_the_composer_is_as_wide_as_the_text(
    qtbot: QtBot, window: MainWindow, choose_text_size: Callable[[int], None]
) -> None:
    window.resize(1600, 900)
    for pixels in (12, 17):
        choose_text_size(pixels)
        set_current_theme(LIGHT)
        qtbot.waitUntil(lambda: 0 < window.composer.width() - window.transcript.message_layout.width < 5 * GRID)


def test_a_notice_covers_no_text(window: MainWindow) -> None:
    before = place(window, window.transcript)
    window.notice.show_notice("Message deleted", "Undo", lambda: None)
    notice = place(window, window.notice)
    assert place(window, window.transcript) == before
    assert not notice.intersects(before)
    assert not notice.intersects(place(window, window.composer))
    words = window.notice.findChild(QLabel, "noticeText")
    assert words is not None
    assert words.text() == "Message deleted"


def test_nothing_moves_when_the_colours_are_explained(window: MainWindow) -> None:
    before = place(window, window.transcript)
    window.show_colours(True)
    assert place(window, window.transcript) == before


def test_the_menu_button_knows_that_the_mouse_has_left_it(qtbot: QtBot, window: MainWindow) -> None:
    """A menu takes the news of it."""
    more, menu = window.header.more, QMenu(window)
    menu.addAction("Trash…")
    window.header.set_menu(menu)
    QCursor.setPos(window.mapToGlobal(window.rect().bottomLeft()))
    more.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    menu.popup(more.mapToGlobal(more.rect().bottomLeft()))
    qtbot.waitUntil(menu.isVisible)
    menu.close()
    assert not more.underMouse()


class Page(WindowPage):
    def __init__(self, layers: int = 0) -> None:
        super().__init__()
        self.setWindowTitle("Models")
        self.layers = layers

    def go_back(self) -> bool:
        self.layers -= 1
        return self.layers >= 0


def test_a_page_takes_the_place_of_the_chat_and_leads_back(window: MainWindow) -> None:
    window.set_chat_title("Tides")
    page = Page()
    window.show_page(page)
    assert (window.page, window.windowTitle()) == (page, "Models – specchat")
    seen = window.composer, window.header, window.overlay, window.transcript
    assert [part.isVisible() for part in seen] == [False] * 4
    back = window.findChild(QAbstractButton, "backToChat")
    assert back is not None
    back.click()
    assert (window.page, window.windowTitle()) == (None, "Tides – specchat")
    assert [part.isVisible() for part in seen] == [True] * 4


def test_what_lies_on_top_of_a_page_is_left_first(window: MainWindow) -> None:
    page = Page(layers=1)
    window.show_page(page)
    assert window.leave_page()
    assert window.page is page
    assert window.leave_page()
    assert window.page is None
    assert not window.leave_page()


def test_an_error_is_seen_beside_a_page(window: MainWindow) -> None:
    window.show_page(Page())
    window.problem.show_error(UserError("The disk is full.", "Make room."))
    assert window.problem.isVisible()


def test_a_page_has_all_the_room_while_nothing_is_told(qtbot: QtBot, window: MainWindow) -> None:
    def has_all_room() -> bool:
        return place(window, page).bottom() == window.rect().bottom()

    page = Page()
    window.show_page(page)
    qtbot.waitUntil(has_all_room)
    window.show_status("Loading…")
    assert window.status.isVisible()
    qtbot.waitUntil(lambda: place(window, page).bottom() < place(window, window.status).top())
    window.show_status("")
    qtbot.waitUntil(has_all_room)
    window.notice.show_notice("It is downloaded", "Use", lambda: None)
    assert window.notice.isVisible()
    qtbot.waitUntil(lambda: place(window, page).bottom() < place(window, window.notice).top())
    window.notice.dismiss()
    qtbot.waitUntil(has_all_room)
    window.show_chat()
    assert window.status.isVisible()


def test_after_a_dialog_the_message_box_has_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    """Where nothing else had it before."""
    window.overlay.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for place in (None, window.sidebar.list):
        if (focus := window.focusWidget()) is not None:
            focus.clearFocus()
        if place is not None:
            place.setFocus()
        dialog = QDialog(window)
        dialog.open()
        qtbot.waitUntil(dialog.isActiveWindow)  # noqa: B023
        dialog.accept()
        window.activateWindow()  # as window managers do
        qtbot.waitUntil(window.isActiveWindow)
        expected = place or window.composer.focusProxy()
        qtbot.waitUntil(lambda: QApplication.focusWidget() is expected)  # noqa: B023


def test_in_a_narrow_window_a_page_has_the_room_of_the_sidebar(qtbot: QtBot, window: MainWindow) -> None:
    window.show_sidebar(True)
    window.show_page(Page())
    for width, shown in ((1200, True), (700, False), (1200, True)):
        window.resize(width, 600)
        qtbot.waitUntil(lambda: window.sidebar.isVisible() is shown)  # noqa: B023
    window.resize(700, 600)
    window.show_chat()
    assert window.sidebar.isVisible()


def test_a_page_that_needs_little_room_leaves_some_for_the_sidebar(window: MainWindow) -> None:
    class NarrowPage(Page):
        wanted_width = 600

    window.show_sidebar(True)
    window.resize(900, 600)
    for page, shown in ((Page(), False), (NarrowPage(), True)):
        window.show_page(page)
        assert window.sidebar.isVisible() is shown


def test_a_sidebar_that_is_hidden_beside_a_page_stays_hidden(window: MainWindow) -> None:
    window.show_sidebar(True)
    window.show_page(Page())
    window.show_sidebar(False)
    window.resize(1300, 600)
    window.show_chat()
    assert not window.sidebar.isVisible()


def test_what_is_typed_on_a_page_is_no_message(window: MainWindow) -> None:
    window.show_page(Page())
    QTest.keyClicks(window, "words")
    assert window.composer.text == ""


@pytest.fixture
def start(qtbot: QtBot, settings_model: SettingsModel, tmp_path: Path) -> Callable[[int], MainWindow]:
    def started(width: int) -> MainWindow:
        window = MainWindow(settings_model, lambda _: EntryDetails())
        qtbot.addWidget(window)
        window.restore(WindowState(tmp_path / "window.json"))
        window.resize(width, 700)
        with qtbot.waitSignal(window.first_painted):
            window.show()
        qtbot.wait(1)
        return window

    return started


def test_what_the_user_folds_stays_folded(qtbot: QtBot, start: Callable[[int], MainWindow], tmp_path: Path) -> None:
    window = start(1600)
    window.overlay.set_folded(True)
    resized(qtbot, window, 900, folded=True)
    resized(qtbot, window, 1600, folded=True)
    window.store(WindowState(tmp_path / "window.json"))
    for width in (900, 1600):
        assert start(width).overlay.is_folded


def test_what_a_narrow_window_folds_unfolds_in_a_wide_one(
    qtbot: QtBot, start: Callable[[int], MainWindow], tmp_path: Path
) -> None:
    window = start(900)
    assert window.overlay.is_folded
    window.store(WindowState(tmp_path / "window.json"))
    assert not start(1600).overlay.is_folded
    resized(qtbot, window, 1600, folded=False)
    resized(qtbot, window, 900, folded=True)
