"""The help names what is in the window as the window does, in each language."""

import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

import pytest

from specchat.services.program.resources import resources

DOCS = resources() / "docs"
CATALOGUES = {"": "source", "de": "translation"}
"""Where each language's texts of the window are, by the folder of its help pages."""
EMPHASIZED = {
    *("demo", "draft", "target", "early exit", "italics", "tools", "Hugging Face", "RPC is not secure."),
    *("Demo", "Kursivschrift", "RPC ist nicht sicher."),
}
"""Marked as labels are."""
CODE = re.compile(r"^```.*?^```|`[^`]*`", re.MULTILINE | re.DOTALL)


def labels() -> Iterator[tuple[str, str]]:
    for folder in CATALOGUES:
        for file in sorted((DOCS / folder).glob("*.md")):
            found = re.findall(r"\*{1,2}([^*|]+)\*{1,2}", CODE.sub("", file.read_text(encoding="utf-8")))
            yield from {(folder, " ".join(label.split())) for label in found} - {(folder, word) for word in EMPHASIZED}


@pytest.fixture(scope="module")
def texts() -> Callable[[str], set[str]]:
    catalogue = ElementTree.parse(resources() / "translations" / "specchat_de.ts")
    found = {
        folder: {(message.findtext(tag) or "").strip() for message in catalogue.iter("message")}
        for folder, tag in CATALOGUES.items()
    }
    return found.__getitem__


def test_there_are_some() -> None:
    assert len(list(labels())) > 100


@pytest.mark.parametrize(("language", "label"), sorted(set(labels())))
def test_each_label_is_in_the_window(texts: Callable[[str], set[str]], language: str, label: str) -> None:
    assert is_in_the_window(label, texts(language)), f"{label} is no text of the window"


def is_in_the_window(label: str, texts: set[str]) -> bool:
    """Three dots may stand for what differs from time to time."""
    pattern = re.compile(".+".join(map(re.escape, label.split("…"))))
    return bool({label, label.removesuffix("…")} & texts) or any(map(pattern.fullmatch, texts))
