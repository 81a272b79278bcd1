import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ui.transcript.texts import texts

from specchat.ui.transcript import block_splitter as splitter_module
from specchat.ui.transcript.block import Block, BlockKind
from specchat.ui.transcript.block_splitter import BlockSplitter
from specchat.ui.transcript.markdown import LineBuilder
from specchat.ui.transcript.markdown_parser import References, block_tokens
from specchat.ui.transcript.rendered_lines import LINE_BREAK, LineKind, RenderedLine, clean_text


def rendered(text: str) -> list[RenderedLine]:
    splitter = BlockSplitter(0)
    blocks = splitter.update_text(text, len(text))
    return [line for block in blocks for line in block.render_lines(text, splitter.references)]


def shown(text: str) -> list[str]:
    return [line.text for line in rendered(text)]


def alike(shown: str, written: str) -> bool:
    return shown == written or (shown in f" \t{LINE_BREAK}" and written in " \t\n")


@settings(max_examples=400, deadline=None)
@given(texts)
@example("[^1]: [^1]: A note.\n")
@example("$$ \\alpha^{2\n\\begin{align}\na &= b \\\\\n\n&= c\n\\end{align} plain\n$$\n")
def test_each_character_comes_from_the_same_character_of_the_source(text: str) -> None:
    source = clean_text(text)
    last = 0
    for line in rendered(source):
        for run in line.runs:
            if run.formula:  # a matrix is shown row by row beside another one
                assert run.formula[0] <= run.source < run.source_end <= run.formula[1]
            else:
                assert run.source >= last, (line, run)
            last = max(last, run.source_end)
            assert run.source_end <= len(source)
            if run.literal:
                written = source[run.source : run.source_end]
                assert all(map(alike, line.run_text(run), written)), (run, written)
        ends = [0, *(run.end for run in line.runs)]
        assert ends == [*(run.start for run in line.runs), len(line.text)]


@settings(max_examples=400, deadline=None)
@given(texts, st.lists(st.floats(0, 1), max_size=12))
def test_text_that_grows_ends_as_text_that_was_there_at_once(text: str, cuts: list[float]) -> None:
    source = clean_text(text)
    splitter = BlockSplitter(0)
    for cut in sorted(cuts):
        splitter.update_text(source[: int(cut * len(source))], int(cut * len(source)))
    assert ranges(splitter.update_text(source, len(source))) == ranges(
        BlockSplitter(0).update_text(source, len(source))
    )


@settings(max_examples=100, deadline=None)
@given(texts)
def test_text_that_grows_by_single_characters_ends_the_same(text: str) -> None:
    source = clean_text(text)
    splitter = BlockSplitter(0)
    for end in range(len(source)):
        splitter.update_text(source[:end], end)
    assert ranges(splitter.update_text(source, len(source))) == ranges(
        BlockSplitter(0).update_text(source, len(source))
    )


@settings(max_examples=400, deadline=None)
@given(texts)
def test_block_by_block_is_the_same_as_the_whole(text: str) -> None:
    source = clean_text(text)
    references: References = {}
    whole = LineBuilder(source, 0, references, None).build_lines(block_tokens(source, references))
    assert visible(rendered(source)) == visible(whole)


def visible(lines: list[RenderedLine]) -> list[tuple[object, ...]]:
    """An empty quote is a block too; code that is not finished ends before its blank lines."""
    return [
        (line.kind, line.text, line.path, line.marker, line.level)
        for line in lines
        if line.text or line.marker or line.kind not in (LineKind.PARAGRAPH, LineKind.CODE)
    ]


@settings(max_examples=100, deadline=None)
@given(texts, st.lists(st.floats(0, 1), max_size=12))
def test_growth_makes_no_difference_where_texts_are_cut_for_their_length(text: str, cuts: list[float]) -> None:
    source = clean_text(text)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (
            ("MAX_PARSED_LENGTH", 30),
            ("MAX_BLOCK_LENGTH", 100),
            ("MAX_CODE_BLOCK_LENGTH", 60),
            ("_CHUNK", 11),
            ("_WINDOW_LINES", 4),
        ):
            patch.setattr(splitter_module, name, size)
        splitter = BlockSplitter(0)
        for cut in sorted(cuts):
            splitter.update_text(source[: int(cut * len(source))], int(cut * len(source)))
        grown, at_once = splitter.update_text(source, len(source)), BlockSplitter(0).update_text(source, len(source))
        assert joined(grown) == joined(at_once)


