"""Which characters of an answer are whose."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from operator import attrgetter

from specchat.domain.conversations import Mark
from specchat.domain.types import DRAFT, TARGET
from specchat.ui.transcript.lines import Line


class Owner(Enum):
    TARGET = auto()
    DRAFT = auto()
    """An accepted guess of the draft model."""
    OTHER = auto()
    """An accepted guess of any other drafter."""


def owner(mark: Mark) -> Owner:
    if mark.origin == TARGET:
        return Owner.TARGET
    return Owner.DRAFT if mark.origin == DRAFT else Owner.OTHER


class Marks:
    """The tokens of an answer; where it is still written, more may come at any time."""

    def __init__(self, marks: Sequence[Mark] = ()) -> None:
        self._marks = marks

    def __len__(self) -> int:
        return len(self._marks)

    def at(self, source: int) -> Mark | None:
        number = self._number(source)
        return self._marks[number] if number < len(self._marks) else None

    def _number(self, source: int) -> int:
        return bisect_right(self._marks, source, key=attrgetter("end"))

    def guessed(self, line: Line) -> list[tuple[int, int, Owner]]:
        """From where to where the line shows accepted guesses."""
        runs: list[tuple[int, int, Owner]] = []
        for start, end, whose in self._runs(line):
            if runs and runs[-1][1] == start and runs[-1][2] is whose:
                runs[-1] = (runs[-1][0], end, whose)
            else:
                runs.append((start, end, whose))
        return [run for run in runs if run[2] is not Owner.TARGET]

    def _runs(self, line: Line) -> Iterator[tuple[int, int, Owner]]:
        at = 0
        for bit in line.bits:
            source = bit.source
            number = self._number(source)
            while source < bit.end and number < len(self._marks):
                end = min(bit.end, self._marks[number].end)
                whose = owner(self._marks[number])
                if bit.length >= 0:
                    yield at, at + len(bit.text), whose
                    break
                if end > source:
                    yield at + source - bit.source, at + end - bit.source, whose
                source, number = end, number + 1
            at += len(bit.text)
