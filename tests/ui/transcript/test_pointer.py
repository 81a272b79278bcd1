import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.mouse import Mouse
from ui.transcript.seen import LONG, answer, button_point, fold_point, mine, point_of, row, text_of

from specchat.domain.conversations import Attachment, Mark
from specchat.ui.transcript import EntryDetails, TranscriptView
from specchat.ui.transcript.message_row import TOP_MARGIN
from specchat.ui.transcript.row_contents import row_links
from specchat.ui.transcript.selection import Selection

SHIFT = Qt.KeyboardModifier.ShiftModifier
THREE = (
    "First paragraph with words.\n\n- an item\n- another 😀 item\n\n| a | b |\n|---|---|\n| c | d |\n\nThe last one."
)


def selected(view: TranscriptView) -> str:
    return view.message_actions.selected_text()


def test_a_drag_selects_over_paragraphs_lists_and_tables(show: Open) -> None:
    view = show(answer(1, THREE))
    Mouse(view).drag(point_of(view, 1, "paragraph"), point_of(view, 1, "last"))
    assert selected(view) == "paragraph with words.\n\n• an item\n• another 😀 item\n\na\tb\nc\td\n\nThe "


def test_a_drag_upwards_selects_the_same(show: Open) -> None:
    view = show(answer(1, THREE))
    Mouse(view).drag(point_of(view, 1, "last"), point_of(view, 1, "item", at=1))
    assert selected(view) == "tem\n• another 😀 item\n\na\tb\nc\td\n\nThe "


def test_a_double_click_takes_a_word_a_third_one_the_paragraph(show: Open) -> None:
    view = show(answer(1, THREE))
    mouse = Mouse(view)
    mouse.click(point_of(view, 1, "paragraph"), 2)
    assert selected(view) == "paragraph"
    mouse.click(point_of(view, 1, "paragraph"), 3)
    assert selected(view) == "First paragraph with words."
    mouse.click(point_of(view, 1, "paragraph"), 4)
    assert selected(view) == ""


def test_a_drag_after_a_double_click_takes_whole_words(show: Open) -> None:
    view = show(answer(1, THREE))
    mouse = Mouse(view)
    start, end = point_of(view, 1, "paragraph", at=3), point_of(view, 1, "words", at=2)
    mouse.click(start)
    mouse.press(start, wait=20)
    mouse.move(end, pressed=True)
    mouse.release(end)
    assert selected(view) == "paragraph with words"


def test_shift_extends_the_selection(show: Open) -> None:
    view = show(answer(1, THREE))
    mouse = Mouse(view)
    mouse.click(point_of(view, 1, "First"))
    mouse.click(point_of(view, 1, "with"), keys=SHIFT)
    assert selected(view) == "First paragraph "


def test_emoji_count_as_one_character(show: Open) -> None:
    view = show(answer(1, "a 😀😀 b"))
    Mouse(view).drag(point_of(view, 1, "a"), point_of(view, 1, "b"))
    assert selected(view) == "a 😀😀 "


def test_a_drag_from_one_message_into_another_selects_both(show: Open) -> None:
    view = show(answer(1, "One.\n\nMore."), mine(2, "A question."), answer(3, "Two words."))
    Mouse(view).drag(point_of(view, 1, "More"), point_of(view, 3, "words"))
    assert selected(view) == "More.\n\nA question.\n\nTwo "
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "More.\n\nA question.\n\nTwo "


def test_a_drag_upwards_over_messages_selects_the_same(show: Open) -> None:
    view = show(answer(1, "One.\n\nMore."), mine(2, "A question."), answer(3, "Two words."))
    Mouse(view).drag(point_of(view, 3, "words"), point_of(view, 1, "More"))
    assert selected(view) == "More.\n\nA question.\n\nTwo "


def test_shift_extends_the_selection_into_another_message(show: Open) -> None:
    view = show(answer(1, "One here."), answer(2, "Two."), answer(3, "Three there."))
    mouse = Mouse(view)
    mouse.click(point_of(view, 1, "here"))
    mouse.click(point_of(view, 3, "there"), keys=SHIFT)
    assert selected(view) == "here.\n\nTwo.\n\nThree "
    mouse.click(point_of(view, 2, "Two", at=2), keys=SHIFT)
    assert selected(view) == "here.\n\nTw"


def test_a_drag_below_the_last_message_takes_its_end(show: Open) -> None:
    view = show(answer(1, "One."), answer(2, "Two."))
    Mouse(view).drag(point_of(view, 1, "One"), QPoint(view.column_left + 500, view.viewport().height() - 2))
    assert selected(view) == "One.\n\nTwo."


def test_folded_reasoning_is_not_selected(show: Open) -> None:
    view = show(answer(1, "One."), answer(2, "<think>\nSecret.\n</think>\n\nYes."), answer(3, "End."))
    Mouse(view).drag(point_of(view, 1, "One"), point_of(view, 3, "End", at=1))
    assert selected(view) == "One.\n\nYes.\n\nE"


def test_what_is_selected_over_many_messages_is_copied_whole(show: Open) -> None:
    """Also what was never near the screen, which is not kept for it."""
    view = show(*(answer(n, f"Answer {n}.") for n in range(300)))
    view.set_selection(Selection(((0, 0, 0, 0),) * 2, ((299, 0, 0, 6),) * 2))
    parts = selected(view).split("\n\n")
    assert parts == [*(f"Answer {n}." for n in range(299)), "Answer"]
    assert sum(view.message_layout.cached_row(n) is not None for n in range(300)) < 50


def test_a_selection_ends_where_its_messages_are_gone(show: Open) -> None:
    view = show(answer(1, "One."), answer(2, "Two."))
    Mouse(view).drag(point_of(view, 1, "One"), point_of(view, 2, "Two", at=2))
    view.truncate_after(1)
    assert view.selection is None


