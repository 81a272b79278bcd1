"""The list of features names what is in the window as the window does."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[3]
CATALOGUE = ROOT / "resources" / "translations" / "specchat_de.ts"
NO_LABELS = ("italics", "Hugging Face")


def labels() -> list[str]:
    text = (ROOT / "resources" / "docs" / "features.md").read_text(encoding="utf-8")
    found = re.findall(r"\*([^*`|]+)\*", re.sub(r"`[^`]*`", "", text))
    return sorted({label for label in found if label not in NO_LABELS})


@pytest.fixture(scope="module")
def sources() -> set[str]:
    texts = (message.findtext("source") or "" for message in ElementTree.parse(CATALOGUE).iter("message"))
    return {text.strip() for text in texts}


def test_there_are_some() -> None:
    assert len(labels()) > 20


@pytest.mark.parametrize("label", labels())
def test_each_label_is_in_the_window(sources: set[str], label: str) -> None:
    """Three dots may stand for what differs from time to time."""
    pattern = re.compile(".+".join(map(re.escape, label.split("…"))))
    opening = label.removesuffix("…")
    assert {label, opening} & sources or any(map(pattern.fullmatch, sources))
