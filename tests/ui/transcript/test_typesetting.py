import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from support.sample_formulas import FORMULAS, HOSTILE, MALFORMED
from ui.transcript.conftest import Open
from ui.transcript.mouse import Mouse
from ui.transcript.seen import answer, blocks, point_of, row, streaming, write
from ui.transcript.test_lines import rendered

from specchat.domain.conversations import Mark
from specchat.ui.transcript import EntryDetails, TranscriptView
from specchat.ui.transcript.rendered_lines import OBJECT, TextRun
from specchat.ui.transcript.row_contents import ItemHit, source_at
from specchat.ui.transcript.selection import selected_text, whole_row_range
from specchat.ui.transcript.token_marks import OriginKind, TokenMarks
from specchat.ui.transcript.typesetting import math_font
from specchat.ui.transcript.typesetting.constructs import HANDLERS
from specchat.ui.transcript.typesetting.typeset_formula import TypesetFormula, typeset
from specchat.ui.widgets.theme import BODY_PX, DARK, LIGHT, Theme
from specchat.ui.widgets.theme_service import set_current_theme

_BEYOND = 250.0
"""How far a glyph may reach out of its box, in thousandths of the text size."""


def one(latex: str, *, display: bool = True) -> TypesetFormula:
    (formula,) = typeset(latex, display=display)
    return formula


def height(latex: str, *, display: bool = True) -> float:
    return max(part.ascent + part.descent for part in typeset(latex, display=display))


@pytest.mark.parametrize("display", [True, False])
@pytest.mark.parametrize("latex", FORMULAS)
def test_usual_formulas_are_set(latex: str, display: bool) -> None:
    parts = typeset(latex, display=display)
    assert parts
    assert parts[0].latex == latex
    for part in parts:
        assert part.width > 0
        assert 0.2 < part.ascent + part.descent < 12
        box = QRectF(0, -1000 * part.ascent, 1000 * part.width, 1000 * (part.ascent + part.descent))
        assert box.adjusted(-_BEYOND, -_BEYOND, _BEYOND, _BEYOND).contains(part.path.boundingRect())
        assert all(0 <= glyph.start < len(latex) for glyph in part.glyphs)


@pytest.mark.parametrize("display", [True, False])
@pytest.mark.parametrize("latex", MALFORMED)
def test_malformed_ones_are_text(latex: str, display: bool) -> None:
    assert typeset(latex, display=display) == ()
    text = f"$${latex}$$" if display else f"so \\({latex}\\) is"
    lines = rendered(text)
    assert not any(OBJECT in line.text for line in lines)
    assert any(line.text for line in lines)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_ones_do_no_harm(show: Open, name: str) -> None:
    latex = HOSTILE[name]
    assert sum(len(part.glyphs) for part in typeset(latex[:4000], display=True)) <= 4000
    view = show(answer(1, f"Before\n\n$$\n{latex}\n$$\n\nand \\({latex}\\) after"))
    view.grab()
    for character in latex[:40]:
        typeset(latex[: latex.index(character) + 1], display=True)


_PIECES = [
    *re.findall(r"\\[A-Za-z]+|\\.|.", "".join(FORMULAS + MALFORMED)),
    *(f"\\{name}" for name in HANDLERS),
    r"\begin{cases}",
    r"\end{cases}",
    r"\hline",
    r"\!",
    "😀",
    "漢",
    "#",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join), st.booleans())
def test_any_latex_is_set_or_not(latex: str, display: bool) -> None:
    for part in typeset(latex, display=display):
        assert 0 <= part.width < 1000
        assert all(0 <= glyph.start <= len(latex) for glyph in part.glyphs)


def test_a_star_behind_a_command_is_a_sign() -> None:
    assert [part.latex for part in typeset(r"\alpha*x", display=False)][0] == r"\alpha*x"


def test_formulas_grow_with_what_is_in_them() -> None:
    assert height(r"\frac{a}{b}") > 1.6 * height("a")
    assert height(r"\frac{a}{b}") > height(r"\frac{a}{b}", display=False) > height("a")
    assert height(r"\sum_{i=1}^n") > height(r"\sum_{i=1}^n", display=False)
    assert height(r"\sqrt{\frac{a}{b}}") > height(r"\frac{a}{b}") > height(r"\frac{a}{b}", display=False)
    assert height(r"\left(\frac{a}{b}\right)") >= height(r"\frac{a}{b}")
    rows = [height(r"\begin{pmatrix}" + r"a\\" * count + r"\end{pmatrix}") for count in (1, 2, 5)]
    assert rows == sorted(rows)
    assert rows[2] > 2 * rows[1]


