"""Texts that run from right to left."""

import pytest
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.seen import answer, pieces, streaming

from specchat.ui.transcript import TranscriptView
from specchat.ui.transcript.piece import Piece
from specchat.ui.widgets.direction import is_right_to_left

ARABIC, HEBREW = "نص بالعربية", "טקסט בעברית"


def only(view: TranscriptView) -> Piece:
    (piece,) = pieces(view, 1)
    return piece


def sides(piece: Piece) -> list[tuple[float, float]]:
    """How far the text of each line is from the left and from the right."""
    assert piece.geometry is not None
    assert piece.document is not None
    width = piece.document.textWidth()
    bands = (list(piece.geometry.bands(n, 0, len(line.text))) for n, line in enumerate(piece.lines))
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
    piece = only(show(answer(1, f"> {ARABIC}\n>\n> English\n>\n> > {HEBREW}")))
    assert piece.document is not None
    middle = piece.document.textWidth() / 2
    assert [bar.center().x() > middle for bar in piece.shapes.bars] == [True, False, True, True]
    for bar, (left, right) in zip(piece.shapes.bars, sides(piece), strict=False):
        assert min(left, right) > bar.width()


def test_code_stands_in_its_item_and_runs_from_left_to_right(show: Open) -> None:
    piece = only(show(answer(1, f'- {ARABIC}\n\n  ```\n  print("{HEBREW}")\n  # {HEBREW}\n  ```')))
    (card,), (_, first, second) = piece.shapes.cards, sides(piece)
    assert piece.document is not None
    assert card.area.left() == 0
    assert card.area.right() < piece.document.textWidth()
    assert first[0] == second[0] < first[1]


def test_a_formula_or_a_word_of_code_in_front_changes_nothing(show: Open) -> None:
    texts = f"$x^2$ {HEBREW}", f"`code` {HEBREW}", "`code`"
    turned = [only(show(answer(1, text))).lines[0].right_to_left for text in texts]
    assert turned == [True, True, False]


def test_an_item_turns_when_its_first_letter_arrives(qtbot: QtBot, show: Open) -> None:
    view = show(streaming(1, "- 1"))
    assert not only(view).shapes.markers[0].right_to_left
    view.extend(1, f" {HEBREW}", ())
    qtbot.waitUntil(lambda: only(view).shapes.markers[0].right_to_left)


@pytest.mark.parametrize("text", [f"`code` {HEBREW}", f"{HEBREW} `code` {HEBREW}", f"Words {HEBREW} `code`"])
def test_a_word_of_code_has_its_frame_around_it(show: Open, text: str) -> None:
    plain, mixed = only(show(answer(1, "`code`"))), only(show(answer(1, text)))
    (expected,), (span,) = plain.code_spans(0), mixed.code_spans(0)
    assert span.width() == pytest.approx(expected.width(), abs=1)
