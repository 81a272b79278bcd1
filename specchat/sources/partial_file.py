"""A partially downloaded file and the notes about it.

The bytes lie in `<blob>.part`, without gaps. Beside them, `<blob>.part.json` has the SHA-256 of everything up to the
end of each block, as it came over the network: going through the file again, the first digest that differs tells
which block the disk has changed or lost, and one running hash serves for that and for the whole. Bytes behind the
last such block are kept as well; should the whole prove wrong, their block is looked at first.
"""

import errno
import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from specchat.domain.errors import StorageError
from specchat.domain.hub import RemoteFile
from specchat.domain.serialization import from_plain, to_plain
from specchat.sources.disk import explain_disk_errors, replace_file_text, sync_folder, temporary_path


@dataclass(frozen=True, slots=True)
class PartialFileNotes:
    file: RemoteFile
    block: int
    """Bytes in each."""
    digests: tuple[str, ...] = ()
    """Of everything up to the end of each block."""
    doubtful: tuple[int, ...] = ()
    """Blocks in which an answer broke off or the program ended."""
    compared: tuple[int, ...] = ()
    """Blocks that were fetched twice, as the whole was wrong."""
    fetched: int = 0
    """Bytes that came over the network so far, needed or not."""


class PartialFile:
    def __init__(self, blob: Path, file: RemoteFile, block: int) -> None:
        self._blob, self.file, self.block = blob, file, block
        self._path, self._notes_path, _ = _paths(blob)
        with explain_disk_errors(self._path):
            blob.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._bytes = os.fdopen(os.open(self._path, flags, 0o666), "r+b", buffering=0)
        notes = self._read_notes()
        if notes is None and file.sha256 is None:  # nobody could tell whether these bytes belong to it
            self._bytes.truncate(0)
        self.kept = min(os.fstat(self._bytes.fileno()).st_size, file.size)
        """Bytes that an earlier run left here."""
        self.fetched = notes.fetched if notes else 0
        if notes is None or notes.block != block:
            notes = PartialFileNotes(file, block)
        self._digests = list(notes.digests[: self.n_blocks if self.kept == file.size else self.kept // block])
        self.doubtful, self.compared = set(notes.doubtful), set(notes.compared)
        self._hash, self.size = hashlib.sha256(), 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if not self._bytes.closed:
            self._bytes.close()
            with suppress(StorageError):  # what ended this is the better explanation
                if self.kept or self.size:
                    self.save()
                else:
                    discard_partial_file(self._blob)

    @property
    def n_blocks(self) -> int:
        return -(-self.file.size // self.block)

    @property
    def digest(self) -> str:
        """Of all that was appended or gone through."""
        return self._hash.hexdigest()

    @property
    def is_valid(self) -> bool:
        return self.size == self.file.size and self.file.sha256 in (None, self.digest)

    def block_range(self, index: int) -> tuple[int, int]:
        return index * self.block, min((index + 1) * self.block, self.file.size)

    def rewind(self) -> None:
        """To go through it once more."""
        self._hash, self.kept, self.size = hashlib.sha256(), self.size, 0

    def read(self, index: int) -> bytes:
        """Of a block that an earlier run left unfinished, as much as there is."""
        start, end = self.block_range(index)
        wanted = min(end, max(self.kept, self.size)) - start
        with explain_disk_errors(self._path):
            self._bytes.seek(start)
            content = self._bytes.read(wanted)
            if len(content) < wanted:
                raise OSError(errno.EIO, "it got shorter")
        return content

    def write(self, index: int, content: bytes) -> None:
        self._write(self.block_range(index)[0], content)

    def verify_block(self, content: bytes) -> bool:
        """The next block as the disk has it; false: it is not what arrived."""
        whole = self._hash.copy()
        whole.update(content)
        index = self.size // self.block
        if index < len(self._digests) and whole.hexdigest() != self._digests[index]:
            return False
        self._hash, self.size = whole, self.size + len(content)
        if index == len(self._digests):
            self.doubtful.add(index)
            self._end_block()
        return True

    def discard_digests(self, first: int = 0) -> None:
        del self._digests[first:]

    def append(self, piece: bytes) -> None:
        while piece:
            room = self.block - self.size % self.block
            now, piece = piece[:room], piece[room:]
            self._write(self.size, now)
            self._hash.update(now)
            self.size += len(now)
            if self._end_block():
                self.save()

    def mark_doubtful(self, at: int) -> None:
        self.doubtful.add(min(at // self.block, self.n_blocks - 1))

    def save(self) -> None:
        notes = PartialFileNotes(
            self.file,
            self.block,
            tuple(self._digests),
            tuple(sorted(self.doubtful)),
            tuple(sorted(self.compared)),
            self.fetched,
        )
        with explain_disk_errors(self._notes_path):
            replace_file_text(self._notes_path, json.dumps(to_plain(notes)))

    def move_into_place(self) -> None:
        """The notes stay until it is offered under a name: it is still nobody's model, and who fetched it is known."""
        self.save()
        with explain_disk_errors(self._blob):
            self._bytes.truncate(self.file.size)
            os.fsync(self._bytes.fileno())
            self._bytes.close()
            os.replace(self._path, self._blob)
            sync_folder(self._blob.parent)

    def discard(self) -> None:
        self._bytes.close()
        discard_partial_file(self._blob)

    def _end_block(self) -> bool:
        is_end = self.size % self.block == 0 or self.size == self.file.size
        if is_end:
            self._digests.append(self.digest)
        return is_end

    def _read_notes(self) -> PartialFileNotes | None:
        return _notes_of(self._notes_path, self.file)

    def _write(self, at: int, content: bytes) -> None:
        with explain_disk_errors(self._path):
            self._bytes.seek(at)
            view = memoryview(content)
            while view:
                view = view[self._bytes.write(view) :]


def partial_size(blob: Path, file: RemoteFile) -> int:
    part, _, _ = _paths(blob)
    try:
        return min(part.stat().st_size, file.size)
    except FileNotFoundError:  # it may have got its name a moment ago
        return 0


def fetched_bytes(blob: Path, file: RemoteFile) -> int:
    """Bytes, of what has no name yet."""
    notes = _notes_of(_paths(blob)[1], file)
    return notes.fetched if notes else 0


def _notes_of(path: Path, file: RemoteFile) -> PartialFileNotes | None:
    try:
        notes = from_plain(PartialFileNotes, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None
    belongs = notes.file == file if file.sha256 is None else notes.file.sha256 == file.sha256
    return notes if belongs else None


def discard_partial_file(blob: Path) -> None:
    with explain_disk_errors(blob):
        for path in _paths(blob):
            path.unlink(missing_ok=True)


def _paths(blob: Path) -> tuple[Path, Path, Path]:
    part = blob.with_name(f"{blob.name}.part")
    notes = part.with_name(f"{part.name}.json")
    return part, notes, temporary_path(notes)
