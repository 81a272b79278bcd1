import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specchat.ui.transcript.fenced_code import MAX_CODE_LENGTH, SyntaxHighlighter
from specchat.ui.transcript.text_formats import READABLE, code_backgrounds, contrast_ratio, syntax_colours
from specchat.ui.widgets.theme import DARK, LIGHT, Theme

FUNCTION = 'def twice(n: int) -> int:\n    """Doc\n    over lines."""\n    return 2 * n  # so\n'


def test_words_of_the_language_have_a_colour() -> None:
    first, *_ = SyntaxHighlighter("python").highlight_lines(["def f(): return 'x'  # why"])
    assert ("def ", "keyword") in first
    assert ("f", "name") in first
    assert ("'x'  ", "string") in first
    assert ("# why", "comment") in first


@pytest.mark.parametrize("language", ["", "klingon", "PYTHON", "c++", "../x"])
def test_any_language_keeps_the_text(language: str) -> None:
    code = FUNCTION.split("\n")
    lines = SyntaxHighlighter(language).highlight_lines(code)
    assert ["".join(text for text, _ in line) for line in lines] == code


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([*FUNCTION.split("\n"), "", "x = {", "'''", "class A:"]), max_size=120), st.integers(1, 40)
)
def test_code_that_grows_ends_with_the_same_text(code: list[str], step: int) -> None:
    highlighter = SyntaxHighlighter("python")
    for end in range(0, len(code), step):
        highlighter.highlight_lines(code[:end] or [""])
    lines = highlighter.highlight_lines(code or [""])
    assert ["".join(text for text, _ in line) for line in lines] == (code or [""])


def test_code_that_grows_ends_with_the_same_colours() -> None:
    code = (FUNCTION * 60).split("\n")
    highlighter = SyntaxHighlighter("python")
    for end in range(1, len(code)):
        highlighter.highlight_lines(code[:end])
    assert highlighter.highlight_lines(code) == SyntaxHighlighter("python").highlight_lines(code)
    assert highlighter.settled > len(code) - 60


def test_very_long_programs_lose_their_colours_after_a_while() -> None:
    code = (FUNCTION * (2 + 2 * MAX_CODE_LENGTH // len(FUNCTION))).split("\n")
    lines = SyntaxHighlighter("python").highlight_lines([*code, "def late(): pass"])
    assert ("def ", "keyword") in lines[0]
    assert lines[-1] == [("def late(): pass", "")]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_are_readable_tinted_or_not(theme: Theme) -> None:
    for colour in syntax_colours(theme).values():
        assert all(contrast_ratio(colour, ground) >= READABLE for ground in code_backgrounds(theme))


def test_the_window_starts_without_parsers() -> None:
    code = (
        "import sys, specchat.ui.transcript;"
        "print({'markdown_it', 'pygments', 'numpy', 'jinja2', 'llama_cpp'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
