import pytest

from specchat.services.chat.titles import (
    MAX_TITLE_LENGTH,
    automatic_title,
    has_words,
    make_unique_name,
    make_unique_title,
)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is a tide?", "What is a tide?"),
        ("What is a tide? And why are there two a day?", "What is a tide?"),
        ("Explain how tides work.", "Explain how tides work"),
        ("Hi. Can you explain tides?", "Hi. Can you explain tides?"),
        ("Explain, in as many words as you like, why there are two tides", "Explain, in as many words as you like…"),
        ("## Review\n\n**please** fix `main` in _this_ file", "Review please fix main in this file"),
        ("Why does this fail?\n```python\nprint(1)\n```", "Why does this fail?"),
        ("```python\nprint(1)\n```\nWhy does this fail?", "Why does this fail?"),
        ("```\nprint(1)\n```", "print(1)"),
        ("~~~\nunclosed", "unclosed"),
        ("- one\n- two\n1. three", "one two three"),
        ("See [the docs](https://example.org/a/b) please", "See the docs please"),
        ("Sum up https://www.example.org/a?b=c please", "Sum up example.org please"),
        ("use snake_case_names here", "use snake_case_names here"),
        ("", ""),
        (" \n\t ", ""),
        ("x" * 100, "x" * 40 + "…"),
        ("潮汐是什么？为什么一天有两次？" * 9, None),
        ("word " * 100_000, "word word word word word word word word…"),
        ("[" * 100_000, None),
    ],
)
def test_the_first_sentence_without_markup(question: str, title: str | None) -> None:
    found = automatic_title(question)
    assert len(found) <= 41
    if title is not None:
        assert found == title


@pytest.mark.parametrize(
    ("title", "taken", "expected"),
    [
        ("Tides", {"Tides"}, "Tides (2)"),
        ("Tides", {"Tides", "Tides (2)"}, "Tides (3)"),
        ("Tides (2)", {"Tides", "Tides (2)"}, "Tides (3)"),
        ("In the year (1969)", set(), "In the year (1969) (2)"),
        ("x" * MAX_TITLE_LENGTH, set(), "x" * (MAX_TITLE_LENGTH - 4) + " (2)"),
    ],
)
def test_a_number_tells_apart(title: str, taken: set[str], expected: str) -> None:
    assert make_unique_title(title, taken) == expected


@pytest.mark.parametrize(
    ("name", "taken", "expected"),
    [
        ("a.txt", ("b.txt",), "a.txt"),
        ("a.txt", ("a.txt", "a (2).txt", "a (3).md"), "a (3).txt"),
        ("src/", ("src/",), "src (2)/"),
        ("Makefile", ("Makefile", ".gitignore"), "Makefile (2)"),
        (".gitignore", (".gitignore",), ".gitignore (2)"),
    ],
)
def test_files_with_the_same_name_are_renamed(name: str, taken: tuple[str, ...], expected: str) -> None:
    assert make_unique_name(name, taken) == expected


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("mee", True),
        ("MEETING uber", True),
        ("meet ", False),
        ("friday meeting", True),
        ("friday monday", False),
        (" ", False),
        ("?", False),
    ],
)
def test_words_of_a_title(query: str, *, is_found: bool) -> None:
    assert has_words("Meeting on Friday über budgets", query) is is_found
