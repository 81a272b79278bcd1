"""Searches a conversation's messages, ignoring the marks of emphasis, code and scripts, and its attached files.

An attached file counts as one match, before those in its message: it is shown by its name only.

A long conversation is searched in slices, from where the reader is to its end, then from its beginning.
"""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, chain, islice

from specchat.ui.transcript.message_layout import ROW_CACHE_SIZE, MessageLayout
from specchat.ui.transcript.rendered_lines import clean_text
from specchat.ui.widgets.lru_cache import LruCache

MAX_MATCHES = 10_000
"""The most matches that are looked for in one message."""
SLICE_SIZE = 100_000
"""The characters that are searched in one go, which takes some milliseconds."""
_PER_MESSAGE = 200
"""The cost of looking at a message, in characters."""
_MARKUP = r"(?:[*_`~\\]|</?su[bp]>)*"

Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class MatchCount:
    position: int = 0
    """Of the current match, from 1; 0 without one."""
    total: int = 0
    complete: bool = True
    """Whether everything has been searched; before, both numbers are of what has been."""
    in_file: bool = False
    """Whether the current match is in a file."""


@dataclass(frozen=True, slots=True)
class MatchRange:
    """The place of a match in its message."""

    start: int
    end: int
    current: bool


@dataclass(frozen=True, slots=True)
class Match:
    index: int
    """The number of the message."""
    span: tuple[int, int] | None
    """The place in its text; None: in an attached file."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The matches in one message."""

    files: tuple[int, ...] = ()
    """The numbers of the files that match."""
    spans: Spans = field(default_factory=list)

    def span(self, number: int) -> tuple[int, int] | None:
        """Returns the place of a match; those in files come first and have none."""
        return None if number < len(self.files) else self.spans[number - len(self.files)]

    def __len__(self) -> int:
        return len(self.files) + len(self.spans)


