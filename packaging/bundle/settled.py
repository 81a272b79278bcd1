"""The same rights and dates whoever builds it, and when."""

from __future__ import annotations

import os
from pathlib import Path

_FOLLOWS_LINKS = os.utime not in os.supports_follow_symlinks
"""On Windows, where nothing here is a link, it can do nothing else."""


def settle(folder: Path, timestamp: int) -> None:
    """Programs stay programs."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.utime(path, (timestamp, timestamp), follow_symlinks=_FOLLOWS_LINKS)
