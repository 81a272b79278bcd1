"""Texts that run from right to left."""

import pytest
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.seen import answer, blocks, streaming, write

from specchat.ui.transcript import TranscriptView
from specchat.ui.transcript.block import Block
from specchat.ui.widgets.text_direction import is_right_to_left

ARABIC, HEBREW = "نص بالعربية", "טקסט בעברית"


def only(view: TranscriptView) -> Block:
    (block,) = blocks(view, 1)
    return block


def sides(block: Block) -> list[tuple[float, float]]:
    """How far the text of each line is from the left and from the right."""
    assert block.geometry is not None
    assert block.document is not None
    width = block.document.textWidth()
    bands = (list(block.geometry.text_rects(n, 0, len(line.text))) for n, line in enumerate(block.lines))
    return [(min(b.left() for b in line), width - max(b.right() for b in line)) for line in bands if line]


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("", None),
        ("12 – 3", None),
        ("Words עברית", False),
        (f"1. {ARABIC}", True),
        (HEBREW, True),
        (f"\u2068English\u2069 {HEBREW}", True),
        ("\u2069\u2068" + HEBREW, None),
        ("𐤀", True),
    ],
)
def test_the_first_letter_decides(text: str, direction: bool | None) -> None:
    assert is_right_to_left(text) is direction


@pytest.mark.parametrize("mark", ["-", "12."])
def test_an_item_mirrors_its_marker(show: Open, mark: str) -> None:
    here, there = only(show(answer(1, f"{mark} Words"))), only(show(answer(1, f"{mark} {HEBREW}")))
    assert there.document is not None
    (left, _), (_, right) = sides(here)[0], sides(there)[0]
    assert left == pytest.approx(right, abs=2)
    (marker,), (mirrored,) = here.shapes.markers, there.shapes.markers
    assert mirrored.text == marker.text
    assert mirrored.end.x() == pytest.approx(there.document.textWidth() - marker.end.x(), abs=1)


def test_each_paragraph_of_a_quote_has_its_bar_at_its_side(show: Open) -> None:
    block = only(show(answer(1, f"> {ARABIC}\n>\n> English\n>\n> > {HEBREW}")))
    assert block.document is not None
    middle = block.document.textWidth() / 2
    assert [bar.center().x() > middle for bar in block.shapes.bars] == [True, False, True, True]
    for bar, (left, right) in zip(block.shapes.bars, sides(block), strict=False):
        assert min(left, right) > bar.width()


def test_code_stands_in_its_item_and_runs_from_left_to_right(show: Open) -> None:
    block = only(show(answer(1, f'- {ARABIC}\n\n  ```\n  print("{HEBREW}")\n  # {HEBREW}\n  ```')))
    (card,), (_, first, second) = block.shapes.cards, sides(block)
    assert block.document is not None
    assert card.area.left() == 0
    assert card.area.right() < block.document.textWidth()
    assert first[0] == second[0] < first[1]


def test_a_formula_or_a_word_of_code_in_front_changes_nothing(show: Open) -> None:
    texts = f"$x^2$ {HEBREW}", f"`code` {HEBREW}", "`code`"
    turned = [only(show(answer(1, text))).lines[0].right_to_left for text in texts]
    assert turned == [True, True, False]


def test_an_item_turns_when_its_first_letter_arrives(qtbot: QtBot, show: Open) -> None:
    view = show(streaming(1, "- 1"))
    assert not only(view).shapes.markers[0].right_to_left
    write(view, 1, f" {HEBREW}")
    qtbot.waitUntil(lambda: only(view).shapes.markers[0].right_to_left)


@pytest.mark.parametrize("text", [f"`code` {HEBREW}", f"{HEBREW} `code` {HEBREW}", f"Words {HEBREW} `code`"])
def test_a_word_of_code_has_its_frame_around_it(show: Open, text: str) -> None:
    plain, mixed = only(show(answer(1, "`code`"))), only(show(answer(1, text)))
    (expected,), (span,) = plain.code_spans(0), mixed.code_spans(0)
    assert span.width() == pytest.approx(expected.width(), abs=1)


