"""Lines of answers that are broken between words while they are written."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specchat.cli.word_wrap import WordWrap


def wrapped(text: str, columns: int, *, seed: int = 0) -> str:
    """In pieces of any size, as tokens are."""
    wrap, rest, written = WordWrap(lambda: columns), text, ""
    sizes = random.Random(seed)
    while rest:
        size = sizes.randint(1, 6)
        written += wrap.add(rest[:size])
        rest = rest[size:]
    return written + wrap.rest()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("The moon pulls the water.", ["The moon", "pulls the", "water."]),
        ("0123456789 0123456789", ["0123456789", "0123456789"]),
        ("a 012345678901234 bcd", ["a 012345678901234", "bcd"]),  # 17 columns: the terminal breaks it once
        ("One.\n\nTwo three four", ["One.", "", "Two three", "four"]),
        ("One. \n  \nTwo", ["One.", "", "Two"]),
        ("- one two\n- three four", ["- one two", "- three", "  four"]),
        ("1. one two\nthree four", ["1. one two", "three four"]),
        ("    - one two", ["    - one", "two"]),  # indented further than half a line
        ("  * one two", ["  * one", "    two"]),
        ("Grüße an e\u0301e\u0301 und", ["Grüße an", "e\u0301e\u0301 und"]),
        ("Ein 🙂🙂🙂🙂 Satz", ["Ein", "🙂🙂🙂🙂", "Satz"]),
        ("月が海の水を引き寄せる。", ["月が海の水を引き寄せる。"]),
        ("海の水 moon and sea", ["海の水", "moon and", "sea"]),
    ],
)
def test_lines_end_between_words(text: str, lines: list[str]) -> None:
    for seed in range(5):
        assert [line.rstrip(" ") for line in wrapped(text, 10, seed=seed).split("\n")] == lines


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint('one', 'two', 'three')  \n\n```",
        "~~~\n``` is not its end\n~~~",
        "````\n```\nmore words than fit\n```\n````",
        "    indented code that is long",
        "\tindented code that is long",
        "| a table | with | columns |",
        "> a quote of several words",
        "\u3000\u3000你好",
        "```\n\u3000\u3000你好 \u00a0 5\n```",
        "5 \u00a0 6",
        "an averylongwordthatfitsnowhere",
        "",
    ],
)
def test_what_a_line_break_would_change_stays(text: str) -> None:
    for seed in range(5):
        assert wrapped(text, 10, seed=seed) == text


def test_after_code_lines_are_broken_again() -> None:
    assert wrapped("```\none two three\n```\none two three", 10) == "```\none two three\n```\none two\nthree"


@pytest.mark.parametrize("columns", [0, 1, 2, 4000])
def test_any_width(columns: int) -> None:
    text = "The moon\tpulls 月 the water.  Twice a day"
    assert wrapped(text, columns).replace("\n", " ").split() == text.split()
    if columns in (0, 4000):
        assert wrapped(text, columns) == text


def test_a_terminal_that_is_resized() -> None:
    columns = [20]
    wrap = WordWrap(lambda: columns[0])
    written = wrap.add("one two three four ")
    columns[0] = 10
    assert written + wrap.add("five six seven ") + wrap.rest() == "one two three four\nfive six\nseven "


def test_whole_words_are_written_at_once_and_code_as_it_comes() -> None:
    wrap = WordWrap(lambda: 80)
    assert [wrap.add(text) for text in ("The", " mo", "on", " ", "海")] == ["", "The", "", " moon", " 海"]
    code = ("\n```", "py\n", "print", "(1", ", ", "2", ")")
    assert [wrap.add(text) for text in code] == ["\n", "```py\n", "", "", "print(1, ", "2", ")"]


def test_a_word_longer_than_a_line_is_written_as_it_comes() -> None:
    wrap = WordWrap(lambda: 30)
    pieces = ("See ", "https://example.org/", "a-very-long-path", "/and", "-more", " then", " twenty-two words", " end")
    written = ["See", "", " https://example.org/a-very-long-path", "/and", "-more", "", " then\ntwenty-two", " words"]
    assert [wrap.add(piece) for piece in pieces] == written
    assert wrap.rest() == " end"


@pytest.mark.parametrize("columns", [0, 1, 80])
def test_at_most_a_line_is_held_back(columns: int) -> None:
    wrap, n_held = WordWrap(lambda: columns), 0
    for _ in range(1000):
        n_held += 4 - len(wrap.add("base"))
        assert n_held <= max(columns, 20)


TEXTS = st.lists(
    st.sampled_from(
        [" ", "  ", "\t", "\n", "\u00a0", "\u3000", "\u2028", "\r", "a", "word", "e\u0301", "海", "🙂", "|", ">", "```"]
    )
    | st.text(max_size=3),
    max_size=40,
).map("".join)


@settings(deadline=None)
@given(TEXTS, st.integers(0, 30), st.integers())
def test_lines_end_where_they_do_without_pieces(text: str, columns: int, seed: int) -> None:
    wrap = WordWrap(lambda: columns)
    assert wrapped(text, columns, seed=seed) == wrap.add(text) + wrap.rest()


@settings(deadline=None)
@given(TEXTS, st.integers(0, 30), st.integers())
def test_only_blanks_and_line_breaks_change(text: str, columns: int, seed: int) -> None:
    blanks = str.maketrans("", "", " \t\n")
    assert wrapped(text, columns, seed=seed).translate(blanks) == text.translate(blanks)


@settings(deadline=None)
@given(TEXTS, st.integers(0, 30), st.integers())
def test_code_stays(text: str, columns: int, seed: int) -> None:
    code = f"~~~~\n{text.replace('~', '')}\n~~~~"
    assert wrapped(code, columns, seed=seed) == code
