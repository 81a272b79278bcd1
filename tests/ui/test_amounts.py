from collections.abc import Iterator

import pytest
from PySide6.QtCore import QDate, QLocale

from specchat.ui.words.number_format import format_date, format_number


@pytest.fixture(autouse=True)
def locale() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


@pytest.mark.parametrize(("language", "words"), [("C", "131,072.5"), ("en", "131,072.5"), ("de", "131.072,5")])
def test_numbers_are_written_for_people(language: str, words: str) -> None:
    QLocale.setDefault(QLocale(language))
    assert format_number(131072.5, 1) == words


@pytest.mark.parametrize(("language", "words"), [("C", "2026-11-22"), ("en_GB", "22/11/2026"), ("de", "22.11.26")])
def test_days_are_written_for_people(language: str, words: str) -> None:
    QLocale.setDefault(QLocale(language))
    assert format_date(QDate(2026, 11, 22)) == words
