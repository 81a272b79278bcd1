"""Collects the text of a document, with the marks of its places, up to a maximum length."""

from enum import StrEnum

from specchat.domain.documents import MAX_CHARACTERS, mark

_BLOCK = 900
"""Approximate number of characters under one mark."""


class Fault(StrEnum):
    """Why a document could not be read."""

    DAMAGED = "damaged"
    ENCRYPTED = "encrypted"
    COPY_PROTECTED = "copy protected"
    SCANNED = "scanned"
    EMPTY = "empty"
    TOO_LONG = "too long"
    TOO_MANY_PAGES = "too many pages"
    TOO_MANY_FILES = "too many files"
    EXPANDS = "expands"
    """Its contents are too large when unpacked."""
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"
    """The library that reads this format isn't installed."""


class DocumentFault(Exception):
    def __init__(self, fault: Fault, **values: object) -> None:
        super().__init__(fault)
        self.fault = fault
        self.values = values


class DocumentText:
    def __init__(self, most: int = MAX_CHARACTERS) -> None:
        self._parts: list[str] = []
        self._room = most
        self.has_text = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def add_place(self, label: str, text: str) -> None:
        """Adds a place with its text, unless that is blank."""
        text = _clean(text).strip("\n")
        if text.strip():
            self._add(f"{mark(_clean(label))}{text}\n\n")
            self.has_text = True

    def _add(self, part: str) -> None:
        self._room -= len(part)
        if self._room < 0:
            raise DocumentFault(Fault.TOO_LONG)
        self._parts.append(part)


class ParagraphText:
    """Groups paragraphs into places of a usable size, each named after its first paragraph."""

    def __init__(self, document: DocumentText, label: str = "par. {n}") -> None:
        """`label` contains {n}, the number of the paragraph."""
        self._document, self._label = document, label
        self._number = 0
        self._first = 1
        self._block: list[str] = []
        self._length = 0
        self.has_text = False

    def add(self, text: str, heading: int = 0) -> None:
        """`heading`: its level, or 0 for a paragraph."""
        text = text.strip("\n").rstrip()
        if not text.strip():
            return
        if heading or self._length > _BLOCK:
            self.finish()
        self._number += 1
        if not self._block:
            self._first = self._number
        self._block.append(f"{'#' * min(heading, 6)} {' '.join(text.split())}" if heading else text)
        self._length += len(text)

    def finish(self) -> None:
        if self._block:
            self.has_text = True
            self._document.add_place(self._label.format(n=self._first), "\n\n".join(self._block))
        self._block, self._length = [], 0


_UNWANTED = {number: None for number in (*(n for n in range(32) if chr(n) not in "\t\n"), 0xAD, 0xFFFE, 0xFEFF)}
"""Control characters, byte order marks and soft hyphens. Words that contain them couldn't be found."""
_LIGATURES = {0xFB00 + n: letters for n, letters in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))}
_CLEANED: dict[int, str | None] = {**_UNWANTED, **_LIGATURES}


def _clean(text: str) -> str:
    """Also replaces lone surrogates, which can't be stored."""
    return text.translate(_CLEANED).encode("utf-8", "replace").decode("utf-8")
