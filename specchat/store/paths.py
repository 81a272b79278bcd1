"""Where things are kept: one folder if SPECCHAT_HOME names it, else the platform's own."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Paths:
    data: Path
    config: Path
    cache: Path
    logs: Path


def paths() -> Paths:
    home = os.environ.get("SPECCHAT_HOME")
    if home:
        root = Path(home).expanduser()
        return Paths(root / "data", root / "config", root / "cache", root / "logs")
    own = platformdirs.PlatformDirs("specchat", appauthor=False)
    return Paths(own.user_data_path, own.user_config_path, own.user_cache_path, own.user_log_path)