def test_a_bar_stands_above_the_whole_root() -> None:
    bar, letters = one(r"\sqrt{xyz}"), one("xyz")
    assert bar.width > letters.width
    assert bar.ascent > letters.ascent


def test_limits_stand_above_and_below_on_a_line_of_their_own() -> None:
    assert one(r"\sum_{k=1}^n").width < one(r"\sum_{k=1}^n", display=False).width
    assert one(r"\lim_{x \to 0}").width < one(r"\lim_{x \to 0}", display=False).width


def test_spaces_are_those_of_tex() -> None:
    assert one("a{=}b").width < sum(part.width for part in typeset("a=b", display=True))
    assert one("(-a)").width < sum(part.width for part in typeset("(b-a)", display=True)) - one("b").width


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_that_are_set_are_copied_as_latex(show: Open, formula: str) -> None:
    text = f"So \\({formula}\\) is\n\n$$\n{formula}\n$$"
    view = show(answer(1, text))
    assert any(line.has_drawn_formula for block in blocks(view, 1) for line in block.lines)
    taken = whole_row_range(row(view, 1))
    assert taken
    assert selected_text(row(view, 1), taken) == text


def drawn(view: TranscriptView) -> list[tuple[str, float, float]]:
    """Each formula with its place in its document."""
    return [
        (run.style.formula.latex, band.x(), band.height())
        for block in blocks(view, 1)
        for number, line in enumerate(block.lines)
        for run in line.runs
        if run.style.formula and block.geometry
        for band in block.geometry.text_rects(number, run.start, run.end)
    ]


@pytest.mark.parametrize("formula", FORMULAS[::4])
def test_a_formula_that_streamed_is_where_it_would_have_been_at_once(show: Open, formula: str) -> None:
    text = f"Let ${formula}$ be\n\n\\[ {formula} \\]\n\nThe end"
    view = show(streaming(1))
    for letter in text:
        write(view, 1, letter)
    view.finish(answer(1, text))
    at_once = show(answer(1, text))
    assert drawn(view) == drawn(at_once) != []
    assert row(view, 1).height == row(at_once, 1).height


def test_it_is_text_until_it_is_closed(show: Open) -> None:
    view = show(streaming(1))
    write(view, 1, r"\[ \begin{aligned} a &= \frac{b}{c}")
    assert drawn(view) == []
    write(view, 1, r" \end{aligned} \]")
    view.update_layout()
    assert len(drawn(view)) == 1


