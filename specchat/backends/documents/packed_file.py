"""Reads the parts of a zip file within limits, without trusting its directory."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile, LargeZipFile, ZipFile

from specchat.backends.documents.document_text import DocumentFault, Fault

MAX_ENTRIES = 20_000
MAX_PART = 48 << 20
MAX_ALL = 96 << 20
MAX_RATIO = 300
"""The highest ratio of unpacked to packed size, except for small parts."""
_SMALL = 1 << 20
_PIECE = 1 << 16
_ENCRYPTED = 0x1


class PackedFile:
    def __init__(self, file: ZipFile) -> None:
        self._file = file
        self._left = MAX_ALL
        names = file.namelist()
        if len(names) > MAX_ENTRIES:
            raise DocumentFault(Fault.TOO_MANY_FILES)
        self._names = frozenset(names)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        if name not in self._names:
            raise DocumentFault(Fault.DAMAGED)
        entry = self._file.getinfo(name)
        if entry.flag_bits & _ENCRYPTED:
            raise DocumentFault(Fault.ENCRYPTED)
        most = min(MAX_PART, self._left, max(_SMALL, MAX_RATIO * entry.compress_size))
        pieces, size = [], 0
        with self._file.open(entry) as part:
            while piece := part.read(_PIECE):
                size += len(piece)
                if size > most:
                    raise DocumentFault(Fault.EXPANDS)
                pieces.append(piece)
        self._left -= size
        return b"".join(pieces)


@contextmanager
def open_packed(path: Path) -> Iterator[PackedFile]:
    try:
        with ZipFile(path) as file:
            yield PackedFile(file)
    except (
        BadZipFile,
        LargeZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        OSError,
        ValueError,
    ) as e:
        raise DocumentFault(Fault.DAMAGED) from e
