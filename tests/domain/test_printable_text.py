"""What a terminal would obey is gone as a whole; all else stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specchat.domain.printable_text import printable_text, without_controls


@pytest.mark.parametrize(
    "escape",
    [
        "\x1b[31m",
        "\x1b[1;38;5;196m",
        "\x1b[?25l",
        "\x1b[2 q",
        "\x9b31m",
        "\x1b]0;a title\x07",
        "\x1b]8;;https://evil.example\x1b\\",
        "\x9d0;a title\x9c",
        "\x1bP+q544e\x1b\\",
        "\x90+q\x9c",
        "\x1b_text\x1b\\",
        "\x9fG\x9c",
        "\x1b(B",
        "\x1bc",
        "\x1b7",
        "\x07",
        "\x85",
    ],
)
def test_an_escape_sequence_leaves_nothing(escape: str) -> None:
    assert printable_text(f"not{escape}today", " ") == "not today"
    assert printable_text(f"{escape}red", "") == "red"
    assert printable_text(escape) == "\ufffd"


@pytest.mark.parametrize("cut", ["\x1b", "\x1b[", "\x1b[3", "\x9b1;", "\x1b]0;ti", "\x1bP"])
def test_one_that_is_cut_off(cut: str) -> None:
    assert printable_text(f"text{cut}", "") == "text"


@pytest.mark.parametrize("text", ["[31m is no colour", "a[0] = b]0;", "Grüße, 世界 😀", "100 % (m)"])
def test_ordinary_text_stays(text: str) -> None:
    assert printable_text(text) == text


@given(st.text(alphabet=st.characters() | st.sampled_from("\x1b[]0;m\x07\x9b\x9c\\")))
def test_any_text(text: str) -> None:
    shown = printable_text(text)
    assert not shown or shown.isprintable()
    assert printable_text(shown) == shown


def test_an_answer_keeps_its_lines_and_joiners_in_any_pieces() -> None:
    text = "a\tb\r\n\N{MAN}\u200d\N{WOMAN} \x1b[31mred\x9b0m\x1b]0;title\x07\x7f"
    shown = "a\tb\n\N{MAN}\u200d\N{WOMAN} \ufffd[31mred\ufffd0m\ufffd]0;title\ufffd\ufffd"
    assert without_controls(text) == shown
    assert "".join(map(without_controls, text)) == shown
