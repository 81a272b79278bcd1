"""Maps each token of an answer to its source, and to the parts of a line that it colors."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from operator import attrgetter

from specchat.domain.conversations import Mark
from specchat.domain.drafter_types import is_draft_origin
from specchat.domain.types import TARGET, UNKNOWN, USER
from specchat.ui.transcript.rendered_lines import RenderedLine


class OriginKind(Enum):
    TARGET = auto()
    """Or whoever it was, where the engine does not say."""
    DRAFT = auto()
    """An accepted guess of a draft: a model or a head."""
    OTHER = auto()
    """An accepted guess of any other drafter."""
    USER = auto()
    """The user's own words in the answer."""


def origin_kind(mark: Mark) -> OriginKind:
    if mark.origin in (TARGET, UNKNOWN):
        return OriginKind.TARGET
    if mark.origin == USER:
        return OriginKind.USER
    return OriginKind.DRAFT if is_draft_origin(mark.origin) else OriginKind.OTHER


class TokenMarks:
    """The tokens of an answer, to which more may come while it is written."""

    def __init__(self, marks: Sequence[Mark] = ()) -> None:
        self._marks = marks

    def __len__(self) -> int:
        return len(self._marks)

    def mark_at(self, source: int) -> Mark | None:
        number = self._number(source)
        return self._marks[number] if number < len(self._marks) else None

    def _number(self, source: int) -> int:
        return bisect_right(self._marks, source, key=attrgetter("end"))

    def guessed_ranges(self, line: RenderedLine) -> list[tuple[int, int, OriginKind]]:
        """Returns the stretches of a line that the target didn't choose; formulas that are drawn are left out."""
        found: list[tuple[int, int, OriginKind]] = []
        for start, end, whose in self._stretches(line):
            if found and found[-1][1] == start and found[-1][2] is whose:
                found[-1] = (found[-1][0], end, whose)
            else:
                found.append((start, end, whose))
        return [stretch for stretch in found if stretch[2] is not OriginKind.TARGET]

    def _stretches(self, line: RenderedLine) -> Iterator[tuple[int, int, OriginKind]]:
        for run in line.runs:
            if run.style.formula:
                continue
            source = run.source
            number = self._number(source)
            while source < run.source_end and number < len(self._marks):
                end = min(run.source_end, self._marks[number].end)
                whose = origin_kind(self._marks[number])
                if not run.literal:
                    yield run.start, run.end, whose
                    break
                if end > source:
                    yield run.start + source - run.source, run.start + end - run.source, whose
                source, number = end, number + 1
