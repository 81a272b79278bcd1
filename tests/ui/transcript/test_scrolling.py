import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QToolButton
from ui.transcript.conftest import Open
from ui.transcript.seen import LONG, answer, mine, point_of, row, thread

from specchat.ui.transcript import EntryDetails, TranscriptView
from specchat.ui.transcript.message_layout import ROW_CACHE_SIZE
from specchat.ui.transcript.message_row import MessageRow

MIXED = "# Head\n\n" + "words " * 60 + "\n\n```\ncode\ncode\n```\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n"


def opened(view: TranscriptView, count: int) -> list[MessageRow]:
    return [found for n in range(count) if (found := view.message_layout.cached_row(n))]


def places(view: TranscriptView) -> dict[tuple[int, int], int]:
    """Where items that are laid out stand on the screen."""
    return {
        (shown.entry.id, number): top + shown.body_top + placed.top
        for shown, top in view.visible_rows()
        for number, placed in shown.body.items_between(-top, -top + view.viewport().height())
    }


def test_a_long_conversation_opens_at_its_end_and_reads_only_that(show: Open) -> None:
    view = show(*thread(10_000, MIXED))
    assert view.scroll_y == view.verticalScrollBar().maximum()
    assert len(opened(view, 10_000)) < 10


def test_only_messages_near_the_screen_stay_open(show: Open) -> None:
    view = show(*thread(300, MIXED))
    for _ in range(200):
        view.scroll_by(-400)
    assert len(opened(view, 300)) <= ROW_CACHE_SIZE + 5
    assert row(view, 1)


def test_details_are_asked_for_what_is_painted(show: Open) -> None:
    asked: list[int] = []

    def details(entry_id: int) -> EntryDetails:
        asked.append(entry_id)
        return EntryDetails(footer="42 tokens")

    view = show(*thread(1000), details=details)
    view.grab()
    view.grab()
    assert 999 in asked
    assert len(asked) == len(set(asked)) < 20
    assert all(entry_id % 2 for entry_id in asked)
    view.replace(answer(999, "Another."))
    view.grab()
    assert asked.count(999) == 2


def test_nothing_jumps_when_guessed_heights_are_corrected(show: Open) -> None:
    view = show(*thread(200, MIXED))
    for _ in range(300):
        before = places(view)
        view.scroll_by(-37)
        after = places(view)
        moved = {after[place] - before[place] for place in before.keys() & after.keys()}
        assert moved == {37} or view.scroll_y == 0


def test_nothing_jumps_on_the_way_down_either(show: Open) -> None:
    view = show(*thread(200, MIXED))
    view.verticalScrollBar().setValue(0)
    for _ in range(300):
        before = places(view)
        view.scroll_by(53)
        after = places(view)
        assert {after[place] - before[place] for place in before.keys() & after.keys()} == {-53}


def test_the_text_stays_in_sight_when_the_window_changes_its_width(show: Open) -> None:
    view = show(*thread(100, MIXED))
    view.scroll_to(51)
    view.resize(500, 600)
    assert view.message_layout.entries[view.first_visible_index].id == 51
    view.resize(900, 600)
    assert view.message_layout.entries[view.first_visible_index].id == 51


def test_the_end_stays_in_sight_when_the_window_changes_its_width(show: Open) -> None:
    view = show(*thread(50, MIXED))
    view.resize(420, 500)
    assert view.scroll_y == view.verticalScrollBar().maximum()


def test_any_message_can_be_gone_to(show: Open) -> None:
    view = show(*thread(1000, MIXED))
    for entry_id in (500, 3, 997, 0):
        view.scroll_to(entry_id)
        area = view.row_area(row(view, entry_id))
        assert area
        assert area.top() == 0 or view.scroll_y == view.verticalScrollBar().maximum()


def test_a_button_leads_to_the_end(show: Open) -> None:
    view = show(answer(1, LONG))
    button = view.findChild(QToolButton, "scrollDownButton")
    assert isinstance(button, QToolButton)
    assert not button.isVisible()
    view.scroll_by(-200)
    assert button.isVisible()
    button.click()
    assert not button.isVisible()
    assert view.scroll_y == view.verticalScrollBar().maximum()


@pytest.mark.parametrize("width", [300, 376, 560, 800, 2000])
@pytest.mark.parametrize("reserved", [(0, 0), (0, 280), (280, 0)])
def test_that_button_covers_no_text(show: Open, width: int, reserved: tuple[int, int]) -> None:
    view = show(answer(1, LONG), mine(2, "many words " * 50), size=(width + sum(reserved), 400))
    view.set_side_margins(*reserved)
    view.scroll_by(-200)
    button, viewport = view.findChild(QToolButton, "scrollDownButton"), view.viewport().geometry()
    assert isinstance(button, QToolButton)
    text = QRect(viewport.left() + view.column_left, viewport.top(), view.message_layout.width, viewport.height())
    assert button.isVisible()
    assert not button.geometry().intersects(text)
    assert viewport.adjusted(0, 0, -reserved[1], 0).contains(button.geometry())


def test_messages_after_one_can_go(show: Open) -> None:
    view = show(*thread(10))
    view.truncate_after(4)
    assert [entry.id for entry in view.message_layout.entries] == [0, 1, 2, 3, 4]
    view.append(answer(20, "New."))
    assert view.message_layout.height == sum(view.message_layout.row(n).height for n in range(6))


def test_a_message_of_the_user_stands_at_the_right_in_a_bubble_no_wider_than_it_needs(show: Open) -> None:
    view = show(mine(1, "Hi"), mine(2, "many words " * 50))
    short, wide = row(view, 1).bubble_rect(), row(view, 2).bubble_rect()
    assert short.right() == wide.right() == row(view, 1).width
    assert short.width() < 80
    assert 0.7 < wide.width() / row(view, 2).width <= 0.81


def test_the_column_is_no_wider_than_can_be_read(show: Open) -> None:
    view = show(answer(1, "words " * 100), size=(2000, 600))
    assert view.message_layout.width == view.text_formats.measure
    assert point_of(view, 1, "words").x() > 500