def ink(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height() // 3)}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_it_has_the_colour_of_the_text(show: Open, theme: Theme) -> None:
    view = show(answer(1, r"$$\boxed{\frac{aaaaaaaa}{b}}$$"), size=(500, 300))
    set_current_theme(theme)
    image = view.viewport().grab().toImage()
    assert {theme.text.name(), theme.window.name()} <= ink(image)


def test_it_grows_with_the_text(show: Open, choose_text_size: Callable[[int], None]) -> None:
    view = show(answer(1, r"So $\frac{a}{b}$"))
    ((_, _, before),) = drawn(view)
    choose_text_size(2 * BODY_PX)
    set_current_theme(LIGHT)
    ((_, _, after),) = drawn(view)
    assert after == pytest.approx(2 * before, rel=0.1)


def test_its_baseline_is_that_of_the_text(show: Open) -> None:
    """Qt knows none of what is drawn in place of a character."""
    view = show(answer(1, r"$\boxed{A}$ $\underline{A}$ $\frac{A}{A}$ $A$"))
    block = blocks(view, 1)[0]
    assert block.geometry
    line, baseline = block.lines[0], block.geometry.baseline(0)
    for run in line.runs:
        bottoms = [rect.bottom() for rect, _ in block.geometry.glyph_places(0, run)]
        if run.style.formula and len(bottoms) == 1:
            assert bottoms[0] == pytest.approx(baseline, abs=0.5)
    assert block.document
    assert all(band.height() <= block.document.size().height() for band in block.geometry.text_rects(0, 0, 9))


@pytest.mark.parametrize("latex", ["+".join("abcdefghijklm" * 4), r"\begin{matrix}" + "abc &" * 40 + r"d\end{matrix}"])
def test_a_wide_one_fits_at_any_width(show: Open, latex: str) -> None:
    view = show(answer(1, f"$$\n{latex}\n$$\n\nand \\({latex}\\)"))
    for width in (800, 400, 700):
        view.resize(width, 600)
        view.grab()
        for block in blocks(view, 1):
            assert block.document
            assert block.document.idealWidth() <= view.message_layout.width


def test_no_line_begins_with_what_belongs_to_a_formula(show: Open) -> None:
    text = "We take $x$, then ($y$), and (see $z$). So $a=b$; or $k$-means, the $n$th: " * 3
    view = show(answer(1, text))
    starts = set()
    for width in range(200, 700, 9):
        view.resize(width, 600)
        view.grab()
        document = blocks(view, 1)[0].document
        assert document
        block = document.firstBlock()
        lines = [block.layout().lineAt(number).textStart() for number in range(1, block.layout().lineCount())]
        starts |= {block.text()[at - 1 : at + 1] for at in lines}
    assert all(start[0] in f" {OBJECT}" and start[1] not in ",.;:)-" for start in starts)
    taken = whole_row_range(row(view, 1))
    assert taken
    assert selected_text(row(view, 1), taken) == text.strip()


def test_other_styles_behind_a_formula_are_kept() -> None:
    (line,) = rendered("$n$**th** and $m$[x](http://y.z), $k$`c`")
    styled = [run for run in line.runs if run.style.bold or run.style.link or run.style.code]
    assert [line.run_text(run) for run in styled] == ["th", "x", "c"]


def test_a_command_is_found_where_its_arguments_are_drawn() -> None:
    text = r"so $x = \frac{a}{b} + c$"
    (line,) = rendered(text)
    assert line.text == f"so {OBJECT * 3}"
    place = text.index("frac")
    assert line.visible_range(place, place + 4) == (4, 5)


def formula_run(view: TranscriptView) -> TextRun:
    return next(run for run in blocks(view, 1)[0].lines[0].runs if run.style.formula)


FRACTION = r"so \(\frac{a}{bc} + d\)"


def test_each_glyph_has_the_colour_of_its_token(show: Open) -> None:
    ends = (FRACTION.index("a}") + 1, FRACTION.index("bc") + 1, len(FRACTION))
    marks = tuple(Mark(end, origin) for end, origin in zip(ends, ("draft", "ngram", "target"), strict=True))
    view = show(answer(1, FRACTION), details=lambda _: EntryDetails(marks))
    view.set_colouring(True)
    view.grab()
    block = blocks(view, 1)[0]
    (words, *_), *tints = [(rect, whose) for rect, whose in block.tints(0, TokenMarks(marks))]
    assert [whose for _, whose in tints] == [OriginKind.DRAFT, OriginKind.OTHER]
    above, below = (rect for rect, _ in tints)
    assert above.bottom() < below.top()
    assert words.right() <= above.left()


def test_each_glyph_tells_its_place(show: Open) -> None:
    view = show(answer(1, FRACTION))
    shown = row(view, 1)
    (placed,) = shown.body.items
    block = blocks(view, 1)[0]
    assert block.geometry
    for rect, source in block.geometry.glyph_places(0, formula_run(view)):
        assert FRACTION[source] in "abc+"
        assert source_at(ItemHit(0, placed, rect.center() + block.origin)) == source


def test_a_click_selects_nothing_of_it_and_a_double_click_all(show: Open) -> None:
    view = show(answer(1, r"so \(\sqrt{x} = 1\) is"))
    mouse, place = Mouse(view), point_of(view, 1, OBJECT)
    mouse.click(place)
    assert view.message_actions.selected_text() == ""
    mouse.click(place, 2)
    assert view.message_actions.selected_text() == r"\(\sqrt{x} = 1\)"


def test_formulas_stand_in_headings_links_tables_quotes_and_beside_hebrew(show: Open) -> None:
    text = "# $a$\n\n[$b$](http://x.y)\n\n| $c$ |\n|---|\n| $d$ |\n\n> $$e$$\n\n- $f$\n\n"
    text += "\u05e9\u05dc\u05d5\u05dd $g$ \u05e9"
    view = show(answer(1, text))
    view.set_colouring(True)
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    view.grab()
    assert [latex for latex, _, _ in drawn(view)] == list("abcdefg")
    assert all(place > 0 for _, _, place in drawn(view))


@pytest.mark.parametrize("content", [None, b"no font"], ids=["missing", "damaged"])
def test_without_its_font_a_formula_is_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "fonts").mkdir()
        (tmp_path / "fonts" / "STIXTwoMath-subset.ttf").write_bytes(content)
    monkeypatch.setattr(math_font, "resources", lambda: tmp_path)
    math_font.math_font.cache_clear()
    try:
        assert typeset.__wrapped__(r"\frac{1}{2}", display=True) == ()
    finally:
        math_font.math_font.cache_clear()


def test_nothing_of_it_is_loaded_before_a_formula_is_shown() -> None:
    code = (
        "import sys, specchat.ui.app_controller;"
        "print([name for name in sys.modules if 'typesetting' in name or 'formula_object' in name])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
