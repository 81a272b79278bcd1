"""The pages of the help, read from resources/docs: in the window's language if they are translated, or in English."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from specchat.services.program.resources import resources

TOPICS = (
    "getting-started.md",
    "window.md",
    "models.md",
    "benchmark.md",
    "tools.md",
    "server.md",
    "engines.md",
    "machines.md",
    "commands.md",
    "exactness.md",
    "privacy.md",
    "features.md",
)
"""The help topics in the order of the list."""
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class HelpTopic:
    name: str
    """Of its file."""
    text: str

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].removeprefix("# ").strip()

    @property
    def anchors(self) -> list[str]:
        """Of its headings."""
        return heading_anchors(_HEADING.findall(_CODE.sub("", self.text)))

    def has_all(self, words: list[str]) -> bool:
        text = self.text.casefold()
        return all(word.casefold() in text for word in words)


def read_topics(language: str = "") -> list[HelpTopic]:
    return [_read_topic(name, language) for name in TOPICS]


def find_place(place: str, language: str) -> str:
    """The page in this language, below resources/docs: `de/window.md#das-overlay` for `window.md#the-overlay`."""
    name, hash_mark, anchor = place.partition("#")
    if not _translation(name, language).is_file():
        return place
    return f"{language}/{name}{hash_mark}{_translate_anchor(anchor, name, language)}"


def heading_anchors(headings: Iterable[str]) -> list[str]:
    """As GitHub spells them in links."""
    counts: Counter[str] = Counter()
    anchors = []
    for words in headings:
        anchor = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        anchors.append(f"{anchor}-{counts[anchor]}" if counts[anchor] else anchor)
        counts[anchor] += 1
    return anchors


def _translate_anchor(anchor: str, name: str, language: str) -> str:
    """A translated page has the same headings in the same order."""
    own = _read_topic(name, language).anchors
    return anchor if anchor in own else dict(zip(_read_topic(name).anchors, own, strict=False)).get(anchor, anchor)


def _read_topic(name: str, language: str = "") -> HelpTopic:
    translated = _translation(name, language)
    file = translated if translated.is_file() else resources() / "docs" / name
    return HelpTopic(name, file.read_text(encoding="utf-8"))


def _translation(name: str, language: str) -> Path:
    return resources() / "docs" / language / name
