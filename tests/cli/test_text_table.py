"""Tables stay within 80 columns where they can."""

from specchat.cli.text_table import format_entries, format_table

NUMBERS = ("tokens/s", "first token")


def table(name: str) -> list[str]:
    return format_table(("model", *NUMBERS), [(name, "719.8", "0.022 s")], NUMBERS)


def test_what_fits_stands_wide() -> None:
    assert table("plain") == ["MODEL  TOKENS/S  FIRST TOKEN", "plain     719.8      0.022 s"]


def test_a_wide_table_is_made_narrower() -> None:
    name = "x" * 60
    assert table(name) == [
        " " * 60 + "              FIRST",
        "MODEL".ljust(60) + "  TOKENS/S    TOKEN",
        name + "     719.8  0.022 s",
    ]
    name = "x" * 62
    assert table(name) == [
        " " * 62 + "             FIRST",
        "MODEL".ljust(62) + "  TOKENS/S   TOKEN",
        name + "     719.8 0.022 s",
    ]


def test_what_cannot_fit_stands_wide() -> None:
    name = "x" * 100
    assert table(name) == ["MODEL".ljust(100) + "  TOKENS/S  FIRST TOKEN", name + "     719.8      0.022 s"]


def test_lines_below_the_rows_of_a_table_with_two_heading_lines() -> None:
    name = "x" * 60
    rows = table(name)
    assert format_entries(rows, [["-m x"]]) == [*rows, "  -m x"]
    assert format_entries([], []) == []
