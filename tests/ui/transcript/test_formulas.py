import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.mouse import Mouse
from ui.transcript.seen import answer, blocks, point_of, row, streaming, write
from ui.transcript.test_lines import rendered

from specchat.domain.conversations import Mark
from specchat.ui.transcript import EntryDetails
from specchat.ui.transcript.formulas import formula_glyphs, readable_formula
from specchat.ui.transcript.rendered_lines import LINE_BREAK, LineKind, RenderedLine, TextRun
from specchat.ui.transcript.row_contents import plain_text
from specchat.ui.transcript.selection import selected_text, whole_row_range


def heard(line: RenderedLine) -> str:
    """The text of a line with its formulas as a screen reader has them."""
    return "".join(heard_run(line, run) for run in line.runs)


def heard_run(line: RenderedLine, run: TextRun) -> str:
    formula = run.style.formula
    return readable_formula(formula.latex) + formula.tail if formula else line.run_text(run)


def shown(text: str) -> list[str]:
    return [heard(line) for line in rendered(text)]


def read(latex: str) -> str:
    """`^<…>` and `_<…>` stand for small letters, `‹…›` for what is shown as it is written."""
    parts = []
    for glyph in formula_glyphs(latex):
        text = f"‹{glyph.text}›" if glyph.source else glyph.text
        parts.append({1: f"^<{text}>", -1: f"_<{text}>"}.get(glyph.script, text))
    return "".join(parts).replace(">^<", "").replace(">_<", "")


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"E=mc^2", "E = mc²"),
        (r"x = \frac{-b \pm \sqrt{b^2-4ac}}{2a}", "x = (−b ± √(b² − 4ac)) / (2a)"),
        (r"\sum_{k=1}^{n} k^2", "∑_<k=1>ⁿ k²"),
        (r"\int_0^\infty e^{-x}\,dx", "∫₀^<∞> e^<−x> dx"),
        (r"\lim_{x \to 0} \frac{\sin x}{x} = 1", "lim_<x→0> (sin x) / x = 1"),
        (r"\forall \epsilon > 0\ \exists \delta", "∀ϵ > 0 ∃δ"),
        (r"\alpha \to \beta \implies A \subseteq B", "α → β ⟹ A ⊆ B"),
        (r"f(x,y) = -x, 1{,}000 + 2,500", "f(x, y) = −x, 1, 000 + 2,500"),
        (r"\frac12 m + \frac{dy}{dx} + \frac{\partial f}{\partial x}", "½ m + dy/dx + ∂f/∂x"),
        (r"\hat{x} + \vec v + \overline{AB}", "x̂ + v⃗ + A̅B̅"),
        (r"x \in \mathbb{R}^n, \mathbb{E}[X]", "x ∈ ℝⁿ, 𝔼[X]"),
        (r"x \text{ if } y \geq 0", "x if y ≥ 0"),
        (r"\left( \frac{a}{b} \right)^{n+1}", "(a/b)ⁿ⁺¹"),
        (r"\left. f \right|_{x=0}", "f|_<x=0>"),
        (r"90^\circ f'(x) f^\prime", "90°f′(x)f′"),
        (r"\binom{n}{2}", "(ⁿ₂)"),
        (r"\sqrt[3]{x} + \sqrt[n]{2}", "∛x + ⁿ√2"),
        (r"a \not= b \notin C", "a =\u0338 b ∉ C"),
        (r"a \equiv b \pmod{n}", "a ≡ b (mod n)"),
        (r"\boxed{42}", "42"),
        (r"\ce{2H2O}", "2H₂O"),
        (r"A \xrightarrow{f} B", "A →^<f> B"),
        (r"\begin{pmatrix} 1 & -2 \\ 3 & 4 \end{pmatrix} x", "(1 −2; 3 4) x"),
        (r"|x| = \begin{cases} x & x > 0 \\ -x \end{cases}", "|x| = {x x > 0; −x"),
        (r"e^{x^2}", "e^<x²>"),
        (r"x \unheard{a}{b} y", r"x‹\unheard{a}{b}›y"),
        (r"\mathbf{v} \cdot \mathrm{d}s", "v · ds"),
    ],
)
def test_latex_can_be_read(latex: str, text: str) -> None:
    assert " ".join(read(latex).split()) == text


@pytest.mark.parametrize(
    "latex", ["", "{", "}", "^", "_", "\\", "x^", r"\frac", r"\frac{a", r"\sqrt[", r"\begin{", "&"]
)
def test_half_a_formula_can_be_read(latex: str) -> None:
    assert isinstance(read(latex), str)


@pytest.mark.parametrize(
    "text",
    [
        r"a \(x_1 * y_2 * z\) b",
        r"a \[x_1 * y_2 * z\] b",
        "a $x_1 * y_2 * z$ b",
        "a $$x_1 * y_2 * z$$ b",
        r"- a \(x_1 * y_2 * z\) b",
        r"> a \(x_1 * y_2 * z\) b",
        "# a $x_1 * y_2 * z$ b",
    ],
)
def test_markdown_leaves_formulas_alone(text: str) -> None:
    assert shown(text) == ["a x₁ ∗ y₂ ∗ z b"]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and *not* $6.",
        "US$5, A$6 or 7$ in *all*",
        "From $20,000 to $30,000",
        "From $5 to 10$",
        "$HOME/bin:$PATH",
        "`\\(x\\)` and `$x$`",
        "```\n\\[\nx\n\\]\n```",
        r"\$x$ and \\(y)",
        r"see \[1\] and \[2, 3\]",
        r"\(only words in here\)",
        "$$ is the number of the process",
        r"escape it as \( in such words",
        "$ x$ and $y $ and $$",
        "| a$ | b$ |",
    ],
)
def test_other_dollars_and_brackets_are_none(text: str) -> None:
    assert not any(run.formula for line in rendered(text) for run in line.runs)


