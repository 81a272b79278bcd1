from collections.abc import Iterator

import pytest
from PySide6.QtCore import QDate, QLocale

from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Device
from specchat.ui.words.free_memory import free_memory_text
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_date, format_number, format_size, join_units


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


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("about 73 % accepted", "about 73\u00a0% accepted"),
        ("needs 61 GB of 16 GB", "needs 61\u00a0GB of 16\u00a0GB"),
        ("{n} % accepted", "{n}\u00a0% accepted"),
        ("5 MB/s, 3 ms", "5\u00a0MB/s, 3\u00a0ms"),
        ("4 streams, 3 Bs, GB 2", "4 streams, 3 Bs, GB 2"),
    ],
)
def test_a_figure_and_its_unit_stay_together(text: str, joined: str) -> None:
    assert join_units(text) == joined
    assert translate_text(TranslatableText(text)) == joined
    assert " " not in format_size(4_700_000_000)


def test_a_path_can_be_copied() -> None:
    path = "/home/u/Llama 8 B/x.gguf"
    said = TranslatableText("Can't read {path}: {n} MB are missing.", path=path, n=3)
    assert translate_text(said) == f"Can't read {path}: 3\u00a0MB are missing."
    assert translate_text(path) == path


def test_the_memory_of_graphics_cards_is_told_apart() -> None:
    ram, card = Device("CPU", "", "cpu", 16 * 10**9, 9 * 10**9), Device("Vulkan0", "", "gpu", 8 * 10**9, 6 * 10**9)
    within = Device("Vulkan1", "It has none of its own.", "igpu", 16 * 10**9, 9 * 10**9)
    assert free_memory_text([ram, within]) == "9.0\u00a0GB of RAM"
    assert free_memory_text([ram, card, card]) == "12.0\u00a0GB of GPU memory and 9.0\u00a0GB of RAM"