class Finder:
    def __init__(self, flow: MessageLayout) -> None:
        self._flow = flow
        self._pattern: re.Pattern[str] | None = None
        self._start = 0
        self._counts: list[int] = []
        """Matches in each message."""
        self._left: deque[int] = deque()
        """The messages to be searched."""
        self._founds: LruCache[int, _Found] = LruCache(ROW_CACHE_SIZE, lambda _: None)
        self._current: tuple[int, int] | None = None
        """The number of its message, and its number within that."""
        self._wanted = False
        """Whether the first match is to be shown."""
        self._steps = 0
        """The steps to take when all matches are known."""

    def contains(self, text: str, entry_id: int) -> bool:
        pattern, index = _pattern(text), self._flow.index_of(entry_id)
        if pattern is None or index is None:
            return False
        return pattern.search(self._text(index)) is not None or bool(self._files(index, pattern))

    def search(self, text: str, start: int) -> None:
        """Starts a search at the message with the number `start`."""
        self._pattern = _pattern(text)
        self._start = start
        self.restart()
        self._wanted = self.is_active

    def restart(self) -> None:
        """Starts again, as other messages are shown."""
        count = len(self._flow.entries) if self.is_active else 0
        start = min(self._start, count)
        self._counts = [0] * count
        self._left = deque(chain(range(start, count), range(start)))
        self._founds.clear()
        self._current, self._wanted, self._steps = None, False, 0

    def clear(self) -> None:
        self._pattern = None
        self.restart()

    @property
    def is_active(self) -> bool:
        return self._pattern is not None

    def sync_entries(self) -> None:
        """Follows messages that have come or gone at the end."""
        before, now = len(self._counts), len(self._flow.entries) if self.is_active else 0
        if now < before:
            del self._counts[now:]
            self._left = deque(index for index in self._left if index < now)
            self._forget(range(now, before))
        self._counts += [0] * (now - before)
        self._left += range(before, now)

    def invalidate(self, entry_id: int) -> None:
        index = self._flow.index_of(entry_id)
        if self.is_active and index is not None:
            self._forget([index])
            if not self._left or self._left[-1] != index:
                self._left.append(index)

    def step(self, by: int) -> None:
        self._steps += by

    def search_next_slice(self) -> bool:
        """Searches the next slice and says whether a match that was asked for is to be shown now."""
        self._search_slice()
        total = sum(self._counts)
        self._settle(total)
        complete = not self._left
        shown = self._wanted and self._current is not None
        if complete and self._steps and self._current:
            self._current = self._at((self._place(*self._current) + self._steps) % total)
            shown = True
        self._wanted &= not shown and not complete
        self._steps = 0 if complete else self._steps
        return shown

    @property
    def match_count(self) -> MatchCount:
        position = self._place(*self._current) + 1 if self._current else 0
        current = self.current_match
        in_file = current is not None and current.span is None
        return MatchCount(position, sum(self._counts), not self._left, in_file)

    @property
    def current_match(self) -> Match | None:
        if self._current is None:
            return None
        index, number = self._current
        found = self._found(index)
        return Match(index, found.span(number)) if number < len(found) else None

    def match_ranges(self, entry_id: int) -> list[MatchRange]:
        index = self._flow.index_of(entry_id)
        if not self.is_active or index is None:
            return []
        found = self._found(index)
        return [
            MatchRange(start, end, (index, number) == self._current)
            for number, (start, end) in enumerate(found.spans, start=len(found.files))
        ]

    def file_matches(self, entry_id: int) -> dict[int, bool]:
        """Returns the matching files by number, and whether each is the current match."""
        index = self._flow.index_of(entry_id)
        if not self.is_active or index is None:
            return {}
        return {file: (index, number) == self._current for number, file in enumerate(self._found(index).files)}

    def _search_slice(self) -> None:
        room = SLICE_SIZE
        while self._pattern and self._left and room > 0:
            index = self._left.popleft()
            text = self._text(index)
            n_files = len(self._files(index, self._pattern))
            self._counts[index] = n_files + min(MAX_MATCHES, len(self._pattern.findall(text)))
            attached = sum(len(file.text) for file in self._flow.entries[index].attachments)
            room -= len(text) + attached + _PER_MESSAGE

    def _settle(self, total: int) -> None:
        """Keeps the current match as long as it exists, and chooses another one then."""
        if not total:
            self._current = None
        elif self._current is None:
            self._current = self._at(self._place(self._start, 0) % total)
        elif not self._is_there(*self._current):
            self._current = self._at(min(self._place(*self._current), total - 1))

    def _is_there(self, index: int, number: int) -> bool:
        return index < len(self._counts) and number < self._counts[index]

    def _place(self, index: int, number: int) -> int:
        """Returns the place of a match among all matches."""
        return sum(self._counts[:index]) + number

    def _at(self, place: int) -> tuple[int, int]:
        ends = list(accumulate(self._counts))
        index = bisect_right(ends, place)
        return index, place - ends[index] + self._counts[index]

    def _found(self, index: int) -> _Found:
        if self._pattern is None:
            return _Found()
        found = self._founds.get(index)
        if found is None:
            matches = self._pattern.finditer(self._text(index))
            spans = [match.span() for match in islice(matches, MAX_MATCHES)]
            found = _Found(self._files(index, self._pattern), spans)
            self._founds.put(index, found)
            self._founds.trim(())
        return found

    def _files(self, index: int, pattern: re.Pattern[str]) -> tuple[int, ...]:
        """Returns the files that match by name or text."""
        files = self._flow.entries[index].attachments
        return tuple(n for n, file in enumerate(files) if pattern.search(file.name) or pattern.search(file.text))

    def _forget(self, indices: Iterable[int]) -> None:
        for index in indices:
            self._founds.pop(index)

    def _text(self, index: int) -> str:
        """Returns the text of a message as far as it is written."""
        entry = self._flow.entries[index]
        row = self._flow.cached_row(entry.id)
        return row.text if row else clean_text(entry.text)


def _pattern(text: str) -> re.Pattern[str] | None:
    words = text.split()
    if not words:
        return None
    return re.compile(rf"{_MARKUP}\s+{_MARKUP}".join(map(_word, words)), re.IGNORECASE)


def _word(word: str) -> str:
    return _MARKUP.join(re.escape(character) for character in word)
