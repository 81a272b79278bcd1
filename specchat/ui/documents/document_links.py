"""Links to documents of a chat: to a place in one, or to the passages that an answer was written from."""

import re
from collections.abc import Iterator

_DOCUMENT, _PASSAGES = "document:", "passages:"
_ANSWER = re.compile(rf"{_PASSAGES}(\d{{1,18}})")
_NUMBERED = r"(?:pp?\.|par\.|ch\.|rows?|lines?) ?\d[\w .\u2013-]{0,30}"
_LINES = r"[^\[\]\n,]{1,120}:\d{1,7}(?:[-\u2013]\d{1,7})?"
_CITATION = re.compile(rf"\[(?P<name>[^\[\]\n]{{0,150}}(?:\.\w{{1,8}}|/)), ?(?P<place>{_NUMBERED}|{_LINES})\]")
"""A file or folder and a place, in the form that prompts ask for."""


def find_citations(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields the start, the end and the link of each citation."""
    for found in _CITATION.finditer(text):
        yield found.start(), found.end(), document_link(found["name"], found["place"])


def document_link(name: str, place: str = "") -> str:
    return f"{_DOCUMENT}{name}, {place}" if place else f"{_DOCUMENT}{name}"


def passages_link(message: int) -> str:
    return f"{_PASSAGES}{message}"


def linked_document(link: str) -> str | None:
    """Returns the name of the document, possibly with a comma and a place; None for other links."""
    return link.removeprefix(_DOCUMENT) if link.startswith(_DOCUMENT) else None


def linked_answer(link: str) -> int | None:
    found = _ANSWER.fullmatch(link)
    return int(found[1]) if found else None


def is_document_link(link: str) -> bool:
    return link.startswith((_DOCUMENT, _PASSAGES))
