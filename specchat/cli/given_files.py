"""Desktops start programs with the files they are to open."""

import os
from collections.abc import Sequence
from pathlib import Path

from specchat.cli import COMMANDS


def given_files(argv: Sequence[str]) -> tuple[Path, ...]:
    """None where something else is asked for."""
    if argv and argv[0] not in COMMANDS and all(map(_is_file, argv)):
        return tuple(_absolute(Path(name)) for name in argv)
    return ()


def _is_file(name: str) -> bool:
    """A model that is gone is one as well, which the window tells."""
    return not name.startswith("-") and (name.casefold().endswith(".gguf") or os.path.isfile(name))


def _absolute(path: Path) -> Path:
    """Another process, which stands in another folder, may open it."""
    try:
        return path.absolute()
    except OSError:  # the folder is gone, and the file with it
        return path
