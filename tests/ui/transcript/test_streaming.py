import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open, no_details
from ui.transcript.seen import LONG, answer, blocks, formats, mine, row, streaming, text_of, thread, write
from ui.transcript.texts import texts

from specchat.domain.conversations import Mark
from specchat.ui.transcript import Entry, TranscriptView
from specchat.ui.transcript.message_row import Fold

ANSWER = """<think>
Let me *see*.
</think>

# Title

A **bold** [link][l] and `code`.

1. one
2. two
   - nested

   ```python
   x = "y"
   ```

| a | b |
|---|--:|
| 1 | 2 |

> quoted

```python
def f():
    return 1
```

[l]: http://x.y

End.
"""


def seen(view: TranscriptView, entry_id: int) -> list[object]:
    view.scroll_to(entry_id)
    return [formats(block.document) for block in blocks(view, entry_id) if block.document]


@pytest.mark.parametrize("step", [1, 3, 17, 200])
def test_an_answer_that_streamed_looks_like_one_that_was_there(show: Open, step: int) -> None:
    view = show(mine(1), streaming(2), size=(800, 1600))
    for at in range(0, len(ANSWER), step):
        write(view, 2, ANSWER[at : at + step])
    view.finish(answer(2, ANSWER))
    other = show(mine(1), answer(2, ANSWER), size=(800, 1600))
    assert seen(view, 2) == seen(other, 2)
    assert row(view, 2).height == row(other, 2).height


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts, st.lists(st.floats(0, 1), max_size=6))
@example("- > - mixed\n  > still\n", [0.5])
@example("[r]: http://ref.er 'T' plain\n# Head\n[r]: http://ref.er 'T' plain\n", [0.75])
def test_any_text_looks_the_same_streamed_or_not(qtbot: QtBot, text: str, cuts: list[float]) -> None:
    views = [TranscriptView(no_details) for _ in range(2)]
    for view in views:
        qtbot.addWidget(view)
        view.resize(800, 1600)
        view.show()
    places = [0, *sorted(int(cut * len(text)) for cut in cuts), len(text)]
    views[0].show_entries([streaming(1)])
    for start, end in zip(places, places[1:], strict=False):
        write(views[0], 1, text[start:end])
    views[0].finish(answer(1, text))
    views[1].show_entries([answer(1, text)])
    assert seen(views[0], 1) == seen(views[1], 1)


def test_only_the_end_is_laid_out_again(show: Open, qtbot: QtBot) -> None:
    view = show(streaming(1), size=(800, 1600))
    write(view, 1, "One.\n\nTwo.\n\nThree.\n\nFour")
    before = [block.document for block in blocks(view, 1)]
    revisions = [document.revision() for document in before if document]
    write(view, 1, " more")
    assert [block.document for block in blocks(view, 1)] == before

    def changed() -> list[bool]:
        return [document.revision() != old for document, old in zip(before, revisions, strict=True) if document]

    qtbot.waitUntil(lambda: changed() == [False, False, False, True])


def test_code_is_code_before_it_ends(show: Open) -> None:
    view = show(streaming(1))
    write(view, 1, "```python\nx = 1\n")
    (block,) = blocks(view, 1)
    write(view, 1, "y = 2")
    assert blocks(view, 1) == [block]
    assert len(block.shapes.cards) == 1
    assert block.shapes.cards[0].language == "python"
    assert text_of(view, 1) == "x = 1\ny = 2"


def test_the_view_follows_the_end(show: Open, qtbot: QtBot) -> None:
    view = show(*thread(6), streaming(9))
    for n in range(40):
        write(view, 9, f"Paragraph {n}\n\n")
        assert view.scroll_y == view.verticalScrollBar().maximum()
    qtbot.waitUntil(lambda: view.scroll_y == view.verticalScrollBar().maximum() > 0)


def test_the_view_stays_where_the_user_scrolled_to(show: Open) -> None:
    view = show(*thread(2), answer(5, LONG), streaming(9))
    write(view, 9, "Something")
    view.scroll_by(-300)
    place = view.scroll_y
    for n in range(40):
        write(view, 9, f"Paragraph {n}\n\n")
    assert view.scroll_y == place
    view.scroll_to_end()
    write(view, 9, "More and more.\n\n" * 20)
    assert view.scroll_y == view.verticalScrollBar().maximum()


def test_the_users_own_message_is_shown(show: Open) -> None:
    view = show(answer(1, LONG))
    view.scroll_by(-300)
    view.append(mine(2))
    assert view.scroll_y == view.verticalScrollBar().maximum()


def test_costly_text_is_caught_up_with(show: Open, qtbot: QtBot) -> None:
    view = show(streaming(1))
    for _ in range(30):
        write(view, 1, "| a | b |\n|---|---|\n" + "| x | y |\n" * 40 + "\n")
    write(view, 1, "The end.")
    qtbot.waitUntil(lambda: text_of(view, 1).endswith("The end."))


def test_reasoning_is_folded_from_the_first_letter(show: Open) -> None:
    view = show(streaming(1))
    for letter in "<think>\nHm":
        write(view, 1, letter)
        assert "think" not in text_of(view, 1)
    fold = row(view, 1).body.items[0].item
    assert isinstance(fold, Fold)
    assert fold.is_streaming
    write(view, 1, "\n</think>\n\nYes.")
    fold = row(view, 1).body.items[0].item
    assert isinstance(fold, Fold)
    assert not fold.is_streaming
    assert text_of(view, 1) == "Yes."


def test_marks_come_with_the_text(show: Open) -> None:
    view = show(streaming(1))
    view.set_colouring(True)
    marks = [Mark(3, "draft", 0, 0.5)]
    write(view, 1, "One", marks)
    marks.append(Mark(7, "target", None, 0.5))
    write(view, 1, " two", marks)
    view.grab()
    shown = row(view, 1).marks
    assert [mark.origin for mark in (shown.mark_at(2), shown.mark_at(3)) if mark] == ["draft", "target"]


def test_what_comes_for_a_message_that_is_gone_is_left_alone(show: Open) -> None:
    view = show(mine(1))
    write(view, 7, "late")
    view.finish(answer(7, "late"))
    view.replace(answer(7, "late"))
    assert [entry.id for entry in view.message_layout.entries] == [1]


def test_a_link_may_be_defined_after_its_use(show: Open) -> None:
    view = show(streaming(1))
    text = "See [this][t].\n\nMore.\n\n[t]: http://x.y\n"
    write(view, 1, text)
    view.finish(answer(1, text))
    assert text_of(view, 1) == "See this.\nMore."


def test_windows_line_ends_may_be_cut_in_two(show: Open) -> None:
    view = show(streaming(1))
    write(view, 1, "One\r")
    write(view, 1, "\nTwo\r\n\r\nThree")
    view.finish(Entry(1, answer(1).role, "One\r\nTwo\r\n\r\nThree"))
    assert [len(block.lines) for block in blocks(view, 1)] == [1, 1]
