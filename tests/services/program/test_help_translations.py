"""A translated help page has the parts of the English page, in the same order and with the same names in them."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from specchat.services.program.help_topics import TOPICS
from specchat.services.program.resources import resources

DOCS = resources() / "docs"
LANGUAGES = sorted(folder.name for folder in DOCS.iterdir() if folder.is_dir())
TRANSLATIONS = [f"{language}/{name}" for language in LANGUAGES for name in TOPICS]
BLOCK = re.compile(r"^```.*?^```|[^\n]+(?:\n(?!\n|[|]|- |\d+\. |```)[^\n]+)*", re.MULTILINE | re.DOTALL)
"""Code, a heading, a paragraph, an item of a list, or a row of a table."""
KIND = re.compile(r"```|#+|- |\d+\. |\|")
SPAN = re.compile(r"`[^`]+`")
FIGURE = re.compile(r"\d[\d.,]*\d|\d")
LABEL = re.compile(r"\*{1,2}[^*]+\*{1,2}")

Part = tuple[str, dict[str, list[str]]]
"""Its kind, and what doesn't depend on the language."""


@pytest.mark.parametrize("page", TRANSLATIONS)
def test_the_page_says_what_the_english_one_says(page: str) -> None:
    english, translated = (DOCS / page.rpartition("/")[2]), DOCS / page
    for before, after in zip_longest(blocks(english), blocks(translated), fillvalue=""):
        assert part(after) == part(before), (
            f"resources/docs/{page} doesn't match the English page:\n\n{before}\n\nis translated as:\n\n{after}"
        )


def test_all_pages_are_translated() -> None:
    assert sorted(str(file.relative_to(DOCS)) for file in DOCS.glob("*/*")) == sorted(TRANSLATIONS)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Use `-m`, or press Strg+B.", True),
        ("Nehmen Sie `-c` (Strg+B).", False),
        ("Nehmen Sie `-m` (Strg+D).", False),
        ("Nehmen Sie **`-m`** (Strg+B).", False),
        ("Nehmen Sie 2 `-m` (Strg+B).", False),
        ("- Nehmen Sie `-m` (Strg+B).", False),
    ],
)
def test_what_is_compared(text: str, same: bool) -> None:
    assert (part(text) == part("Use `-m` (Ctrl+B).")) is same


def blocks(file: Path) -> Iterator[str]:
    return (found[0] for found in BLOCK.finditer(file.read_text(encoding="utf-8")))


def part(block: str) -> Part:
    kind = KIND.match(block)
    if kind and kind[0] == "```":
        return kind[0], {"code": block.splitlines()}
    words = SPAN.sub("", block)
    return kind[0] if kind else "", {
        "code": sorted(SPAN.findall(block)),
        "cells": re.findall(r"(?<!\\)\|", words),
        "labels": sorted(re.findall(r"\*\*|(?<!\*)\*(?!\*)", words)),
        "links": sorted(_target(link) for link in re.findall(r"\]\(([^)\s]+)\)", words)),
        "figures": sorted(re.sub(r"[.,]", "", figure) for figure in FIGURE.findall(LABEL.sub("", words))),
        "keys": sorted(re.findall(r"(?:Ctrl|Strg)[+-](?:(?:Shift|Umschalt)\+)?([A-Z,/])(?!\w)", words)),
    }


def _target(link: str) -> str:
    """A heading has another name in each language."""
    return link if "://" in link else re.sub("#.*", "#", link)
