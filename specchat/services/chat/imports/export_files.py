"""The files of an export: a file, a folder or an archive. All of them are read within limits."""

import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Protocol

from specchat.domain.errors import UserError
from specchat.domain.picture_header import MAX_PICTURE_BYTES

LARGEST_FILE = 256 << 20
LARGEST_EXPORT = 2 << 30
"""Bytes, unpacked."""
MOST_FILES = 100_000
THREAD, MESSAGES = "thread.json", "messages.jsonl"
BELONG_TOGETHER = {THREAD: MESSAGES, MESSAGES: THREAD}
"""The two files of a thread of Jan."""
_ENDINGS = (".json", ".jsonl")
_FILE_ID = re.compile(r"file[-_][A-Za-z0-9]+")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""zipfile unpacks other methods in one piece, however large that is."""
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)


class ExportFiles(Protocol):
    @property
    def names(self) -> Sequence[str]:
        """The paths of files that may contain chats, with slashes."""

    def read(self, name: str) -> bytes: ...
    def find_picture(self, file_id: str) -> bytes | None: ...


class FolderFiles:
    """Files of a folder, which may also contain pictures."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self._folder = folder
        self.names = names

    def read(self, name: str) -> bytes:
        return _read(self._folder / name, LARGEST_FILE)

    def find_picture(self, file_id: str) -> bytes | None:
        name = self._pictures.get(file_id)
        if name is None:
            return None
        with suppress(OSError, UserError):
            return _read(self._folder / name, MAX_PICTURE_BYTES)
        return None

    @cached_property
    def _pictures(self) -> Mapping[str, str]:
        with os.scandir(self._folder) as entries:
            return _by_file_id(entry.name for entry in entries if entry.is_file())


class ArchiveFiles:
    """Files of a .zip, whose headers are not trusted."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive, self._name = archive, name
        self._left = LARGEST_EXPORT
        self._all = [each for each in archive.namelist() if not each.endswith("/")]
        if len(self._all) > MOST_FILES:
            raise UserError("{name} contains more than {n} files.", "Import fewer chats.", name=name, n=MOST_FILES)
        self.names = [each for each in self._all if each.lower().endswith(_ENDINGS)]

    def read(self, name: str) -> bytes:
        content = self._read(name, LARGEST_FILE)
        if len(content) > LARGEST_FILE:
            raise too_large_error(name)
        return content

    def find_picture(self, file_id: str) -> bytes | None:
        name = self._pictures.get(file_id)
        if name is None:
            return None
        with suppress(ValueError):
            content = self._read(name, MAX_PICTURE_BYTES)
            return content if len(content) <= MAX_PICTURE_BYTES else None
        return None

    def _read(self, name: str, most: int) -> bytes:
        entry = self._archive.getinfo(name)
        if entry.compress_type not in _METHODS:
            raise ValueError(f"{name} can't be unpacked")
        try:
            with self._archive.open(entry) as file:
                content = file.read(most + 1)
        except RuntimeError as error:  # that is how the library says it
            raise UserError("{name} is encrypted.", "Unpack it first.", name=self._name) from error
        except _DAMAGE as error:
            raise ValueError(f"{name} can't be unpacked") from error
        self._left -= len(content)
        if self._left < 0:
            raise UserError(
                "{name} is larger than {n} GB when unpacked.",
                "Unpack it, then import its files one by one.",
                name=self._name,
                n=LARGEST_EXPORT >> 30,
            )
        return content

    @cached_property
    def _pictures(self) -> Mapping[str, str]:
        return _by_file_id(self._all)


def open_file(path: Path) -> FolderFiles:
    """Opens a file; for a thread of Jan, both of its files."""
    other = BELONG_TOGETHER.get(path.name)
    has_other = other is not None and (path.parent / other).is_file()
    return FolderFiles(path.parent, [THREAD, MESSAGES] if has_other else [path.name])


def open_folder(folder: Path) -> FolderFiles | None:
    """Returns None if the folder contains no threads of Jan."""
    names = list(_threads(folder))
    return FolderFiles(folder, names) if names else None


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveFiles]:
    try:
        archive = zipfile.ZipFile(path)
    except (*_DAMAGE, RuntimeError) as error:
        raise ValueError("not an archive") from error
    with archive:
        yield ArchiveFiles(archive, path.name)


def too_large_error(name: str) -> UserError:
    return UserError("{name} is too large to import.", "A file can be at most {n} MB.", name=name, n=LARGEST_FILE >> 20)


def _threads(folder: Path) -> Iterator[str]:
    for parent in (folder, *_subfolders(folder), *_subfolders(folder / "threads")):
        if (parent / THREAD).is_file() and (parent / MESSAGES).is_file():
            yield from ((parent / name).relative_to(folder).as_posix() for name in (THREAD, MESSAGES))


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.is_dir())[:MOST_FILES]
    except OSError:
        return []


def _read(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise too_large_error(path.name)
    return content


def _by_file_id(names: Iterator[str] | Sequence[str]) -> dict[str, str]:
    found = ((_FILE_ID.match(name.rpartition("/")[2]), name) for name in names)
    return {match[0]: name for match, name in found if match is not None}
