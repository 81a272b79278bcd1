"""Keeps the last lines of a server's error output."""

from collections import deque
from collections.abc import Callable

from specchat.domain.printable_text import printable_text

_LINES, _LONGEST = 20, 300


class OutputTail:
    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._lines = deque[str](maxlen=_LINES)
        self._rest = ""

    def add(self, text: str) -> None:
        *lines, rest = (self._rest + text).split("\n")
        self._rest = rest[-4 * _LONGEST :]
        self._lines.extend(filter(str.strip, lines[-_LINES:]))

    @property
    def lines(self) -> tuple[str, ...]:
        lines = [*self._lines, *([self._rest] if self._rest.strip() else [])]
        return tuple(printable_text(self._redact(line.rstrip()), "")[:_LONGEST] for line in lines[-_LINES:])
