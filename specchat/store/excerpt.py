"""Cuts the best-matching excerpt out of a message, as Markdown that renders on its own."""

import re
from dataclasses import dataclass
from itertools import takewhile

Matches = tuple[tuple[int, int], ...]

_BEFORE = 10_000
_AFTER = 1_000
_MOST_AFTER = 4_000
"""The longest excerpt; longer paragraphs are cut."""
_NEAR = 120
_MOST_MATCHES = 16
_CANDIDATES = 50
_GAP = re.compile(r"\n[ \t\r]*\n\s*")
_FENCE = re.compile(
    r"^(?P<before>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})(?P<info>.*)$", re.MULTILINE
)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$", re.MULTILINE)
"""Matches a link definition."""


@dataclass(frozen=True, slots=True)
class _Beginning:
    at: int
    indent: int
    """What else the lines begin with, in characters."""
    fence: str = ""
    """Of the block of code that this is in."""


def excerpt(text: str, matches: Matches) -> tuple[str, Matches]:
    if not matches:
        return text[:_MOST_AFTER], ()
    best = max(range(len(matches[:_CANDIDATES])), key=lambda first: len(_words_near(text, matches, first)))
    at = matches[best][0]
    begin = _beginning(text, at)
    gap = _GAP.search(text, at + _AFTER, at + _MOST_AFTER)
    end = gap.start() if gap else min(len(text), at + _MOST_AFTER)
    inside = [(first - begin.at, last - begin.at) for first, last in matches[best:] if last <= end]
    part, places = _dedented(text[begin.at : end], inside[:_MOST_MATCHES], begin.indent)
    if begin.fence:
        opening = f"{begin.fence}\n"
        return opening + part, tuple((first + len(opening), last + len(opening)) for first, last in places)
    return part + _definitions(text, end), tuple(places)


def _words_near(text: str, matches: Matches, first: int) -> set[str]:
    limit = matches[first][0] + _NEAR
    near = takewhile(lambda match: match[1] <= limit, matches[first : first + _MOST_MATCHES])
    return {text[begin:end].lower() for begin, end in near}


def _beginning(text: str, at: int) -> _Beginning:
    """Of the block that `at` is in; in code of the line, as what is before it changes nothing there."""
    line = text.rfind("\n", 0, at) + 1
    opening, code_end = _code_before(text[:line])
    earliest = max(code_end, at - _BEFORE)
    if opening:
        return _Beginning(max(line, earliest), opening.end("before") - opening.start(), opening["fence"])
    gaps = [gap.end() for gap in _GAP.finditer(text, earliest, at)]
    begin = gaps[-1] if gaps else earliest
    begin = at - len(text[begin:at].lstrip())
    before = text[text.rfind("\n", 0, begin) + 1 : begin]
    return _Beginning(begin, 0 if before.strip() else len(before))


def _code_before(text: str) -> tuple[re.Match[str] | None, int]:
    """What opens the block of code that `text` ends in, and where the last complete one ends."""
    opening, end = None, 0
    if "```" in text or "~~~" in text:
        for found in _FENCE.finditer(text):
            if not opening:
                opening = found
            elif found["fence"].startswith(opening["fence"]) and not found["info"].strip():
                opening, end = None, found.end()
    return opening, end


def _dedented(text: str, matches: list[tuple[int, int]], indent: int) -> tuple[str, list[tuple[int, int]]]:
    indents = [found.span() for found in re.finditer(rf"^[ \t>]{{1,{indent}}}", text, re.MULTILINE)] if indent else []
    for begin, end in reversed(indents):
        width = end - begin
        text = text[:begin] + text[end:]
        matches = [(first - width, last - width) if first > begin else (first, last) for first, last in matches]
    return text, matches


def _definitions(text: str, start: int) -> str:
    """Without them, links would be shown as they are written."""
    if text.find("]:", start) < 0:
        return ""
    return "\n\n" + "\n".join(_DEFINITION.findall(text, start))
