"""Disks that are full or may not be written, where the system lets this user make some."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[None]:
    """Mounted at the folder."""
    folder.mkdir(exist_ok=True)
    if not sys.platform.startswith("linux") or not _succeeds(
        "mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder
    ):
        pytest.skip("no disk can be mounted here")
    try:
        yield
    finally:
        _succeeds("umount", "--lazy", folder)


def make_read_only(folder: Path) -> None:
    assert _succeeds("mount", "-o", "remount,ro", folder)


def fill(folder: Path) -> Path:
    """The file that takes all the room."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return filler
    raise AssertionError


def _succeeds(*command: str | Path) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False
