import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specchat.ui.transcript.contrast import READABLE, contrast, grounds, hues
from specchat.ui.transcript.highlight import LIMIT, Highlighter
from specchat.ui.widgets.theme import DARK, LIGHT, Theme

FUNCTION = 'def twice(n: int) -> int:\n    """Doc\n    over lines."""\n    return 2 * n  # so\n'


def test_words_of_the_language_have_a_colour() -> None:
    first, *_ = Highlighter("python").lines(["def f(): return 'x'  # why"])
    assert ("def ", "keyword") in first
    assert ("f", "name") in first
    assert ("'x'  ", "string") in first
    assert ("# why", "comment") in first


@pytest.mark.parametrize("language", ["", "klingon", "PYTHON", "c++", "../x"])
def test_any_language_keeps_the_text(language: str) -> None:
    code = FUNCTION.split("\n")
    lines = Highlighter(language).lines(code)
    assert ["".join(text for text, _ in line) for line in lines] == code


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([*FUNCTION.split("\n"), "", "x = {", "'''", "class A:"]), max_size=120), st.integers(1, 40)
)
def test_code_that_grows_ends_with_the_same_text(code: list[str], step: int) -> None:
    highlighter = Highlighter("python")
    for end in range(0, len(code), step):
        highlighter.lines(code[:end] or [""])
    lines = highlighter.lines(code or [""])
    assert ["".join(text for text, _ in line) for line in lines] == (code or [""])


def test_code_that_grows_ends_with_the_same_colours() -> None:
    code = (FUNCTION * 60).split("\n")
    highlighter = Highlighter("python")
    for end in range(1, len(code)):
        highlighter.lines(code[:end])
    assert highlighter.lines(code) == Highlighter("python").lines(code)
    assert highlighter.settled > len(code) - 60


def test_very_long_programs_lose_their_colours_after_a_while() -> None:
    code = (FUNCTION * (2 + 2 * LIMIT // len(FUNCTION))).split("\n")
    lines = Highlighter("python").lines([*code, "def late(): pass"])
    assert ("def ", "keyword") in lines[0]
    assert lines[-1] == [("def late(): pass", "")]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_are_readable_tinted_or_not(theme: Theme) -> None:
    for colour in hues(theme).values():
        assert all(contrast(colour, ground) >= READABLE for ground in grounds(theme))


def test_the_window_starts_without_parsers() -> None:
    code = (
        "import sys, specchat.ui.transcript;"
        "print({'markdown_it', 'pygments', 'numpy', 'jinja2', 'llama_cpp'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
