"""What is on a disk, to be compared with what was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

Files = Mapping[str, str]


def files_in(folder: Path, without: Collection[str] = ()) -> Files:
    """Each by its path from the folder, with what is in it; folders that hold something go without saying."""
    return dict(_walked(folder, "", frozenset(without)))


def differences(before: Files, after: Files) -> list[str]:
    new = [f"new: {name}" for name in sorted(after.keys() - before.keys())]
    gone = [f"gone: {name}" for name in sorted(before.keys() - after.keys())]
    changed = [f"changed: {name}" for name in sorted(before.keys() & after.keys()) if before[name] != after[name]]
    return new + gone + changed


def _walked(folder: Path, prefix: str, without: Collection[str]) -> Iterator[tuple[str, str]]:
    for entry in os.scandir(folder):
        name = prefix + entry.name
        if name in without:
            continue
        if entry.is_dir(follow_symlinks=False) and any(os.scandir(entry.path)):
            yield from _walked(Path(entry.path), f"{name}/", without)
        else:
            yield name, _told(entry)


def _told(entry: os.DirEntry[str]) -> str:
    facts = entry.stat(follow_symlinks=False)
    told = f"{facts.st_mode:o} {facts.st_uid}"
    if entry.is_symlink():
        return f"{told} {os.readlink(entry.path)}"
    return f"{told} {_digest(Path(entry.path))}" if entry.is_file() else told


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
