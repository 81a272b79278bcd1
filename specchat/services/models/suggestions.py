"""Suggests the known word closest to a misspelt one."""

from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.7
_LONGEST = 200
"""Nobody types more, and comparing it takes its time."""


def suggest_similar(word: str, known: Iterable[str]) -> list[str]:
    """At most one; none where nothing is like it, or where it is right as it is."""
    names = [name for name in known if len(name) <= _LONGEST]
    return get_close_matches(word, names, 1, _ALIKE) if len(word) <= _LONGEST and word not in names else []
