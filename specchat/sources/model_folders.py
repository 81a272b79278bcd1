"""Finds the model files below a folder."""

import os
from pathlib import Path

from specchat.domain.hub import HubFileKind, is_model_file
from specchat.sources.file_names import kind_of, parse_part

_MOST_FOLDERS = 20_000
"""Someone may name the whole disk."""


def find_model_files(folder: Path) -> list[Path]:
    """Also through links, each folder once; what is hidden below it stays hidden."""
    if not os.path.isdir(folder):
        return []
    found: list[Path] = []
    seen: set[tuple[int, int]] = set()
    for place, folders, files in os.walk(folder, followlinks=True):
        try:
            status = os.stat(place)
        except OSError:
            continue
        identity = status.st_dev, status.st_ino
        if len(seen) == _MOST_FOLDERS:
            break
        if identity in seen:
            folders.clear()
            continue
        seen.add(identity)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [
            Path(place, name)
            for name in files
            if is_model_file_name(name) and os.path.isfile(os.path.join(place, name))
        ]
    return sorted(found)


def is_model_file_name(name: str) -> bool:
    """A model's first or only file, by its name."""
    part = parse_part(name)
    is_model = is_model_file(name) and kind_of(name) not in (HubFileKind.MMPROJ, HubFileKind.IMATRIX)
    return is_model and (part is None or part[1] == 1)