@pytest.mark.parametrize("opening", ["\\[", "$$"])
def test_a_formula_of_several_lines_is_no_list_heading_or_quote(opening: str) -> None:
    closing = {"\\[": "\\]"}.get(opening, opening)
    text = f"Text:\n{opening}\na\n- b\n+ c\n> d\n= e\n=\n# f\n{closing}\nand\n\n"
    text += f"- item\n  {opening}\n  a\n  - b\n  {closing}\n"
    lines = rendered(text)
    assert [heard(line) for line in lines] == ["Text:", "a − b + c > d = e = #f", "and", "item", "a − b"]
    assert [line.in_formula for line in lines] == [False, True, False, False, True]


def test_a_formula_may_begin_at_the_end_of_a_line() -> None:
    assert shown("It is $$\na\n- b\n$$\nhere.") == ["It is", "a − b", "here."]


def test_pipes_in_formulas_do_not_end_cells() -> None:
    text = "| a | b |\n|---|---|\n| $|x|$ | \\(P(A|B)\\) |\n| $P(A\\|B)$ | 5$ |"
    cells = [heard(line) for line in rendered(text) if line.kind is LineKind.CELL]
    assert cells == ["a", "b", "|x|", "P(A|B)", "P(A|B)", "5$"]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("so \\(\\frac{a}{b", ["so a/b"]),
        ("so \\[\n\\alpha * \\beta * \\ga", ["so", "α ∗ β ∗ \\ga"]),
        ("so $\\alpha * \\beta * c", ["so α ∗ β ∗ c"]),
        ("$$\na\n- b", ["a − b"]),
    ],
)
def test_a_formula_is_one_before_it_ends(text: str, seen: list[str]) -> None:
    assert shown(text) == seen


def test_a_blank_line_ends_what_was_never_closed() -> None:
    assert shown("\\[\nx\n\n- item *a*") == ["x", "item a"]


def test_environments_are_formulas_even_without_marks() -> None:
    assert shown("\\begin{equation}\na_1 * b * c\n\\end{equation}\nText") == ["a₁ ∗ b ∗ c", "Text"]


MATRICES = """So:

\\[
A = \\begin{bmatrix} 1 \\\\ 2 \\end{bmatrix} \\begin{bmatrix} 1 \\\\ 2 \\\\ 3 \\end{bmatrix}
\\]

End."""


COPIED = "The area is \\(\\pi r^2\\), and\n\n$$\nA = \\frac{1}{2}\n$$\n\n" + MATRICES


def test_formulas_are_copied_as_they_were_written(show: Open) -> None:
    view = show(answer(1, COPIED))
    taken = whole_row_range(row(view, 1))
    assert taken
    assert selected_text(row(view, 1), taken) == COPIED


def test_a_formula_is_copied_whole(show: Open) -> None:
    view = show(answer(1, COPIED))
    Mouse(view).drag(point_of(view, 1, "area"), point_of(view, 1, " and"))
    assert view.message_actions.selected_text() == "area is \\(\\pi r^2\\),"


def test_a_formula_in_a_quote_is_copied_without_its_marks(show: Open) -> None:
    view = show(answer(1, "> a\n>\n> \\[\n> x\n> \\]"))
    QTest.keyClick(view, Qt.Key.Key_End)
    taken = whole_row_range(row(view, 1))
    assert taken
    assert selected_text(row(view, 1), taken) == "a\n\\[\nx\n\\]"


def test_coloured_formulas_are_drawn(show: Open) -> None:
    view = show(answer(1, COPIED), details=lambda _: EntryDetails((Mark(len(COPIED), "draft"),)))
    view.set_colouring(True)
    view.grab()


def test_small_letters_are_heard_as_such(show: Open) -> None:
    view = show(answer(1, r"\(x_{ij}^{k}\) and \(y^2\)"))
    assert plain_text(row(view, 1), 100) == "x_ij^k and y²"


def test_a_formula_that_streams_is_never_damaged(show: Open, qtbot: QtBot) -> None:
    view = show(streaming(1))
    for letter in "Is \\(\\alpha * \\beta * \\gamma\\) so?":
        write(view, 1, letter)
        lines = blocks(view, 1)[0].lines
        assert not any(run.style.italic and "∗" in line.run_text(run) for line in lines for run in line.runs)
    qtbot.waitUntil(lambda: [heard(line) for line in blocks(view, 1)[0].lines] == ["Is α ∗ β ∗ γ so?"])


def test_it_is_found_by_what_was_written(show: Open) -> None:
    (line,) = rendered(r"so \(\alpha + \beta\)")
    assert line.visible_range(5, 11) == (3, 4)


@pytest.mark.parametrize(
    "part",
    ["\\(", "\\[", "$", "$$", "$a ", "{", "\\frac{", "x^", "\\sqrt", "\\begin{matrix}", "&", "\\\\", "$|", "\\(|"],
)
@pytest.mark.parametrize("start", ["", "\\[\n", "$x", "| "])
def test_hostile_formulas_are_read_in_one_go(part: str, start: str) -> None:
    text = start + part * (15_000 // len(part))
    assert rendered(text)


def test_line_breaks_stay_within_lines() -> None:
    assert all("\n" not in line.text for line in rendered("\\(a \\foo{b\nc} \\text{d\ne}\\) f\ng"))
    assert shown("a\nb") == [f"a{LINE_BREAK}b"]
