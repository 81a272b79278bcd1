from hypothesis import given, settings
from hypothesis import strategies as st
from ui.transcript.conftest import Open
from ui.transcript.seen import answer, blocks, row
from ui.transcript.test_lines import rendered
from ui.transcript.texts import texts

from specchat.domain.conversations import Mark
from specchat.ui.transcript import EntryDetails
from specchat.ui.transcript.mouse_controller import describe_token
from specchat.ui.transcript.rendered_lines import OBJECT, clean_text
from specchat.ui.transcript.token_marks import OriginKind, TokenMarks


def test_markdown_is_coloured_where_its_text_is_shown() -> None:
    text = "A **bold** word"
    marks = TokenMarks([Mark(2, "target"), Mark(7, "draft", 0, 0.9), Mark(10, "ngram", 1, 0.5), Mark(15, "target")])
    (line,) = rendered(text)
    assert line.text == "A bold word"
    assert marks.guessed_ranges(line) == [(2, 5, OriginKind.DRAFT), (5, 6, OriginKind.OTHER)]


def test_an_entity_belongs_to_the_token_it_begins_in() -> None:
    (line,) = rendered("a &amp; b")
    marks = TokenMarks([Mark(4, "draft"), Mark(9, "target")])
    assert line.text == "a & b"
    assert marks.guessed_ranges(line) == [(0, 3, OriginKind.DRAFT)]


@settings(max_examples=150, deadline=None)
@given(texts, st.lists(st.integers(1, 9), max_size=40), st.data())
def test_each_shown_character_has_the_colour_of_its_token(text: str, lengths: list[int], data: st.DataObject) -> None:
    source = clean_text(text)
    owners, marks, end = [], [], 0
    for length in lengths:
        origin = data.draw(st.sampled_from(["target", "draft", "ngram", "suffix"]))
        end += length
        marks.append(Mark(end, origin))
        owners += [{"target": OriginKind.TARGET, "draft": OriginKind.DRAFT}.get(origin, OriginKind.OTHER)] * length
    known = TokenMarks(marks)
    for line in rendered(source):
        coloured = {at: whose for start, end, whose in known.guessed_ranges(line) for at in range(start, end)}
        for offset in range(len(line.text)):
            if line.text[offset] == OBJECT:  # its glyphs are tinted, each for itself
                continue
            place = line.source_at(offset)
            assert place is not None
            whose = owners[place] if place < len(owners) else OriginKind.TARGET
            assert coloured.get(offset, OriginKind.TARGET) is whose


def test_a_token_is_described_by_source_position_and_probability() -> None:
    assert describe_token(Mark(4, "draft", 2, 0.87)) == (
        "Guessed by the draft, accepted · guess 3 in its pass · probability 87\u00a0%"
    )
    assert describe_token(Mark(4, "target", None, 0.042)) == "Chosen by the target · probability 4.2\u00a0%"
    assert describe_token(Mark(4, "ngram", 0)) == "Guessed from earlier text, accepted · guess 1 in its pass"
    assert describe_token(Mark(4, "suffix", 0)) == "Guessed by suffix, accepted · guess 1 in its pass"


def test_a_blank_at_which_a_line_is_broken_has_no_colour(show: Open) -> None:
    """It hangs over the end, where there is nothing to see."""
    text = "word " * 60 + "end"
    marks = [mark for at in range(0, 300, 5) for mark in (Mark(at + 4, "target"), Mark(at + 5, "draft"))]
    view = show(answer(1, text), details=lambda _: EntryDetails(marks=tuple(marks)), size=(400, 600))
    view.set_colouring(True)
    view.grab()
    (block,) = blocks(view, 1)
    assert block.document is not None
    n_lines = block.document.firstBlock().layout().lineCount()
    bands = [band for band, _ in block.tints(0, row(view, 1).marks)]
    assert n_lines > 1
    assert len(bands) == 60 - (n_lines - 1)
