import re

import pytest

from specchat.store.excerpt import excerpt

TICKS = "```"


def cut(text: str, *words: str) -> tuple[str, list[str]]:
    """And what is matched in it."""
    pattern = "|".join(map(re.escape, words or ("needle",)))
    part, matches = excerpt(text, tuple(found.span() for found in re.finditer(pattern, text)))
    return part, [part[begin:end] for begin, end in matches]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("needle", "needle"),
        ("One.\n\nA *needle*.\n\nTwo.", "A *needle*.\n\nTwo."),
        ("One.\r\n\r\nA\r\nneedle.", "A\r\nneedle."),
        ("One.\n \t\nA needle.", "A needle."),
        ("# Head\n\n| a | b |\n|---|---|\n| c | needle |", "| a | b |\n|---|---|\n| c | needle |"),
        ("> One.\n>\n> A needle.", "> One.\n>\n> A needle."),
    ],
)
def test_it_begins_with_the_block(text: str, part: str) -> None:
    assert cut(text) == (part, ["needle"])


def test_what_stands_in_a_list_is_not_taken_for_code() -> None:
    text = f"1. One\n\n    - **A** needle\n      and **more**\n\n    {TICKS}\n    x\n    {TICKS}"
    assert cut(text) == (f"- **A** needle\n  and **more**\n\n{TICKS}\nx\n{TICKS}", ["needle"])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (f"One.\n\n{TICKS}python\na\n\nb = needle\nc\n{TICKS}\nTwo.", f"{TICKS}\nb = needle\nc\n{TICKS}\nTwo."),
        (f"- One:\n\n  {TICKS}py\n  a\n    needle\n  {TICKS}", f"{TICKS}\n  needle\n{TICKS}"),
        (f"- {TICKS}py\n  needle\n  {TICKS}\n- *Two*", f"{TICKS}\nneedle\n{TICKS}\n- *Two*"),
        (f"> {TICKS}\n> a\n> needle\n> {TICKS}", f"{TICKS}\nneedle\n{TICKS}"),
        (f"~~~\n{TICKS}\nneedle", "~~~\nneedle"),
        (f"{TICKS}a{TICKS}\n\n{TICKS}a{TICKS} needle", f"{TICKS}a{TICKS} needle"),
    ],
)
def test_code_stays_code(text: str, part: str) -> None:
    assert cut(text) == (part, ["needle"])


@pytest.mark.parametrize(
    "code", [f"{TICKS}\na\n\nb\n{TICKS}", f"~~~ x\n\n{TICKS}\n~~~", f"- {TICKS}\n\n  a\n  {TICKS}"]
)
def test_what_follows_code_is_none(code: str) -> None:
    assert cut(f"{code}\nA *needle*.") == ("A *needle*.", ["needle"])


def test_the_language_of_code_may_match() -> None:
    text = f"One.\n\n{TICKS}needle\na\n{TICKS}\nTwo."
    assert cut(text) == (text.removeprefix("One.\n\n"), ["needle"])


def test_links_come_with_their_definitions() -> None:
    definitions = "\n\n[a]: http://a\n[b]: http://b"
    text = f"A [needle][a].\n\n{'More. ' * 1000}{definitions}"
    part, matches = cut(text)
    assert part.startswith("A [needle][a].")
    assert part.endswith(definitions)
    assert matches == ["needle"]


def test_most_words_near_each_other_are_the_best_match() -> None:
    text = f"A needle, another needle.\n\n{'More. ' * 50}\n\nThe needle and the thread.\n\nA thread."
    assert cut(text, "needle", "thread") == (
        "The needle and the thread.\n\nA thread.",
        ["needle", "thread", "thread"],
    )


def test_no_text_is_too_long() -> None:
    part, matches = cut("word " * 100_000 + "needle " * 1_000 + "word " * 100_000)
    assert len(part) < 20_000
    assert 1 < len(matches) < 100
    assert set(matches) == {"needle"}
    part, matches = cut(f"{TICKS}\n{'x' * 100_000}needle{'x' * 100_000}")
    assert len(part) < 20_000
    assert matches == ["needle"]
