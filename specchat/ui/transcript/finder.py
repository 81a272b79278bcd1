"""Search in a conversation: in what was written, past the marks of emphasis and code."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice

from specchat.ui.transcript.lines import clean
from specchat.ui.transcript.look import Find
from specchat.ui.transcript.values import Entry

MOST = 10_000
"""Matches that are looked for."""
_MARKUP = "[*_`~\\\\]*"


class Finder:
    def __init__(self) -> None:
        self._pattern: re.Pattern[str] | None = None
        self._found: dict[int, list[tuple[int, int]]] = {}
        self._order: list[tuple[int, int]] = []
        """Of each match the message's id and the number within it, from top to bottom."""
        self._current = -1

    def search(self, text: str, entries: Sequence[Entry], start: int) -> int:
        """Begins at the message with the number `start`."""
        self._pattern = _pattern(text)
        self._collect(entries)
        places = {entry.id: number for number, entry in enumerate(entries)}
        self._current = bisect_left(self._order, start, key=lambda match: places[match[0]])
        if self._current == len(self._order):
            self._current = 0 if self._order else -1
        return len(self._order)

    def refresh(self, entries: Sequence[Entry]) -> None:
        """After messages have changed."""
        if self._pattern:
            self._collect(entries)
            self._current = min(max(self._current, 0), len(self._order) - 1)

    def clear(self) -> None:
        self._pattern = None
        self._found, self._order, self._current = {}, [], -1

    def step(self, by: int) -> None:
        if self._order:
            self._current = (self._current + by) % len(self._order)

    @property
    def position(self) -> int:
        """Of the current match, from 1; 0 without one."""
        return self._current + 1

    @property
    def current(self) -> tuple[int, int, int] | None:
        """The message and the place in its text."""
        if self._current < 0:
            return None
        entry_id, number = self._order[self._current]
        return entry_id, *self._found[entry_id][number]

    def finds(self, entry_id: int) -> list[Find]:
        current = self._order[self._current] if self._current >= 0 else None
        return [
            Find(start, end, (entry_id, number) == current)
            for number, (start, end) in enumerate(self._found.get(entry_id, ()))
        ]

    def _collect(self, entries: Sequence[Entry]) -> None:
        self._found, self._order = {}, []
        if self._pattern is None:
            return
        for entry in entries:
            matches = self._pattern.finditer(clean(entry.text))
            found = [match.span() for match in islice(matches, MOST - len(self._order))]
            if found:
                self._found[entry.id] = found
                self._order += [(entry.id, number) for number in range(len(found))]


def _pattern(text: str) -> re.Pattern[str] | None:
    words = text.split()
    if not words:
        return None
    return re.compile(rf"{_MARKUP}\s+{_MARKUP}".join(map(_word, words)), re.IGNORECASE)


def _word(word: str) -> str:
    return _MARKUP.join(re.escape(character) for character in word)
