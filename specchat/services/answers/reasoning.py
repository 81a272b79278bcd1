"""Finds the reasoning sections in an answer's text."""

import re
from dataclasses import dataclass

_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "seed:think")
MARKERS = (
    *((f"<{tag}>", f"</{tag}>") for tag in _TAGS),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
)
_BEGIN = "|".join(re.escape(begin) for begin, _ in MARKERS)
_END = "|".join(re.escape(end) for _, end in MARKERS)
_ANSWER = "<|start|>assistant<|channel|>final<|message|>"
"""The header that some models write before the answer; its first two parts may be missing."""
_ANSWERS = rf"(?:{re.escape('<|start|>assistant')})?{re.escape('<|channel|>final<|message|>')}"
_HALF_WRITTEN = tuple(
    marker.lower() for marker in (*(begin for begin, _ in MARKERS), _ANSWER, _ANSWER.removeprefix("<|start|>assistant"))
)
_NEVER_UNOPENED = "<|end|>"
"""Ends answers of other models."""

_ANY = frozenset(
    mark.casefold() for marks in (*MARKERS, (_ANSWER.removeprefix("<|start|>assistant"),)) for mark in marks
)
"""Most texts have none of them, and need no closer look."""

EDGE_MARKER_PATTERN = rf"^[ \t]*(?:{_BEGIN})|(?:{_END})(?:[ \t\r]*$|\s*{_ANSWERS})|^[ \t]*{_ANSWERS}"
"""Matches dividing markers in multi-line text, but not markers that a sentence mentions."""
MAX_SECTIONS = 100
"""Sections that follow each other are shown as one."""

_ENDED = re.compile(_END, re.IGNORECASE)
_LINE_END = re.compile(r"[^\S\n]*(?:\n|\Z)")
_BEFORE_ANSWER = re.compile(rf"\s*{_ANSWERS}", re.IGNORECASE)
_EVENT = re.compile(
    rf"(?P<opening>{_BEGIN})|(?P<closing>{_END})|^[ ]{{0,3}}(?P<fence>`{{3,}}|~{{3,}})(?P<info>.*)$",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Section:
    reasoning: bool
    start: int
    end: int
    closed: bool = True


def ends_thought(text: str) -> bool:
    return _ENDED.search(text) is not None


def find_sections(text: str, *, growing: bool = False) -> list[Section]:
    """Markers count at the beginning of a line, and not inside code: an answer may be about them."""
    found = _Reader(text).read()
    if growing and found and not found[-1].reasoning and _is_half_a_marker(text, found):
        found.pop()
    return found


def strip_reasoning(text: str) -> str:
    folded = text.casefold()
    if text.strip() and not any(mark in folded for mark in _ANY):
        return text
    found = find_sections(text)
    if [(section.start, section.end) for section in found if not section.reasoning] == [(0, len(text))]:
        return text
    return "\n\n".join(text[section.start : section.end].strip() for section in found if not section.reasoning)


def find_reasoning(text: str) -> str:
    return "\n\n".join(text[each.start : each.end].strip() for each in find_sections(text) if each.reasoning)


def _is_half_a_marker(text: str, found: list[Section]) -> bool:
    """At the beginning, or right behind a thought."""
    if len(found) > 1 and not found[-2].reasoning:
        return False
    end = text[found[-1].start : found[-1].end].strip().lower()
    return any(marker.startswith(end) for marker in _HALF_WRITTEN)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Section] = []
        self._start = self._after_marker(0)
        self._inside = False
        self._fence = ""

    def read(self) -> list[Section]:
        for event in _EVENT.finditer(self._text):
            if len(self._found) >= MAX_SECTIONS:
                break
            if self._inside:
                if event["closing"]:
                    self._end_section(event.start(), self._after_marker(event.end()))
            elif event["fence"]:
                self._note_fence(event["fence"], event["info"])
            elif not self._fence:
                self._note_tag(event)
        self._end_section(len(self._text), len(self._text), closed=False)
        return self._found

    def _note_fence(self, fence: str, info: str) -> None:
        if not self._fence:
            self._fence = fence
        elif fence.startswith(self._fence) and not info.strip():
            self._fence = ""

    def _note_tag(self, event: re.Match[str]) -> None:
        if event["opening"]:
            if self._begins_line(event.start()):
                self._end_section(event.start(), event.end())
                self._inside = True
        elif not self._found and self._ends_unopened(event):
            self._inside = True
            self._end_section(event.start(), self._after_marker(event.end()))

    def _begins_line(self, at: int) -> bool:
        before = at - 1
        while before >= self._start and self._text[before].isspace() and self._text[before] != "\n":
            before -= 1
        return before < self._start or self._text[before] == "\n"

    def _ends_unopened(self, event: re.Match[str]) -> bool:
        """Some templates open the section themselves."""
        at = event.end()
        if event["closing"].lower() == _NEVER_UNOPENED:
            return self._after_marker(at) > at
        return _LINE_END.match(self._text, at) is not None

    def _after_marker(self, at: int) -> int:
        found = _BEFORE_ANSWER.match(self._text, at)
        return found.end() if found else at

    def _end_section(self, end: int, next_start: int, *, closed: bool = True) -> None:
        if self._text[self._start : end].strip():
            self._found.append(Section(self._inside, self._start, end, closed or not self._inside))
        elif self._inside and not closed:
            self._found.append(Section(True, self._start, end, False))
        self._start, self._inside = next_start, False
