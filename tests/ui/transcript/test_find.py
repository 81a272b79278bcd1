import pytest
from ui.transcript.conftest import Open
from ui.transcript.seen import LONG, answer, mine, point_of, text_of, thread

from specchat.ui.transcript import TranscriptView
from specchat.ui.transcript.finder import MOST


def on_screen(view: TranscriptView, entry_id: int, text: str) -> bool:
    return bool(view.viewport().rect().contains(point_of(view, entry_id, text)))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("word", 3),
        ("WORD", 3),
        ("bold word", 1),
        ("two words", 1),
        ("f(x)", 1),
        ("nothing", 0),
        ("", 0),
        ("  ", 0),
        ("*", 4),
    ],
)
def test_text_is_found_past_its_markup(show: Open, wanted: str, found: int) -> None:
    view = show(answer(1, "A **bold** word\nand two\nwords.\n\n`f(x)` Word"))
    assert view.find(wanted) == found


def test_matches_are_gone_through_in_order_and_around(show: Open) -> None:
    view = show(mine(1, "needle one"), answer(2, LONG + "\n\nneedle two\n\n" + LONG), mine(3, "needle three"))
    view.verticalScrollBar().setValue(0)
    assert view.find("needle") == 3
    assert on_screen(view, 1, "needle")
    assert [view.find_next() for _ in range(2)] == [2, 3]
    assert on_screen(view, 3, "needle")
    assert view.find_previous() == 2
    assert on_screen(view, 2, "needle two")
    assert [view.find_next(), view.find_next()] == [3, 1]
    assert on_screen(view, 1, "needle")


def test_the_search_begins_where_the_reader_is(show: Open) -> None:
    view = show(*thread(200))
    view.scroll_to(100)
    view.find("Question")
    assert view.find_next() == 52


def test_matches_are_painted(show: Open) -> None:
    view = show(answer(1, "A needle and a needle."))
    plain = view.grab().toImage()
    view.find("needle")
    first = view.grab().toImage()
    view.find_next()
    assert len({plain.cacheKey(), first.cacheKey()}) == 2
    assert plain != first != view.grab().toImage()
    view.clear_find()
    assert view.grab().toImage() == plain


def test_a_match_in_folded_reasoning_unfolds_it(show: Open) -> None:
    view = show(answer(1, "<think>\nA needle.\n</think>\n\nYes."))
    assert view.find("needle") == 1
    assert "needle" in text_of(view, 1)


def test_a_match_that_is_not_to_be_seen_leads_to_its_message(show: Open) -> None:
    view = show(answer(1, "[here](http://needle.org)"), answer(2, LONG), mine(3))
    assert view.find("needle") == 1
    assert on_screen(view, 1, "here")


def test_new_messages_are_searched_too(show: Open) -> None:
    view = show(mine(1, "needle"))
    view.find("needle")
    view.append(mine(2, "another needle"))
    assert view.find_next() == 2
    view.truncate_after(1)
    assert view.find_next() == 1


def test_there_is_an_end_to_counting(show: Open) -> None:
    view = show(*(mine(n, "a" * 4000) for n in range(5)))
    assert view.find("a") == MOST
