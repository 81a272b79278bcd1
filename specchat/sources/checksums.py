"""Reads the expected checksum of a file from its location in a cache."""

import os
import re
from pathlib import Path

_BLOB = re.compile("(?:sha256[:-])?([0-9a-f]{64})")
_MOST_LINKS = 8


def checksum_in_name(path: Path) -> str | None:
    """The Hub's cache and Ollama call the bytes by their SHA-256, and lead there by links."""
    for _ in range(_MOST_LINKS):
        found = _BLOB.fullmatch(path.name)
        if found and path.parent.name == "blobs":
            return found[1]
        if not path.is_symlink():
            return None
        path = Path(os.path.normpath(path.parent / path.readlink()))
    return None
