"""Reads text files and streams that are small enough for a model."""

import codecs
from enum import Enum, auto
from pathlib import Path

from specchat.domain.conversations import Attachment
from specchat.services.chat.binary_file_kinds import HEAD_BYTES, PDF, BinaryFileKind, detect_binary_kind

MAX_TEXT_BYTES = 2 * 1024 * 1024

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ALLOWED = "\t\n\v\f\r\x1b"
_CONTROLS = frozenset(map(chr, range(32))) - frozenset(_ALLOWED)


class FileRefusal(Enum):
    FOLDER = auto()
    TOO_LARGE = auto()
    NOT_TEXT = auto()
    EMPTY = auto()
    UNREADABLE = auto()


def read_text_file(path: Path) -> Attachment | FileRefusal | BinaryFileKind:
    """A FileKind: what it is instead of text."""
    try:
        if path.is_dir():
            return FileRefusal.FOLDER
        with path.open("rb") as file:
            content = file.read(MAX_TEXT_BYTES + 1)
    except OSError:
        return FileRefusal.UNREADABLE
    if kind := detect_non_text(content):
        return kind
    if len(content) > MAX_TEXT_BYTES:
        return FileRefusal.TOO_LARGE
    text = decode_text(content)
    if text is None:
        return FileRefusal.NOT_TEXT
    return Attachment(path.name, text) if text.strip() else FileRefusal.EMPTY


def detect_non_text(content: bytes) -> BinaryFileKind | None:
    """None: it is text, or nothing that is known. The first bytes of a PDF may all be letters and signs."""
    head = content[:HEAD_BYTES]
    kind = detect_binary_kind(head)
    return kind if kind is PDF or not _may_be_text(head) else None


def decode_text(content: bytes) -> str | None:
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
