import pytest
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QToolButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.mouse import Mouse
from ui.transcript.seen import answer, mine, point_of, row, streaming

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.ui.transcript import Entry, EntryDetails, TranscriptView
from specchat.ui.transcript.action_widgets import ActionKind, MessageMenu
from specchat.ui.transcript.footer import fitted_footer
from specchat.ui.transcript.message_row import MessageRow
from specchat.ui.widgets.theme import GRID


def hover(view: TranscriptView, entry_id: int, text: str) -> None:
    Mouse(view).move(point_of(view, entry_id, text))


def button(view: TranscriptView, name: str) -> QAbstractButton:
    found = view.findChild(QAbstractButton, name)
    assert isinstance(found, QAbstractButton)
    return found


def visible_buttons(view: TranscriptView) -> set[str]:
    bar = view.findChild(QWidget, "messageActions")
    assert isinstance(bar, QWidget)
    return {child.objectName() for child in bar.findChildren(QToolButton) if child.isVisible()}


def test_actions_are_seen_under_the_message_that_the_mouse_is_over(show: Open) -> None:
    view = show(mine(1, "Question"), answer(2, "Reply"))
    height = view.message_layout.height
    assert visible_buttons(view) == set()
    hover(view, 1, "Question")
    assert visible_buttons(view) == {
        "copyMessageButton",
        "editMessageButton",
        "branchMessageButton",
        "deleteMessageButton",
    }
    hover(view, 2, "Reply")
    assert visible_buttons(view) == {
        "copyMessageButton",
        "editMessageButton",
        "regenerateMessageButton",
        "branchMessageButton",
        "deleteMessageButton",
    }
    assert view.message_layout.height == height
    view.viewportEvent(QEvent(QEvent.Type.Leave))
    assert visible_buttons(view) == set()


def test_the_bar_stands_in_the_foot_of_its_message(show: Open) -> None:
    view = show(mine(1, "Question"), answer(2, "Reply"))
    hover(view, 2, "Reply")
    bar = view.findChild(QWidget, "messageActions")
    area = view.row_area(row(view, 2))
    assert isinstance(bar, QWidget)
    assert area
    assert bar.geometry().right() == area.right()
    assert bar.geometry().top() == area.top() + int(row(view, 2).footer_rect.top())


FOOTER = "44 % accepted · no time saved · speculation off: why · 9.4 tokens/s · 9 tokens"
MODELS = "Target: Sea 7B\nDraft: Sea 1B"


def footer_of(view: TranscriptView, shown: MessageRow) -> str:
    look = view.row_paint_state(shown)
    return fitted_footer(shown, look.foot_room, look.text_formats)


def test_the_figures_take_all_the_room_that_the_buttons_leave(show: Open) -> None:
    view = show(mine(1, "Question"), answer(2, "Reply"), details=lambda _: EntryDetails(footer=FOOTER), size=(590, 400))
    view.grab()
    shown = row(view, 2)
    assert footer_of(view, shown) == FOOTER
    hover(view, 2, "Reply")
    cut = footer_of(view, shown)
    assert cut != FOOTER
    assert cut == "44 % accepted · no time saved · speculation off: why · 9.4 tokens/s"
    hover(view, 1, "Question")
    assert footer_of(view, shown) == FOOTER


def test_figures_stay_while_the_actions_are_there(show: Open) -> None:
    """What there is no room for is in the menu."""
    footer = "44 % of guesses accepted · 12.6 s saved · 31.4 tokens/s · 201 tokens"
    view = show(mine(1, "Question"), answer(2, "Reply"), details=lambda _: EntryDetails(footer=footer))
    view.grab()
    hover(view, 2, "Reply")
    assert footer_of(view, row(view, 2)) == footer
    assert visible_buttons(view) == {"copyMessageButton", "editMessageButton", "moreMessageButton"}
    button(view, "moreMessageButton").click()
    menu = view.findChild(QMenu, "messageMenu")
    assert isinstance(menu, QMenu)
    assert {"Edit answer", "Regenerate", "Start the answer with…"} <= {action.text() for action in menu.actions()}
    menu.close()


