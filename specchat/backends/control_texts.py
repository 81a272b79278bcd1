"""Finds text that could be mistaken for the control tokens of a vocabulary."""

import re
from collections import defaultdict
from collections.abc import Iterable

Span = tuple[int, int]

_SEPARATOR = "\U0010ffff"
_PREFIX = 3
"""The number of first characters by which texts are grouped."""


class ControlTexts:
    def __init__(self, texts: Iterable[str] = ()) -> None:
        self.texts = tuple({text for text in texts if text.strip()})
        self._pattern = re.compile(_any_of(self.texts)) if self.texts else None
        outer = {text[i] for text in self.texts for i in (0, -1)}
        marks = [re.escape(character) for character in outer if not (character.isalnum() or character.isspace())]
        self._outer = re.compile(f"[{''.join(marks)}]+") if marks else None
        self._joined = _SEPARATOR.join(self.texts)
        self._longest = max(map(len, self.texts), default=0)
        self._beginnings = {text[:end] for text in self.texts for end in range(1, len(text)) if text[:end].strip()}
        self._endings = {text[start:] for text in self.texts for start in range(1, len(text)) if text[start:].strip()}

    def spans(self, text: str) -> list[Span]:
        """Returns the positions of control texts, which don't overlap."""
        return [match.span() for match in self._pattern.finditer(text)] if self._pattern is not None else []

    def outer(self, text: str) -> list[Span]:
        """Returns characters that begin or end a control text, which a template could join by cutting out text."""
        return [match.span() for match in self._outer.finditer(text)] if self._outer is not None else []

    def edges(self, text: str) -> list[Span]:
        """Returns parts that could become control texts together with adjacent text."""
        lengths = range(min(self._longest - 1, len(text)), 0, -1)
        at_start = next((n for n in lengths if text[:n] in self._endings), 0)
        at_end = next((n for n in lengths if text[-n:] in self._beginnings), 0)
        return [span for span in ((0, at_start), (len(text) - at_end, len(text))) if span[0] < span[1]]

    def has_inside(self, text: str) -> bool:
        """Returns whether the whole text is part of a control text."""
        return 0 < len(text) < self._longest and not text.isspace() and text in self._joined


def _any_of(texts: Iterable[str]) -> str:
    """Returns a pattern for any of the texts; the longest match wins."""
    groups: dict[str, list[str]] = defaultdict(list)
    for text in sorted(texts, key=len, reverse=True):
        groups[text[:_PREFIX]].append(text[_PREFIX:])
    by_length = sorted(groups, key=len, reverse=True)
    return "|".join(f"{re.escape(start)}(?:{'|'.join(map(re.escape, groups[start]))})" for start in by_length)


NO_CONTROL_TEXTS = ControlTexts()
