from copy import deepcopy
from pathlib import Path

import pytest

from specchat.domain.errors import SettingError, UserError
from specchat.domain.translatable_text import TranslatableText, group_digits, with_decimals


def test_it_is_the_finished_text_and_keeps_what_it_was_made_of() -> None:
    said = TranslatableText("{name} has {n} parts.", name=Path("big.gguf"), n=3)
    assert said == "big.gguf has 3 parts."
    assert (said.template, said.values) == ("{name} has {n} parts.", {"name": "big.gguf", "n": "3"})


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("{a} and {b}", {"a": "{b}", "b": "{a}"}, "{b} and {a}"),
        ("A set: {}, {1, 2}, {a!r}, { a }", {"a": 1}, "A set: {}, {1, 2}, {a!r}, { a }"),
        ("{a} and {b}", {"a": 1}, "1 and {b}"),
        ("{a}", {}, "{a}"),
        ("{{a}}", {"a": 1}, "{1}"),
    ],
)
def test_only_fields_of_the_template_are_filled(template: str, values: dict[str, object], text: str) -> None:
    assert TranslatableText(template, **values) == text


def test_what_is_still_open_can_be_filled_later() -> None:
    half = TranslatableText("{name} is {what}.", what="{name}")
    assert (TranslatableText(half, name="a", what="lost"), TranslatableText(half)) == ("a is {name}.", half)


def test_a_copy_says_the_same() -> None:
    said = TranslatableText("{what}.", what=TranslatableText("part {n}", n=1))
    copy = deepcopy(said)
    assert (copy, copy.template, copy.values) == (said, said.template, said.values)


def test_an_error_fills_its_message_and_its_hint() -> None:
    error = UserError("{path} is full.", "Free {n} MB in {path}.", path=Path("here"), n=5)
    assert (error.message, error.hint, str(error)) == ("here is full.", "Free 5 MB in here.", "here is full.")
    assert (error.message.template, error.hint.template) == ("{path} is full.", "Free {n} MB in {path}.")


def test_values_may_be_called_anything() -> None:
    assert SettingError("{self}, {message}, {hint}", "", self=1, message=2, hint=3).message == "1, 2, 3"


def test_a_message_without_values_stays_as_it_is() -> None:
    assert UserError("ValueError: {'a': {b}}", "{hint}").message == "ValueError: {'a': {b}}"


@pytest.mark.parametrize(("value", "text"), [(7, "7"), (999, "999"), (4096, "4,096"), (306012345, "306,012,345")])
def test_thousands_are_parted(value: int, text: str) -> None:
    assert group_digits(value) == text


def test_decimals_are_parted_from_the_whole() -> None:
    said = with_decimals(2.449, 1)
    assert (said, said.values) == ("2.4", {"whole": "2", "part": "4"})