def ranges(blocks: list[Block]) -> list[tuple[object, ...]]:
    return [(block.kind, block.start, block.end, block.number, block.right_to_left) for block in blocks]


def joined(blocks: list[Block]) -> list[tuple[object, ...]]:
    """Where a text that is shown as it is written is cut, nobody sees."""
    result: list[Block] = []
    for block in blocks:
        if result and block.kind is result[-1].kind is BlockKind.PLAIN and block.start == result[-1].end:
            result[-1] = Block(block.kind, result[-1].start, block.end)
        else:
            result.append(block)
    return ranges(result)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\ntwo", [f"one{LINE_BREAK}two"]),
        ("<b>raw</b> &lt;", ["<b>raw</b> <"]),
        ("![a *cat*](http://x.y/cat.png)", ["a cat"]),
        ("[run](javascript:alert(1))", ["[run](javascript:alert(1))"]),
        ("**open", ["**open"]),
        ("```\nopen", ["open"]),
        ("~~gone~~ kept", ["gone kept"]),
    ],
)
def test_what_is_shown(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


def test_images_and_addresses_are_links() -> None:
    (line,) = rendered("![cat](http://x.y/cat.png) <http://a.b> http://c.d/e_f_g.")
    links = {line.run_text(run): run.style.link for run in line.runs if run.style.link}
    assert links == {"cat": "http://x.y/cat.png", "http://a.b": "http://a.b", "http://c.d/e_f_g": "http://c.d/e_f_g"}


def test_items_are_numbered_on_although_each_is_a_block_of_its_own() -> None:
    text = "3. c\n1. d\n\n\n1. e\n\n2) other\n"
    assert [line.marker for line in rendered(text)] == ["3.", "4.", "5.", "2)"]


def test_code_points_and_utf16_units_are_told_apart() -> None:
    line = RenderedLine()
    line.append_text("a😀b", 0)
    assert [line.to_utf16(n) for n in range(4)] == [0, 1, 3, 4]
    assert [line.from_utf16(n) for n in (0, 1, 3, 4)] == [0, 1, 2, 3]


def test_nothing_is_lost_where_nesting_is_too_deep() -> None:
    assert "deep" in "".join(shown("- " * 80 + "deep"))


@pytest.mark.parametrize("count", [5, 295, 298, 299, 300, 301, 900])
def test_long_programs_stay_programs(count: int) -> None:
    text = "Look:\n\n```python\n" + "x = 1\n" * count + "```\nDone.\n"
    kinds = [line.kind for line in rendered(text)]
    assert kinds == [LineKind.PARAGRAPH, *[LineKind.CODE] * count, LineKind.PARAGRAPH]


def test_citations_of_documents_are_links() -> None:
    text = "High [my_report.pdf, p. 180] and [src/, a/b.py:12] and [notes.docx, pp. 3-5], not [Smith, p. 3] nor [1]."
    (line,) = rendered(text)
    links = {line.run_text(run): run.style.link for run in line.runs if run.style.link}
    assert links == {
        "[my_report.pdf, p. 180]": "document:my_report.pdf, p. 180",
        "[src/, a/b.py:12]": "document:src/, a/b.py:12",
        "[notes.docx, pp. 3-5]": "document:notes.docx, pp. 3-5",
    }
    assert line.text == text


def test_long_lines_of_code_stay_code() -> None:
    """A result of a tool is often one line; nothing of it is Markdown."""
    code = f"{'x' * 20_000}\n\n[here](https://example.com)\n\n# Heading\n"
    text = f"**Result**\n\n```\n{code}```\n\n# The end\n"
    blocks = BlockSplitter(0).update_text(text, len(text))
    assert [block.kind for block in blocks] == [BlockKind.PROSE, BlockKind.CODE, BlockKind.HEADING]
