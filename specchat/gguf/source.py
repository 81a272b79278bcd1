"""Byte sources for model files."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from specchat.domain.errors import ModelFileError


class ByteSource(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def bytes_read(self) -> int: ...

    def read(self, offset: int, length: int) -> bytes:
        """At most `length` bytes; fewer, perhaps none, where the file ends early."""


class FileSource:
    """Holds no open file between reads, so there is nothing to close."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self.name = self._path.name or str(path)
        self.bytes_read = 0
        with self._plain_errors():
            status = self._path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise ModelFileError("{path} is a folder.", "Choose a .gguf file inside it.", path=path)
        if not stat.S_ISREG(status.st_mode):
            raise ModelFileError("{path} is not a regular file.", "Choose a .gguf file.", path=path)
        self.size = status.st_size

    def read(self, offset: int, length: int) -> bytes:
        with self._plain_errors(), self._path.open("rb", buffering=0) as file:
            file.seek(offset)
            data = file.read(length)
        self.bytes_read += len(data)
        return data

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:
            raise ModelFileError("File not found: {path}.", "Check the path.", path=self._path) from error
        except PermissionError as error:
            raise ModelFileError(
                "No permission to read {path}.", "Change its permissions, or choose another file.", path=self._path
            ) from error
        except OSError as error:
            raise ModelFileError(
                "Can't read {path}: {reason}.",
                "Check the path and the disk.",
                path=self._path,
                reason=error.strerror,
            ) from error
