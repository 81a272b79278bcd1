"""Where an answer thinks aloud."""

import re
from dataclasses import dataclass

MOST_SECTIONS = 100
"""What follows is shown as one."""
_OPENING = ("<think>", "<thinking>", "<reasoning>", "[think]")
_EVENT = re.compile(
    r"(?P<opening><(?:think|thinking|reasoning)>|\[THINK\])"
    r"|(?P<closing></(?:think|thinking|reasoning)>|\[/THINK\])"
    r"|^[ ]{0,3}(?P<fence>`{3,}|~{3,})(?P<info>.*)$",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Section:
    reasoning: bool
    start: int
    end: int
    closed: bool = True


def sections(text: str, *, growing: bool = False) -> list[Section]:
    if growing and any(tag.startswith(text.strip().lower()) for tag in _OPENING):
        return []
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Section] = []
        self._start = 0
        self._inside = False
        self._fence = ""

    def read(self) -> list[Section]:
        for event in _EVENT.finditer(self._text):
            if len(self._found) >= MOST_SECTIONS:
                break
            if self._inside:
                if event["closing"]:
                    self._end_section(event.start(), event.end())
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
        line_start = self._text.rfind("\n", 0, event.start()) + 1
        if event["opening"]:
            if not self._text[line_start : event.start()].strip():
                self._end_section(event.start(), event.end())
                self._inside = True
        elif not self._found and self._ends_line(event.end()):
            self._inside = True
            self._end_section(event.start(), event.end())

    def _ends_line(self, at: int) -> bool:
        line_end = self._text.find("\n", at)
        return not self._text[at : line_end if line_end >= 0 else None].strip()

    def _end_section(self, end: int, next_start: int, *, closed: bool = True) -> None:
        if self._text[self._start : end].strip():
            self._found.append(Section(self._inside, self._start, end, closed or not self._inside))
        elif self._inside and not closed:
            self._found.append(Section(True, self._start, end, False))
        self._start, self._inside = next_start, False
