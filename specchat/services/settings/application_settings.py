"""Window settings shared by all conversations."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import StrEnum

from specchat.domain.errors import SettingError
from specchat.domain.serialization import from_plain, require_type, to_plain
from specchat.store.json_file import JsonFile

_VERSION = 1


class ThemeChoice(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class TextSize(StrEnum):
    SMALL = "small"
    NORMAL = "normal"
    LARGE = "large"

    @property
    def pixels(self) -> int:
        return {TextSize.SMALL: 14, TextSize.NORMAL: 15, TextSize.LARGE: 17}[self]


@dataclass(frozen=True, slots=True)
class ApplicationSettings:
    theme: ThemeChoice = ThemeChoice.SYSTEM
    text_size: TextSize = TextSize.NORMAL
    language: str = ""
    """A locale such as "de"; empty: the system's."""
    show_overlay: bool = True
    colour_tokens: bool = False
    downloads_at_once: int = 2
    download_limit: int = 0
    """Bytes per second, of all downloads together; 0: as many as there are."""
    idle_unload_minutes: int = 0
    """After so long without use the models are unloaded, until the next message; 0: never."""
    serving: bool = False
    """Other programs may use the loaded models."""
    server_port: int = 8080
    server_key: bool = False
    """They must send a key, which is kept elsewhere."""
    machines: tuple[str, ...] = ()
    """Addresses of other computers that lend their devices (`ggml-rpc-server`)."""
    embedding_model: str = ""
    """The path of the one with which documents are searched by meaning; empty: by words alone."""


_RANGES = {
    "downloads_at_once": (1, 16),
    "download_limit": (0, 1 << 40),
    "idle_unload_minutes": (0, 7 * 24 * 60),
    "server_port": (1, 65535),
}


class ApplicationSettingsFile:
    def __init__(self, file: JsonFile) -> None:
        self._file = file
        self.reset_names: tuple[str, ...] = ()
        """Those of settings whose values could not be used."""

    @property
    def damaged_file_name(self) -> str:
        """The name under which a file that could not be used is kept; empty: there was none."""
        return self._file.kept_as

    def load(self) -> ApplicationSettings:
        """With defaults in place of values that nobody can have chosen: the file may have been edited."""
        kept = self._file.read()
        unusable = [
            each.name for each in fields(ApplicationSettings) if each.name in kept and not _is_usable(each.name, kept)
        ]
        settings = from_plain(ApplicationSettings, {name: kept[name] for name in kept.keys() - unusable})
        if unusable:
            self.reset_names = tuple(dict.fromkeys((*self.reset_names, *unusable)))
            self._file.keep_copy()
            with suppress(SettingError):  # the next change saves them, or tells why it can't
                self.save(settings)
        return settings

    def save(self, settings: ApplicationSettings) -> None:
        """What a later version wrote beside them stays, its version too."""
        kept = self._file.read()
        self._file.write({**kept, "version": _version(kept), **require_type(dict, to_plain(settings))})


def _is_usable(name: str, kept: Mapping[str, object]) -> bool:
    try:
        value = getattr(from_plain(ApplicationSettings, {name: kept[name]}), name)
    except ValueError:
        return False
    limits = _RANGES.get(name)
    return limits is None or limits[0] <= value <= limits[1]


def _version(kept: dict[str, object]) -> int:
    version = kept.get("version")
    return max(version, _VERSION) if type(version) is int else _VERSION
