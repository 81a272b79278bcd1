import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from specchat.domain.errors import ModelFileError
from specchat.gguf.source import FileSource

NOBODY = 65534


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root may read everything, so it has to step down for a moment."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_file_is_read_piece_by_piece_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"0123456789")
    source = FileSource(path)
    assert (source.name, source.size, source.bytes_read) == ("model.gguf", 10, 0)
    assert source.read(2, 3) == b"234"
    assert source.read(8, 100) == b"89"
    assert source.read(10, 5) == b""
    assert source.bytes_read == 5


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="File not found: ") as caught:
        FileSource(tmp_path / "absent.gguf")
    assert caught.value.hint


def test_a_file_used_as_a_folder(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"x")
    with pytest.raises(ModelFileError, match="File not found: "):
        FileSource(tmp_path / "model.gguf" / "model.gguf")


def test_an_impossible_path() -> None:
    with pytest.raises(ModelFileError, match="File not found: "):
        FileSource("a\0b")


def test_a_path_longer_than_the_system_takes() -> None:
    with pytest.raises(ModelFileError, match="Can't read "):
        FileSource("a" * 5000)


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="is a folder") as caught:
        FileSource(tmp_path)
    assert caught.value.hint == "Choose a .gguf file inside it."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in this system's folders")
def test_a_pipe_is_refused_rather_than_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.gguf")
    with pytest.raises(ModelFileError, match="not a regular file"):
        FileSource(tmp_path / "model.gguf")


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions work differently here")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    path.chmod(0)
    with without_privileges(), pytest.raises(ModelFileError, match="No permission to read") as caught:
        FileSource(path).read(0, 4)
    assert "permissions" in caught.value.hint


def test_a_file_that_vanishes_after_a_look_at_it(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    source = FileSource(path)
    path.unlink()
    with pytest.raises(ModelFileError, match="File not found: "):
        source.read(0, 4)