def test_an_answer_that_was_cut_off_can_be_continued_without_pointing_at_it(show: Open) -> None:
    details = EntryDetails(footer="length limit reached")
    view = show(mine(1, "Question"), Entry(2, Role.ASSISTANT, "Rep", MessageState.STOPPED), details=lambda _: details)
    view.grab()
    shown, more = row(view, 2), button(view, "continueMessageButton")
    assert more.isVisible()
    look = view.row_paint_state(shown)
    assert more.geometry().right() < look.foot_inset + view.column_left
    assert footer_of(view, shown) == "length limit reached"
    view.set_unavailable({ActionKind.CONTINUE: "This engine can't"})
    assert (more.isEnabled(), more.accessibleName()) == (False, "Continue: This engine can't")
    view.append(mine(3, "Next question"))
    assert not more.isVisible()


def test_where_that_makes_the_rest_fit_the_count_is_left_out(show: Open) -> None:
    footer = "44 % accepted · 12.6 s saved · 31.4 tokens/s · 201 tokens"
    view = show(answer(2, "Reply"), details=lambda _: EntryDetails(footer=footer), size=(376, 400))
    view.grab()
    shown = row(view, 2)
    assert footer_of(view, shown) == "44 % accepted · 12.6 s saved · 31.4 tokens/s"


def tip_below(view: TranscriptView, number: int) -> tuple[str, QRect]:
    """Of the figures of a message, and where it is shown."""
    view.grab()
    shown = row(view, number)
    area = view.row_area(shown)
    assert area
    foot = shown.footer_rect.toRect().translated(area.topLeft()).topLeft() + QPoint(10, 10)
    Mouse(view).move(foot)
    view.viewportEvent(QHelpEvent(QEvent.Type.ToolTip, foot, view.viewport().mapToGlobal(foot)))
    (tip,) = [widget for widget in QApplication.topLevelWidgets() if widget.inherits("QTipLabel")]
    return QToolTip.text(), tip.geometry()


def test_figures_that_are_cut_are_there_in_full(show: Open) -> None:
    view = show(answer(2, "Reply"), details=lambda _: EntryDetails(footer=FOOTER), size=(400, 400))
    words, place = tip_below(view, 2)
    assert words == FOOTER
    area = view.row_area(row(view, 2))
    assert area
    top = view.viewport().mapToGlobal(QPoint(0, round(area.top() + row(view, 2).footer_rect.top()))).y()
    assert top - 5 * GRID <= place.bottom() < top


@pytest.mark.parametrize(("footer", "said"), [("42 tokens", MODELS), (FOOTER, f"{FOOTER}\n{MODELS}")])
def test_beside_the_figures_stands_who_wrote_the_answer(show: Open, footer: str, said: str) -> None:
    view = show(answer(2, "Reply"), details=lambda _: EntryDetails(footer=footer, models=MODELS), size=(400, 400))
    assert tip_below(view, 2)[0] == said


def test_a_question_that_nothing_follows_can_be_answered(show: Open) -> None:
    view = show(mine(1, "Question"))
    hover(view, 1, "Question")
    assert "regenerateMessageButton" in visible_buttons(view)
    assert button(view, "regenerateMessageButton").accessibleName() == "Answer"
    view.append(answer(2, "Reply"))
    hover(view, 2, "Reply")
    assert button(view, "regenerateMessageButton").accessibleName() == "Regenerate"
    hover(view, 1, "Question")
    assert "regenerateMessageButton" not in visible_buttons(view)


@pytest.mark.parametrize(
    ("entry", "name", "signal"),
    [
        (mine(1, "Text"), "editMessageButton", "edit_requested"),
        (mine(1, "Text"), "regenerateMessageButton", "regenerate_requested"),
        (answer(1, "Text"), "regenerateMessageButton", "regenerate_requested"),
        (Entry(1, Role.ASSISTANT, "Text", MessageState.STOPPED), "continueMessageButton", "continue_requested"),
        (answer(1, "Text"), "editMessageButton", "edit_requested"),
        (answer(1, "Text"), "branchMessageButton", "branch_requested"),
        (mine(1, "Text"), "deleteMessageButton", "delete_requested"),
    ],
)
def test_a_button_asks_for_its_message(show: Open, qtbot: QtBot, entry: Entry, name: str, signal: str) -> None:
    view = show(entry)
    hover(view, 1, "Text")
    with qtbot.waitSignal(getattr(view, signal)) as asked:
        button(view, name).click()
    assert asked.args == [1]


