"""Updates an answer's marks when the user edits its text."""

from collections.abc import Sequence
from dataclasses import replace
from os.path import commonprefix

from specchat.domain.conversations import Mark
from specchat.domain.types import UNKNOWN, USER
from specchat.services.answers.reasoning import find_sections


def split_reasoning(text: str) -> tuple[str, str]:
    """Returns the reasoning with its markers, and the rest of the answer, which can be edited."""
    start = next((section.start for section in find_sections(text) if not section.reasoning), 0)
    start += len(text[start:]) - len(text[start:].lstrip("\r\n"))
    return text[:start], text[start:]


def edited_marks(marks: Sequence[Mark], old: str, new: str) -> tuple[Mark, ...]:
    """Unchanged text keeps its marks; the rest is marked as the user's."""
    n_before = len(commonprefix((old, new)))
    n_behind = len(commonprefix((old[n_before:][::-1], new[n_before:][::-1])))
    known = marks or (Mark(len(old), UNKNOWN),)
    before = [replace(mark, end=min(mark.end, n_before)) for mark, start in _with_starts(known) if start < n_before]
    behind = [replace(mark, end=mark.end + len(new) - len(old)) for mark in known if mark.end > len(old) - n_behind]
    own = [Mark(len(new) - n_behind, USER)] if len(new) - n_behind > n_before else []
    return (*before, *own, *behind)


def _with_starts(marks: Sequence[Mark]) -> Sequence[tuple[Mark, int]]:
    return list(zip(marks, (0, *(mark.end for mark in marks)), strict=False))
