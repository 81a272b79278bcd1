"""Reads what is to be text, in files and streams of a size that a model could take."""

import codecs
from enum import Enum, auto
from pathlib import Path

from specchat.domain.conversations import Attachment
from specchat.services.chat.file_kinds import HEAD, PDF, FileKind, kind_of

LARGEST = 2 * 1024 * 1024

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ALLOWED = "\t\n\v\f\r\x1b"
_CONTROLS = frozenset(map(chr, range(32))) - frozenset(_ALLOWED)


class Refusal(Enum):
    FOLDER = auto()
    TOO_LARGE = auto()
    NOT_TEXT = auto()
    EMPTY = auto()
    UNREADABLE = auto()


def read_text_file(path: Path) -> Attachment | Refusal | FileKind:
    """A FileKind: what it is instead of text."""
    try:
        if path.is_dir():
            return Refusal.FOLDER
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError:
        return Refusal.UNREADABLE
    if kind := not_text(content):
        return kind
    if len(content) > LARGEST:
        return Refusal.TOO_LARGE
    text = decoded(content)
    if text is None:
        return Refusal.NOT_TEXT
    return Attachment(path.name, text) if text.strip() else Refusal.EMPTY


def not_text(content: bytes) -> FileKind | None:
    """None: it is text, or nothing that is known. The first bytes of a PDF may all be letters and signs."""
    head = content[:HEAD]
    kind = kind_of(head)
    return kind if kind is PDF or not _may_be_text(head) else None


def decoded(content: bytes) -> str | None:
    """None: it is not text in UTF-8, or in UTF-16 that says so."""
    try:
        text = content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n") if _CONTROLS.isdisjoint(text) else None


def _may_be_text(head: bytes) -> bool:
    """Its last character may be cut in two."""
    decoder = codecs.getincrementaldecoder("utf-16" if head.startswith(_UTF_16) else "utf-8")()
    try:
        return _CONTROLS.isdisjoint(decoder.decode(head))
    except UnicodeDecodeError:
        return False