def test_what_follows_is_deleted_too_and_said(show: Open) -> None:
    """By the button, also once something comes to follow, and by the menu."""
    view = show(mine(1, "Question"))
    hover(view, 1, "Question")
    delete = button(view, "deleteMessageButton")
    assert delete.accessibleName() == "Delete message"
    view.append(answer(2, "Reply"))
    view.place_controls()
    assert delete.accessibleName() in delete.toolTip() == "Delete from here on"
    for entry_id, words in ((1, "Delete from here on"), (2, "Delete message")):
        shown = row(view, entry_id)
        menu = MessageMenu(shown.entry, view.message_actions.menu_target(shown, None), view)
        assert words in [action.text() for action in menu.actions()]


def test_an_answer_with_versions_keeps_its_actions_in_a_narrow_window(show: Open) -> None:
    entry = Entry(2, Role.ASSISTANT, "Reply", version=2, versions=3)
    view = show(mine(1, "Question"), entry, details=lambda _: EntryDetails(footer=FOOTER), size=(340, 400))
    hover(view, 2, "Reply")
    wanted = {"copyMessageButton", "editMessageButton", "regenerateMessageButton", "moreMessageButton"}
    assert visible_buttons(view) >= wanted


def test_versions_are_turned(show: Open, qtbot: QtBot) -> None:
    view = show(Entry(1, Role.ASSISTANT, "Text", version=2, versions=3))
    hover(view, 1, "Text")
    for name, by in (("previousVersionButton", -1), ("nextVersionButton", 1)):
        with qtbot.waitSignal(view.version_requested) as asked:
            button(view, name).click()
        assert asked.args == [1, by]
    view.replace(Entry(1, Role.ASSISTANT, "Text", version=3, versions=3))
    hover(view, 1, "Text")
    assert not button(view, "nextVersionButton").isEnabled()


def test_a_message_is_copied_as_it_was_written_without_its_reasoning(show: Open) -> None:
    view = show(answer(1, "<think>\nhm\n</think>\n\nSome **Text**"))
    hover(view, 1, "Text")
    button(view, "copyMessageButton").click()
    assert QGuiApplication.clipboard().text() == "Some **Text**"


def test_actions_come_back_when_the_answer_is_done(show: Open) -> None:
    view = show(streaming(1, "Text"))
    hover(view, 1, "Text")
    assert visible_buttons(view) == {"copyMessageButton"}
    view.finish(answer(1, "Text"))
    assert "regenerateMessageButton" in visible_buttons(view)


def test_buttons_have_names(show: Open) -> None:
    view = show(answer(1, "Text"))
    assert view.objectName() == "transcript"
    for widget in (view, *view.findChildren(QToolButton)):
        assert isinstance(widget, QWidget)
        assert widget.accessibleName()
        assert widget.objectName()


def test_a_right_click_opens_the_menu_of_what_is_there(show: Open) -> None:
    view = show(answer(1, "See [the page](https://x.y/z) now."))
    view.open_menu(point_of(view, 1, "page"))
    menu = view.findChild(QMenu, "messageMenu")
    assert isinstance(menu, QMenu)
    assert [action.text() for action in menu.actions()][:2] == ["Open link", "Copy link address"]
    view.open_menu(QPoint(5, 5))
    assert view.findChildren(QMenu, "messageMenu") == [menu]
    menu.close()


def test_a_place_in_a_document_has_no_address(show: Open) -> None:
    view = show(answer(1, "See [report.pdf, p. 3] for more."))
    view.open_menu(point_of(view, 1, "report.pdf"))
    menu = view.findChild(QMenu, "messageMenu")
    assert isinstance(menu, QMenu)
    assert (menu.actions()[0].text(), menu.actions()[1].isSeparator()) == ("Open link", True)
    menu.close()
