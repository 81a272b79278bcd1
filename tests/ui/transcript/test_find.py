import pytest
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.seen import LONG, answer, mine, point_of, row, streaming, text_of, thread, write

from specchat.domain.conversations import Attachment
from specchat.ui.transcript import MatchCount, TranscriptView
from specchat.ui.transcript.finder import MAX_MATCHES


def on_screen(view: TranscriptView, entry_id: int, text: str) -> bool:
    return bool(view.viewport().rect().contains(point_of(view, entry_id, text)))


def found(view: TranscriptView, wanted: str) -> int:
    view.find_text(wanted)
    tally = view.finder.match_count
    assert tally.complete
    return tally.total


def place(view: TranscriptView) -> tuple[int, int]:
    tally = view.finder.match_count
    assert tally.complete
    return tally.position, tally.total


def next_place(view: TranscriptView) -> int:
    view.find_next()
    return place(view)[0]


@pytest.mark.parametrize(
    ("wanted", "expected"),
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
def test_text_is_found_past_its_markup(show: Open, wanted: str, expected: int) -> None:
    view = show(answer(1, "A **bold** word\nand two\nwords.\n\n`f(x)` Word"))
    assert found(view, wanted) == expected


def test_matches_are_gone_through_in_order_and_around(show: Open) -> None:
    view = show(mine(1, "needle one"), answer(2, LONG + "\n\nneedle two\n\n" + LONG), mine(3, "needle three"))
    view.verticalScrollBar().setValue(0)
    assert found(view, "needle") == 3
    assert on_screen(view, 1, "needle")
    assert [next_place(view) for _ in range(2)] == [2, 3]
    assert on_screen(view, 3, "needle")
    view.find_previous()
    assert place(view) == (2, 3)
    assert on_screen(view, 2, "needle two")
    assert [next_place(view), next_place(view)] == [3, 1]
    assert on_screen(view, 1, "needle")
    view.find_previous()
    assert place(view) == (3, 3)


def test_the_search_begins_where_the_reader_is(show: Open) -> None:
    view = show(*thread(200))
    view.scroll_to(100)
    view.find_text("Question")
    assert place(view) == (51, 100)
    assert next_place(view) == 52
    view.find_text("Question 1")
    assert place(view) == (6, 55)
    view.find_text("Question 4")
    assert place(view) == (1, 6)
    assert on_screen(view, 4, "Question")


def test_matches_are_painted(show: Open) -> None:
    view = show(answer(1, "A needle and a needle."))
    plain = view.grab().toImage()
    view.find_text("needle")
    first = view.grab().toImage()
    view.find_next()
    assert len({plain.cacheKey(), first.cacheKey()}) == 2
    assert plain != first != view.grab().toImage()
    view.clear_find()
    assert view.grab().toImage() == plain


PLAIN, HAY = Attachment("plain.txt", "Nothing."), Attachment("hay.txt", "A needle, and a Needle.")
NAMED = Attachment("needle.txt", "Nothing.")


def test_an_attached_file_is_one_match(show: Open) -> None:
    """Before those in its message; by its name, too."""
    view = show(mine(1, "needle", PLAIN, HAY, NAMED), answer(2, "Another needle."))
    assert found(view, "needle") == 4
    marked = []
    for number in range(4):
        marked.append((view.finder.match_count.in_file, view.row_paint_state(row(view, 1)).found_files))
        assert next_place(view) == (number + 1) % 4 + 1
    assert marked == [
        (True, {1: True, 2: False}),
        (True, {1: False, 2: True}),
        (False, {1: False, 2: False}),
        (False, {1: False, 2: False}),
    ]
    assert found(view, "nothing") == 2
    assert found(view, "hay.txt") == 1
    assert view.findable_text("a needle, and", 1) == "a needle, and"


def test_a_match_in_a_file_is_gone_to_and_painted(show: Open) -> None:
    view = show(mine(1, "", HAY), answer(2, LONG))
    assert view.scroll_y > 0
    view.scroll_to(1)
    plain = view.grab().toImage()
    view.scroll_to_end()
    view.find_text("needle")
    assert view.scroll_y == 0
    assert view.grab().toImage() != plain
    view.clear_find()
    assert view.grab().toImage() == plain


def test_a_match_in_folded_reasoning_unfolds_it(show: Open) -> None:
    view = show(answer(1, "<think>\nA needle.\n</think>\n\nYes."))
    assert found(view, "needle") == 1
    assert "needle" in text_of(view, 1)


def test_a_match_that_is_not_to_be_seen_leads_to_its_message(show: Open) -> None:
    view = show(answer(1, "[here](http://needle.org)"), answer(2, LONG), mine(3))
    assert found(view, "needle") == 1
    assert on_screen(view, 1, "here")


def test_new_messages_are_searched_too(show: Open) -> None:
    view = show(mine(1, "needle"))
    view.find_text("needle")
    view.append(mine(2, "another needle"))
    assert place(view) == (1, 2)
    assert next_place(view) == 2
    view.truncate_after(1)
    assert place(view) == (1, 1)
    assert next_place(view) == 1


def test_nothing_moves_while_an_answer_is_written(show: Open, qtbot: QtBot) -> None:
    view = show(mine(1, "needle"), answer(2, f"{LONG}\n\n**needle**\n\n{LONG}"), streaming(3))
    view.verticalScrollBar().setValue(0)
    view.find_text("needle")
    view.find_next()
    assert place(view) == (2, 2)
    scrolled = view.scroll_y
    for part in ("A nee", "dle, ", "another **nee", "dle** and nothing."):
        write(view, 3, part)
    qtbot.waitUntil(lambda: place(view) == (2, 4))
    view.finish(answer(3, "A needle, another **needle** and nothing."))
    assert place(view) == (2, 4)
    assert view.scroll_y == scrolled
    assert next_place(view) == 3
    assert on_screen(view, 3, "needle")


def test_what_is_written_after_a_search_does_not_take_the_reader_there(show: Open, qtbot: QtBot) -> None:
    view = show(mine(1, LONG), streaming(2))
    view.verticalScrollBar().setValue(0)
    assert found(view, "needle") == 0
    write(view, 2, "A needle.")
    qtbot.waitUntil(lambda: place(view) == (1, 1))
    assert view.scroll_y == 0
    view.find_next()
    assert on_screen(view, 2, "needle")


def test_a_message_that_has_become_another_one_is_searched_again(show: Open) -> None:
    view = show(mine(1, "needle"), answer(2, "needle, needle"), mine(3, "needle"))
    view.verticalScrollBar().setValue(0)
    view.find_text("needle")
    view.find_next()
    view.find_next()
    assert place(view) == (3, 4)
    view.replace(answer(2, "a needle"))
    assert place(view) == (3, 3)
    view.replace(mine(1, "nothing"))
    assert place(view) == (2, 2)
    view.replace(answer(2, "nothing"))
    assert place(view) == (1, 1)
    view.replace(mine(3, "nothing"))
    assert place(view) == (0, 0)
    assert next_place(view) == 0


def test_other_messages_are_searched_for_the_same(show: Open) -> None:
    view = show(mine(1, "needle"), mine(2, "needle"))
    view.find_text("needle")
    view.show_entries([mine(3, "A needle, a needle, a needle.")])
    assert place(view) == (1, 3)
    view.clear_find()
    view.show_entries([mine(4, "needle")])
    assert place(view) == (0, 0)


def test_a_long_conversation_is_searched_bit_by_bit(show: Open, qtbot: QtBot) -> None:
    view = show(*thread(10_000))
    tallies: list[MatchCount] = []
    view.match_count_changed.connect(tallies.append)
    view.scroll_to(5_000)
    view.find_text("Question")
    assert not tallies[0].complete
    assert on_screen(view, 5_000, "Question")
    view.find_next()
    view.find_previous()
    view.find_previous()
    qtbot.waitUntil(lambda: tallies[-1].complete)
    assert tallies[-1] == MatchCount(2_500, 5_000)
    assert len(tallies) > 10
    assert on_screen(view, 4_998, "Question")


def test_a_search_that_is_given_up_ends(show: Open, qtbot: QtBot) -> None:
    view = show(*thread(10_000))
    view.find_text("Question")
    view.find_text("Question 9999")
    view.clear_find()
    assert place(view) == (0, 0)
    view.find_text("Answer")
    view.truncate_after(100)
    assert place(view)[1] == 50


def test_there_is_an_end_to_counting(show: Open) -> None:
    view = show(mine(1, "a" * 4000), mine(2, "a" * 2 * MAX_MATCHES))
    assert found(view, "a") == 4000 + MAX_MATCHES
    assert next_place(view) == 4002
