"""Where things are kept: one folder if SPECCHAT_HOME names it, else the platform's own."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from specchat.domain.errors import SettingError


@dataclass(frozen=True, slots=True)
class Paths:
    data: Path
    config: Path
    cache: Path
    logs: Path


def _expanded(home: str) -> Path:
    try:
        return Path(home).expanduser()
    except RuntimeError as error:
        raise SettingError(
            "SPECCHAT_HOME is {home}, whose owner is not known.", "Set it to a folder.", home=home
        ) from error


def paths() -> Paths:
    home = os.environ.get("SPECCHAT_HOME")
    if home:
        root = _expanded(home)
        return Paths(root / "data", root / "config", root / "cache", root / "logs")
    own = platformdirs.PlatformDirs("specchat", appauthor=False)
    return Paths(own.user_data_path, own.user_config_path, own.user_cache_path, own.user_log_path)
