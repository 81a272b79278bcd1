"""Line breaks, scripts, tasks and footnotes."""

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.seen import answer, blocks, streaming, text_of, write
from ui.transcript.test_lines import rendered, shown

from specchat.domain.conversations import Mark
from specchat.ui.transcript import TranscriptView
from specchat.ui.transcript.block import BlockKind
from specchat.ui.transcript.markdown import DONE_TASK, OPEN_TASK
from specchat.ui.transcript.rendered_lines import LINE_BREAK, RenderedLine
from specchat.ui.transcript.row_contents import plain_text
from specchat.ui.transcript.token_marks import OriginKind, TokenMarks

TASKS = "- [ ] open\n- [x] done\n- [X] also **done**\n- plain"


def scripts(line: RenderedLine) -> list[tuple[str, int]]:
    return [(line.run_text(run), run.style.script) for run in line.runs]


def markers(view: TranscriptView) -> list[str]:
    return [marker.text for block in blocks(view, 1) for marker in block.shapes.markers]


@pytest.mark.parametrize("tag", ["<br>", "<br/>", "<br />", "<BR>"])
def test_a_break_tag_breaks_the_line(tag: str) -> None:
    assert shown(f"one{tag}two") == [f"one{LINE_BREAK}two"]
    cells = [line.text for line in rendered(f"| a{tag}b | c |\n|---|---|\n| d | e |") if line.text]
    assert cells == [f"a{LINE_BREAK}b", "c", "d", "e"]


@pytest.mark.parametrize("after", [" ", "\n", " \n  "])
def test_blanks_after_a_break_do_not_indent_or_break_again(after: str) -> None:
    assert shown(f"one<br>{after}two") == [f"one{LINE_BREAK}two"]
    assert shown(f"> one<br>{after.replace(chr(10), chr(10) + '> ')}two") == [f"one{LINE_BREAK}two"]


def test_a_break_in_a_cell_is_copied_as_a_space(show: Open) -> None:
    view = show(answer(1, "| a<br>b | c |\n|---|---|\n| d | e |"))
    view.focus_entry(1)
    view.select_all()
    assert view.message_actions.selected_text() == "a b\tc\nd\te"


def test_scripts_stand_above_and_below_the_line() -> None:
    (line,) = rendered("H<sub>2</sub>O and x<SUP>a *b*</SUP>.")
    assert scripts(line) == [("H", 0), ("2", -1), ("O and x", 0), ("a ", 1), ("b", 1), (".", 0)]
    assert line.runs[4].style.italic


@pytest.mark.parametrize(
    "text",
    [
        "<sub>open",
        "closed</sub>",
        "<sub>a</sup>",
        "<sub class=x>a</sub>",
        "<b>a</b>",
        "<br style=x>",
        "<script>alert(1)</script>",
        "<img src=x onerror=y>",
        "<sub" + ">" * 3,
        "<br",
    ],
)
def test_all_other_html_is_text(text: str) -> None:
    assert shown(text) == [text]


def test_tags_are_text_in_code() -> None:
    assert shown("`<br>` and `x<sub>2</sub>`") == ["<br> and x<sub>2</sub>"]
    assert shown("```\n<br>\n```") == ["<br>"]


def test_many_tags_take_no_time() -> None:
    """The search for the end of a tag is bounded."""
    for text in ("<sub>" * 4000, "<sub><sup>" * 2000, "</sub>" * 3000, "<sub>" * 1500 + "</sub>" * 1500):
        assert rendered(text)


def test_scripts_keep_the_colours_of_their_tokens() -> None:
    text = "H<sub>2</sub>O"
    ends = ((1, "target"), (6, "target"), (7, "draft"), (13, "target"), (14, "ngram"))
    marks = TokenMarks([Mark(end, origin) for end, origin in ends])
    (line,) = rendered(text)
    assert marks.guessed_ranges(line) == [(1, 2, OriginKind.DRAFT), (2, 3, OriginKind.OTHER)]


def test_a_search_reads_over_script_tags(show: Open) -> None:
    view = show(answer(1, "Water is H<sub>2</sub>O."))
    view.find_text("H2O")
    assert view.finder.match_count.total == 1


def test_tasks_have_boxes(show: Open) -> None:
    view = show(answer(1, TASKS))
    assert markers(view) == [OPEN_TASK, DONE_TASK, DONE_TASK, "•"]
    assert text_of(view, 1) == "open\ndone\nalso done\nplain"
    view.grab()