TABLE = f"| {ARABIC} | {HEBREW} |\n|---|---|\n| 12 | Words |\n| {HEBREW} | 7 |"


def lefts(block: Block) -> dict[str, float]:
    assert block.geometry is not None
    cells = ((n, line.text) for n, line in enumerate(block.lines) if line.text)
    return {text: min(band.left() for band in block.geometry.text_rects(n, 0, len(text))) for n, text in cells}


def test_columns_go_from_right_to_left_where_the_first_letter_does(show: Open) -> None:
    block = only(show(answer(1, TABLE)))
    assert block.document is not None
    found = lefts(block)
    assert found[ARABIC] > found[HEBREW]
    assert found["12"] > found["Words"] + 20
    assert block.document.textWidth() - max(found.values()) < 150, "the table stands at the right"
    here = lefts(only(show(answer(1, TABLE.replace(ARABIC, "English")))))
    assert here["English"] < here[HEBREW]


def test_in_such_a_table_all_stands_at_the_right_of_its_column(show: Open) -> None:
    block = only(show(answer(1, TABLE)))
    assert block.geometry is not None
    rights = {
        line.text: max(b.right() for b in block.geometry.text_rects(n, 0, len(line.text)))
        for n, line in enumerate(block.lines)
        if line.text
    }
    assert rights["Words"] == pytest.approx(rights["7"], abs=1)
    assert rights["12"] == pytest.approx(rights[ARABIC], abs=1)


def test_cells_are_selected_in_the_order_in_which_they_are_read(show: Open) -> None:
    view = show(answer(1, TABLE))
    view.focus_entry(1)
    view.select_all()
    block = only(view)
    assert [line.text for line in block.lines if line.text] == [ARABIC, HEBREW, "12", "Words", HEBREW, "7"]
    assert block.geometry is not None
    for number, line in enumerate(block.lines):
        for band in block.geometry.text_rects(number, 0, len(line.text)):
            found = block.geometry.character_at(band.center())
            assert found is not None
            assert found[0] == number


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        (f"1. {HEBREW}\n2. 2024\n3. Words\n4. 7", [True, True, False, False]),
        (f"- 12\n- {ARABIC}\n- 13", [True, True, True]),
        (f"- 12\n- `code` {ARABIC}", [True, True]),
        (f"{HEBREW}\n\n- 12\n- 13", [False, False]),
    ],
)
def test_an_item_of_digits_runs_as_its_list_does(show: Open, text: str, turned: list[bool]) -> None:
    found = blocks(show(answer(1, text)), 1)
    assert [marker.right_to_left for block in found for marker in block.shapes.markers] == turned


def test_the_first_items_turn_when_the_list_is_known(qtbot: QtBot, show: Open) -> None:
    view = show(streaming(1, "1. 2024\n"))
    write(view, 1, f"2. {HEBREW}")
    qtbot.waitUntil(lambda: [m.right_to_left for p in blocks(view, 1) for m in p.shapes.markers] == [True, True])


@pytest.mark.parametrize(
    "text", [f"1. `draft` {HEBREW}", f"a {HEBREW} b {ARABIC} c", f"{HEBREW} 62 % {HEBREW}", f"{HEBREW}\n\n62 %"]
)
def test_what_covers_two_characters_never_covers_a_third(show: Open, text: str) -> None:
    """A stretch over a change of direction stands in several places."""
    for block in blocks(show(answer(1, text)), 1):
        assert block.geometry is not None
        for number, line in enumerate(block.lines):
            bands = [list(block.geometry.text_rects(number, at, at + 1)) for at in range(len(line.text))]
            for at in range(len(line.text) - 1):
                both = list(block.geometry.text_rects(number, at, at + 2))
                width = sum(band.width() for band in both)
                assert width == pytest.approx(sum(b.width() for one in bands[at : at + 2] for b in one), abs=1)
