"""Reads text files and streams that are small enough for a model."""

import stat
from enum import Enum, auto
from pathlib import Path

from specchat.domain.conversations import Attachment
from specchat.domain.text_decoding import decode_text, may_be_text
from specchat.services.chat.binary_file_kinds import HEAD_BYTES, PDF, BinaryFileKind, detect_binary_kind

MAX_TEXT_BYTES = 8 * 1024 * 1024


class FileRefusal(Enum):
    FOLDER = auto()
    TOO_LARGE = auto()
    NOT_TEXT = auto()
    EMPTY = auto()
    MISSING = auto()
    FORBIDDEN = auto()
    UNREADABLE = auto()


def read_text_file(path: Path) -> Attachment | FileRefusal | BinaryFileKind:
    """Returns a BinaryFileKind if the file is not text."""
    try:
        if path.is_dir():
            return FileRefusal.FOLDER
        if not stat.S_ISREG(path.stat().st_mode):  # whoever opens a pipe waits for its writer
            return FileRefusal.UNREADABLE
        with path.open("rb") as file:
            content = file.read(MAX_TEXT_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return FileRefusal.MISSING
    except PermissionError:
        return FileRefusal.FORBIDDEN
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
    """Returns None for text and unknown files. The first bytes of a PDF may look like text."""
    head = content[:HEAD_BYTES]
    kind = detect_binary_kind(head)
    return kind if kind is PDF or not may_be_text(head) else None