@pytest.mark.parametrize(
    "text", ["- [y] no", "- [x]no", "[x] no", "1. [x] no", "- a [x] no", "- \\[x] no", "- `[x]` no"]
)
def test_what_is_no_task_has_no_box(show: Open, text: str) -> None:
    view = show(answer(1, text))
    assert not {OPEN_TASK, DONE_TASK}.intersection(markers(view))
    assert "no" in text_of(view, 1)


def test_tasks_are_copied_and_heard_with_their_state(show: Open) -> None:
    view = show(answer(1, TASKS))
    view.focus_entry(1)
    view.select_all()
    assert view.message_actions.selected_text() == "☐ open\n☑ done\n☑ also done\n• plain"
    found = view.row_of(1)
    assert found
    assert plain_text(found, 100) == "☐ open\n☑ done\n☑ also done\nplain"


def test_a_task_is_one_before_its_words_are_there(qtbot: QtBot, show: Open) -> None:
    view = show(streaming(1))
    write(view, 1, "- [ ]")
    qtbot.waitUntil(lambda: markers(view) == [OPEN_TASK])
    write(view, 1, " wash the car")
    qtbot.waitUntil(lambda: text_of(view, 1) == "wash the car")
    assert markers(view) == [OPEN_TASK]


NOTES = (
    "Said[^1] and done[^long].\n\nMore.\n\n[^1]: The *first* note.\n[^long]: Another one\n    goes on.\n\n    It ends."
)


def test_footnotes_and_what_refers_to_them(show: Open) -> None:
    view = show(answer(1, NOTES))
    said, _, first, another = blocks(view, 1)
    assert scripts(said.lines[0])[:5] == [("Said", 0), ("[", 1), ("1]", 1), (" and done", 0), ("[", 1)]
    assert (first.kind, another.kind) == (BlockKind.NOTE, BlockKind.NOTE)
    assert [line.text for line in first.lines] == ["[1] The first note."]
    assert [line.text for line in another.lines] == [f"[long] Another one{LINE_BREAK}goes on.", "It ends."]
    view.grab()


def test_a_number_refers_to_a_note_that_comes_later(qtbot: QtBot, show: Open) -> None:
    """Nothing changes in what has been read when the definition comes."""
    view = show(streaming(1))
    write(view, 1, "Said[^1].\n\n")
    qtbot.waitUntil(lambda: text_of(view, 1) == "Said[1].")
    write(view, 1, "More.\n\n[^1]: Where it stands.")
    qtbot.waitUntil(lambda: text_of(view, 1) == "Said[1].\nMore.\n[1] Where it stands.")


@pytest.mark.parametrize("text", ["[^a-z]", "[^nope] here", "[^1](http://x.y)", "[^]", "[^two words]", "`[^1]`"])
def test_what_is_no_footnote_is_shown_as_before(text: str) -> None:
    lines = rendered(text)
    assert not any(run.style.script for line in lines for run in line.runs)


def test_a_footnote_may_hold_code_a_list_or_nothing(show: Open) -> None:
    assert shown("[^1]:") == ["[1] "]
    assert shown("[^1]: - item") == ["[1] ", "item"]
    assert shown("[^1]: Text\n\n    ```\n    code\n    ```") == ["[1] Text", "code"]
    assert shown("> [^1]: Quoted") == ["[1] Quoted"]
    show(answer(1, "[^1]: - item\n\n[^2]:\n\n- [^3]: deep")).grab()


def test_deep_footnotes_are_shown_as_they_are_written() -> None:
    text = "[^1]: " * 200 + "end"
    assert "".join(shown(text)) == text


def test_footnotes_keep_the_colours_of_their_tokens() -> None:
    text = "[^1]: note"
    marks = TokenMarks([Mark(2, "draft"), Mark(4, "target"), Mark(10, "ngram")])
    (line,) = rendered(text)
    assert line.text == "[1] note"
    assert marks.guessed_ranges(line) == [(0, 1, OriginKind.DRAFT), (3, 8, OriginKind.OTHER)]


def test_the_message_is_copied_as_it_was_written(show: Open, qtbot: QtBot) -> None:
    text = f"{TASKS}\n\nH<sub>2</sub>O<br>x\n\n{NOTES}"
    view = show(answer(1, text))
    view.message_actions.copy_message(1)
    assert QGuiApplication.clipboard().text() == text
