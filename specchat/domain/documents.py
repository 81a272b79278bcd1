"""Documents as text whose places are marked: pages, paragraphs, rows, lines.

A mark is a line of its own that begins with a form feed, as page breaks in text do: so a document is stored, searched
and exported like any other text. Models read the mark without the form feed, and cite it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_CHARACTERS = 4_000_000
"""The length of a book of 1,500 pages."""
LONGEST_LABEL = 120

_MARK = re.compile(r"^\f\[([^\[\]\n\f]{1,200})\]\n", re.MULTILINE)
_WITH_LINE = re.compile(r"(.*:|line )(\d{1,9})")
"""A label that counts the lines below it."""
_NUMBERED = re.compile(r"(\w+\.?) (\d{1,9})(?: .*)?")
"""Such as "p. 7", or "ch. 3 par. 12", which counts as chapter 3."""
_BLOCK = re.compile(r"(.*par\.|row) (\d{1,9})")
"""The label of a block of paragraphs or rows: that of its first one."""
_SINGULARS = {"pp.": "p.", "rows": "row", "lines": "line"}
_RANGE_DASH = re.compile(r"(?<=\d)\s*[-\u2013]")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document's text, and what its place is called."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """The passages of a document that an answer is based on."""

    name: str
    passages: tuple[Passage, ...]


def mark(label: str) -> str:
    """Returns a mark, for the beginning of a line."""
    return f"\f[{' '.join(re.sub(r'[][]', ' ', label).split())[:LONGEST_LABEL]}]\n"


def is_marked(text: str) -> bool:
    return text.startswith("\f[") and _MARK.match(text) is not None


def readable_text(text: str) -> str:
    """Returns the text with its marks in the form that models read."""
    return _MARK.sub(r"[\1]\n", text) if is_marked(text) else text


@lru_cache(maxsize=4)
def regions(text: str) -> tuple[Passage, ...]:
    """Returns the texts between marks. A text without marks is one region, whose lines are counted."""
    if not is_marked(text):
        return (Passage(0, len(text), "line 1"),)
    marks = list(_MARK.finditer(text))
    ends = [*(found.start() for found in marks[1:]), len(text)]
    return tuple(Passage(found.end(), end, found[1]) for found, end in zip(marks, ends, strict=True))


def label_within(text: str, region: Passage, at: int) -> str:
    counted = _WITH_LINE.fullmatch(region.label)
    if counted is None:
        return region.label
    return f"{counted[1]}{int(counted[2]) + text.count(chr(10), region.start, at)}"


def find_place(text: str, label: str) -> Passage | None:
    """Finds the place with this label, or the block that contains it. Of a range ("pp. 3-5"), finds the first place."""
    places = (_find_single_place(text, single) for single in _possible_starts(label))
    return next((place for place in places if place is not None), None)


def numbered_place(label: str) -> tuple[str, int] | None:
    """Returns the unit and the number, such as ("p.", 7), or None if the label has no number."""
    found = _NUMBERED.fullmatch(label)
    return (found[1], int(found[2])) if found is not None else None


def count_places(text: str) -> tuple[str, int]:
    """Returns the unit of the places ("p.", "row") and their number. The unit is empty if they aren't numbered."""
    if not is_marked(text):
        return "", 0
    found = regions(text)
    last = numbered_place(found[-1].label)
    if last is not None and not _WITH_LINE.fullmatch(found[-1].label):
        return last
    return "", len({region.label.rpartition(":")[0] for region in found})


def describe_range(passages: Sequence[Passage]) -> str:
    """Describes the range of the passages, such as "pp. 3-180"."""
    labels = [passage.label for passage in passages]
    if not labels or labels[0] == labels[-1]:
        return labels[0] if labels else ""
    first, last = numbered_place(labels[0]), numbered_place(labels[-1])
    if first and last and first[0] == last[0]:
        unit = "pp." if first[0] == "p." else first[0]
        return f"{unit} {first[1]}-{last[1]}"
    return f"{labels[0]} - {labels[-1]}"


def citation(name: str, label: str) -> str:
    return f"[{name}, {label}]"


def _possible_starts(label: str) -> Iterator[str]:
    """Yields the label, and its parts before the last and the first dash, because names of files may contain dashes."""
    unit, blank, rest = " ".join(label.split()).partition(" ")
    whole = f"{_SINGULARS.get(unit, unit)}{blank}{rest}"
    yield whole
    dashes = [dash.start() for dash in _RANGE_DASH.finditer(whole)]
    yield from (whole[:at] for at in dict.fromkeys((*dashes[-1:], *dashes[:1])))


def _find_single_place(text: str, label: str) -> Passage | None:
    folded, with_line, in_block = label.casefold(), _WITH_LINE.fullmatch(label), _BLOCK.fullmatch(label)
    block = None
    for region in regions(text):
        if region.label.casefold() == folded:
            return region
        counted = _WITH_LINE.fullmatch(region.label) if with_line else None
        if counted and with_line and counted[1] == with_line[1] and int(with_line[2]) >= int(counted[2]):
            return _line(text, region, int(with_line[2]) - int(counted[2]))
        first = _BLOCK.fullmatch(region.label) if in_block else None
        if first and in_block and first[1] == in_block[1] and int(first[2]) <= int(in_block[2]):
            block = region if int(in_block[2]) - int(first[2]) < _count_parts(text, region) else None
    return block


def _count_parts(text: str, region: Passage) -> int:
    """Counts rows (the lines below the names of the columns) or paragraphs (separated by blank lines)."""
    content = text[region.start : region.end].strip("\n")
    return content.count("\n") if region.label.startswith("row ") else content.count("\n\n") + 1


def _line(text: str, region: Passage, number: int) -> Passage | None:
    start = region.start
    for _ in range(number):
        start = text.find("\n", start, region.end) + 1
        if not start:
            return None
    end = text.find("\n", start, region.end)
    return Passage(start, region.end if end < 0 else end, label_within(text, region, start))


def windows(text: str, region: Passage, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Yields parts of about this size, which end with a paragraph, line, sentence or word."""
    start = region.start
    while region.end - start > size * 4 // 3:
        end = _good_end(text, start + size // 2, start + size)
        yield start, end
        following = text.find(" ", max(start + 1, end - overlap), end) + 1
        start = following or end
    if text[start : region.end].strip():
        yield start, region.end


def _good_end(text: str, least: int, most: int) -> int:
    for end in ("\n\n", "\n", ". ", " "):
        found = text.rfind(end, least, most)
        if found >= 0:
            return found + len(end)
    return most
