"""Loads the packaged libraries that the system lacks; the system's own take precedence."""

import sys
from pathlib import Path

from specchat.ui.start.system_libraries import can_load


def spare_folder() -> Path | None:
    bundle = getattr(sys, "_MEIPASS", None)
    return Path(bundle) / "spare" if bundle else None


def load_spares(folder: Path | None) -> bool:
    """Whether there was something to load. What is loaded once is found by its name."""
    missing = [file for file in sorted(folder.glob("*.so*")) if not can_load(file.name)] if folder else []
    found = False
    while loaded := [file for file in missing if can_load(str(file))]:
        found = True
        missing = [file for file in missing if file not in loaded]
    return found
