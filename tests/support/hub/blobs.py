"""One version of a file, in memory or on disk."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

_LFS_ENDINGS = (".gguf", ".bin")
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class LfsFile:
    """Its hash is given, so that nobody reads gigabytes to know it; past the real file's end there are zeros."""

    path: Path
    sha256: str
    size: int


Source = bytes | Path | LfsFile


class Blob:
    def __init__(self, source: Source, *, is_lfs: bool = False) -> None:
        self._source = source
        self.is_lfs = is_lfs
        self.size = _size(source)

    @classmethod
    def named(cls, path: str, source: Source) -> "Blob":
        return cls(source, is_lfs=isinstance(source, LfsFile) or path.endswith(_LFS_ENDINGS))

    @cached_property
    def sha256(self) -> str:
        if isinstance(self._source, LfsFile):
            return self._source.sha256
        digest = hashlib.sha256()
        for chunk in self.chunks(0, self.size):
            digest.update(chunk)
        return digest.hexdigest()

    @cached_property
    def oid(self) -> str:
        """Git's own name for what it keeps: of a large file that is only the pointer."""
        kept = self.pointer if self.is_lfs else b"".join(self.chunks(0, self.size))
        return hashlib.sha1(b"blob %d\0" % len(kept) + kept).hexdigest()

    @property
    def pointer(self) -> bytes:
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {self.size}\n".encode()

    @property
    def etag(self) -> str:
        return f'"{self.sha256 if self.is_lfs else self.oid}"'

    def chunks(self, start: int, end: int, size: int = _CHUNK) -> Iterator[bytes]:
        pieces = ((at, min(at + size, end)) for at in range(start, end, size))
        if isinstance(self._source, bytes):
            yield from (self._source[at:stop] for at, stop in pieces)
            return
        path = self._source.path if isinstance(self._source, LfsFile) else self._source
        with path.open("rb") as file:
            file.seek(start)
            for at, stop in pieces:
                yield file.read(stop - at).ljust(stop - at, b"\0")


def _size(source: Source) -> int:
    match source:
        case bytes():
            return len(source)
        case Path():
            return source.stat().st_size
        case LfsFile():
            return source.size
