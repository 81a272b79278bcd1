"""Libraries that the packaged program brings for a system that lacks them. The system's own come first: they fit its
display and its drivers."""

import ctypes
import sys
from pathlib import Path


def spare_folder() -> Path | None:
    bundle = getattr(sys, "_MEIPASS", None)
    return Path(bundle) / "spare" if bundle else None


def load_spares(folder: Path | None) -> bool:
    """Whether there was something to load. What is loaded once is found by its name."""
    missing = [file for file in sorted(folder.glob("*.so*")) if not _loads(file.name)] if folder else []
    found = False
    while loaded := [file for file in missing if _loads(str(file))]:
        found = True
        missing = [file for file in missing if file not in loaded]
    return found


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
