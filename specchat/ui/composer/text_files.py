"""Reads the files that can be attached: text, of a size a model could take."""

import codecs
from enum import Enum, auto
from pathlib import Path

from specchat.domain.conversations import Attachment

LARGEST = 2 * 1024 * 1024


class Refusal(Enum):
    FOLDER = auto()
    TOO_LARGE = auto()
    NOT_TEXT = auto()
    EMPTY = auto()
    UNREADABLE = auto()


def read_text_file(path: Path) -> Attachment | Refusal:
    try:
        if path.is_dir():
            return Refusal.FOLDER
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError:
        return Refusal.UNREADABLE
    if len(content) > LARGEST:
        return Refusal.TOO_LARGE
    text = _decoded(content)
    if text is None:
        return Refusal.NOT_TEXT
    return Attachment(path.name, text) if text.strip() else Refusal.EMPTY


def _decoded(content: bytes) -> str | None:
    utf_16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    if not _CONTROLS.isdisjoint(text):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


_ALLOWED = "\t\n\v\f\r\x1b"
_CONTROLS = frozenset(map(chr, range(32))) - frozenset(_ALLOWED)
