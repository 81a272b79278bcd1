"""Writes sparse files of the full size that contain only the header of a remote model."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from specchat.domain.errors import ModelFileError
from specchat.gguf.file_errors import truncated_header_error
from specchat.gguf.header import read_header
from specchat.gguf.source import ByteSource

_FOLDER = "specchat-header-"


def is_skeleton(path: Path) -> bool:
    return path.parent.name.startswith(_FOLDER)


@contextmanager
def write_skeleton(parts: Sequence[ByteSource]) -> Iterator[Path]:
    """The path of the first part; llama.cpp finds the others by their names."""
    with TemporaryDirectory(prefix=_FOLDER, ignore_cleanup_errors=True) as folder:
        paths = [_write(part, Path(folder)) for part in parts]
        yield paths[0]


def _write(source: ByteSource, folder: Path) -> Path:
    length = read_header(source).data_offset
    start = source.read(0, length)
    if len(start) < length:
        raise truncated_header_error(source.name, len(start))
    path = folder / Path(source.name).name
    try:
        with path.open("wb") as file:
            file.write(start)
            file.truncate(source.size)
    except OSError as error:
        raise ModelFileError(
            "Can't save the header of {name} in {folder}: {reason}.",
            "Free up some space there.",
            name=source.name,
            folder=folder,
            reason=error.strerror,
        ) from error
    return path
