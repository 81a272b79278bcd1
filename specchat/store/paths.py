"""Locates the data folders: SPECCHAT_HOME, a portable folder, or the folders of the platform."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from specchat.domain.errors import SettingError
from specchat.store.portable import PortableInstall


@dataclass(frozen=True, slots=True)
class Paths:
    data: Path
    config: Path
    cache: Path
    logs: Path
    moves_with: Path | None = None
    """A folder that may move as a whole: paths below it are kept relative to it."""

    @property
    def chats(self) -> Path:
        return self.data / "chats.db"

    @property
    def backends(self) -> Path:
        """Further ones of llama.cpp, where somebody puts some: the modes there tell who could have."""
        return self.data / "backends"


def _expanded(home: str) -> Path:
    try:
        return Path(home).expanduser()
    except RuntimeError as error:
        raise SettingError(
            "SPECCHAT_HOME is {home}, but that user doesn't exist.", "Set SPECCHAT_HOME to a folder.", home=home
        ) from error


def paths(portable: PortableInstall | None = None) -> Paths:
    home = os.environ.get("SPECCHAT_HOME")
    if home:
        root = _expanded(home)
        return _below(root, moves_with=root)
    if portable is not None:
        return _below(portable.home, moves_with=portable.folder)
    own = platformdirs.PlatformDirs("specchat", appauthor=False)
    return Paths(own.user_data_path, own.user_config_path, own.user_cache_path, own.user_log_path)


def _below(root: Path, moves_with: Path) -> Paths:
    return Paths(root / "data", root / "config", root / "cache", root / "logs", moves_with)