def test_a_drag_beyond_the_edge_scrolls(show: Open, qtbot: QtBot) -> None:
    view = show(answer(1, LONG))
    view.verticalScrollBar().setValue(0)
    mouse = Mouse(view)
    mouse.press(point_of(view, 1, "Paragraph 2"))
    view.cursor().setPos(view.viewport().mapToGlobal(QPoint(300, 900)))
    mouse.move(QPoint(300, 900), pressed=True)
    qtbot.waitUntil(lambda: view.scroll_y > 200)
    mouse.release(QPoint(300, 900))
    place = view.scroll_y
    assert "Paragraph 8" in selected(view)
    assert view.scroll_y == place


def test_a_drag_beyond_the_edge_scrolls_into_other_messages(show: Open, qtbot: QtBot) -> None:
    view = show(*(answer(n, f"Answer {n}.") for n in range(60)))
    view.verticalScrollBar().setValue(0)
    mouse, below = Mouse(view), QPoint(view.column_left + 10, 900)
    mouse.press(point_of(view, 1, "Answer"))
    view.cursor().setPos(view.viewport().mapToGlobal(below))
    mouse.move(below, pressed=True)
    qtbot.waitUntil(lambda: "Answer 20." in selected(view))
    mouse.release(below)
    assert selected(view).startswith("Answer 1.\n\nAnswer 2.\n\n")


def test_a_link_is_asked_for_not_opened(show: Open, qtbot: QtBot) -> None:
    view = show(answer(1, "See [the page](https://x.y/z) now."))
    with qtbot.waitSignal(view.link_requested) as asked:
        Mouse(view).click(point_of(view, 1, "page"))
    assert asked.args == ["https://x.y/z"]
    with qtbot.assertNotEmitted(view.link_requested):
        Mouse(view).click(point_of(view, 1, "now"))
        Mouse(view).drag(point_of(view, 1, "page"), point_of(view, 1, "now"))


def test_a_click_unfolds_reasoning(show: Open) -> None:
    view = show(answer(1, "<think>\nSecret.\n</think>\n\nYes."))
    assert text_of(view, 1) == "Yes."
    mouse = Mouse(view)
    mouse.click(fold_point(view, 1))
    assert text_of(view, 1) == "Secret.\nYes."
    mouse.click(fold_point(view, 1), 2)
    assert text_of(view, 1) == "Secret.\nYes."
    mouse.click(fold_point(view, 1))
    assert text_of(view, 1) == "Yes."


def test_code_has_a_button_that_copies_it(show: Open) -> None:
    view = show(answer(1, "1. Do this:\n\n   ```python\n   if x:\n       y()\n   ```\n"))
    Mouse(view).click(button_point(view, 1))
    assert QGuiApplication.clipboard().text() == "if x:\n    y()"
    assert view.message_actions.copied


@pytest.mark.parametrize(
    ("text", "shape"),
    [("page", Qt.CursorShape.PointingHandCursor), ("See", Qt.CursorShape.IBeamCursor)],
)
def test_the_mouse_shows_what_a_click_would_do(show: Open, text: str, shape: Qt.CursorShape) -> None:
    view = show(answer(1, "See [the page](https://x.y/z) now."))
    Mouse(view).move(point_of(view, 1, text))
    assert view.viewport().cursor().shape() is shape


def tip(view: TranscriptView, point: QPoint) -> str:
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, point, view.viewport().mapToGlobal(point)))
    return QToolTip.text() if QToolTip.isVisible() else ""


def test_a_token_says_where_it_comes_from(show: Open, qtbot: QtBot) -> None:
    marks = (Mark(4, "target", None, 0.9), Mark(10, "draft", 2, 0.874), Mark(12, "ngram", 0, None))
    view = show(answer(1, "The **big** one"), details=lambda _: EntryDetails(marks))
    view.grab()
    assert tip(view, point_of(view, 1, "big")) == ""
    view.set_colouring(True)
    said = "Guessed by the draft, accepted · guess 3 in its pass · probability 87\u00a0%"
    assert tip(view, point_of(view, 1, "big")) == said
    assert tip(view, point_of(view, 1, "The")) == "Chosen by the target · probability 90\u00a0%"
    qtbot.waitUntil(lambda: tip(view, QPoint(5, 500)) == "")


def test_a_link_says_where_it_leads(show: Open) -> None:
    view = show(answer(1, "See [the page](https://x.y/z) now."))
    assert tip(view, point_of(view, 1, "page")) == "https://x.y/z"


def test_a_message_of_the_user_can_be_selected_too(show: Open) -> None:
    view = show(mine(1, "First line\nsecond *line*"))
    Mouse(view).drag(point_of(view, 1, "line"), point_of(view, 1, "*line"))
    assert selected(view) == "line\nsecond "


def test_files_and_the_passages_that_were_read_can_be_opened(qtbot: QtBot, show: Open) -> None:
    view = show(mine(1, "Why?", Attachment("a.pdf", "text")), answer(2, "Because."))
    chip, foot = row(view, 1), row(view, 2)
    foot.set_details(EntryDetails(footer="3 passages of a.pdf", has_sources=True))
    for where, inside, link in (
        (chip, chip.chips[0].area.center() + QPointF(0, TOP_MARGIN), "document:a.pdf"),
        (foot, foot.footer_rect.center(), "passages:2"),
    ):
        area = view.row_area(where)
        assert area is not None
        with qtbot.waitSignal(view.link_requested) as asked:
            Mouse(view).click((QPointF(area.topLeft()) + inside).toPoint())
        assert asked.args == [link]
        assert row_links(where) == (link,)
