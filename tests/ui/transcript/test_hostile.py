import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from ui.transcript.conftest import Open
from ui.transcript.seen import answer, blocks, mine, row, streaming, text_of, write

from specchat.domain.conversations import Mark
from specchat.ui.transcript import EntryDetails

SIZE = 1_000_000
HUGE = {
    "paragraphs": "Some *text* in a paragraph here.\n\n" * (SIZE // 34),
    "one line": "word " * (SIZE // 5),
    "no space": "x" * SIZE,
    "short lines": "a\n" * (SIZE // 2),
    "brackets": "[" * SIZE,
    "links": "[a](" * (SIZE // 4),
    "stars": "**a " * (SIZE // 4),
    "quotes": "> " * (SIZE // 2),
    "items": "- item *x*\n" * (SIZE // 11),
    "deep items": "".join("  " * n + "- a\n" for n in range(700)),
    "open fence": "```python\n" + "def f(): return 1\n" * (SIZE // 18),
    "fences": "```\n" * (SIZE // 4),
    "table": "|a|b|\n|-|-|\n" + "|x|y|\n" * (SIZE // 6),
    "wide table": "|" + "a|" * 5000 + "\n|" + "-|" * 5000 + "\n" + ("|" + "x|" * 5000 + "\n") * 5,
    "headings": "# h\n" * (SIZE // 4),
    "reasoning": "<think>\na\n</think>\nb\n" * (SIZE // 21),
    "entities": "&amp;" * (SIZE // 5),
    "backslashes": "\\" * SIZE,
    "formulas": "\\[\n\\frac{a}{b} + x^2\n\\]\n\n" * (SIZE // 26),
    "open formulas": "\\(" * (SIZE // 2),
    "dollars": "$a " * (SIZE // 3),
    "open rows": "\\begin{align}\n" + "a &= b \\\n" * (SIZE // 10),
}
ODD = [
    "\x00\x01\x0b\x0c",
    "\ud800 \udfff",
    "\u2028\u2029\ufdd0\ufffc",
    "\r\r\n\n\r",
    "\u202e\u05d0\u05d1 abc",
    "e" + "\u0301" * 500,
    "😀" * 200,
]


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_answer_is_shown_in_parts(show: Open, name: str) -> None:
    view = show(answer(1, HUGE[name]))
    view.grab()
    view.verticalScrollBar().setValue(0)
    for _ in range(5):
        view.scroll_by(3000)
        view.grab()
    live = [block for block in blocks(view, 1) if block.has_document]
    assert sum(block.end - block.start for block in live) < 500_000
    assert len(live) < 300


def test_a_huge_message_of_the_user_is_shown_in_parts(show: Open) -> None:
    view = show(mine(1, HUGE["short lines"]))
    view.grab()
    assert sum(block.has_document for block in blocks(view, 1)) < 20
    assert text_of(view, 1).endswith("a")


@pytest.mark.parametrize("text", ODD)
def test_odd_characters_are_shown_streamed_and_copied(show: Open, text: str) -> None:
    view = show(mine(1, text), streaming(2))
    for character in text:
        write(view, 2, character, [Mark(1, "draft")])
    view.finish(answer(2, text))
    view.set_colouring(True)
    view.grab()
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    view.find_text(text)


@pytest.mark.parametrize(
    "text", ["", "\n", "   ", "<think>", "</think>", "```", "- ", "> ", "|", "[", "#", "[a]: http://b"]
)
def test_next_to_nothing_is_shown_and_can_be_touched(show: Open, text: str) -> None:
    view = show(mine(1, text), answer(2, text), streaming(3, text))
    view.grab()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
        QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    for y in range(0, 600, 7):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(400, y))
    view.grab()


def test_marks_beyond_the_text_or_out_of_place_do_no_harm(show: Open) -> None:
    marks = (Mark(0, "draft"), Mark(3, "draft"), Mark(3, "target"), Mark(900, "ngram", 1, 2.0))
    view = show(answer(1, "Some text"), details=lambda _: EntryDetails(marks))
    view.set_colouring(True)
    view.grab()
    assert row(view, 1).marks.mark_at(5)


def test_a_window_of_a_few_pixels_is_survived(show: Open) -> None:
    view = show(answer(1, "# Head\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx\n```"), mine(2, "Hi"))
    view.resize(40, 30)
    view.grab()
    view.resize(800, 600)
    view.grab()
