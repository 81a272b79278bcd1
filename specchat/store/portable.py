"""Detects a portable installation: a packaged program with a file named `portable` beside it."""

import os
import sys
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from specchat.domain.errors import SettingError
from specchat.store.private_files import make_private_folder

KEPT_IN = "specchat-data"
_MARKS = ("portable", "portable.txt")
"""Windows hides endings."""
_HUB_IS_ELSEWHERE = ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")


@dataclass(frozen=True, slots=True)
class PortableInstall:
    folder: Path
    """That of the program: it moves as a whole."""
    mark: str

    @property
    def home(self) -> Path:
        return self.folder / KEPT_IN

    def prepare(self, environment: MutableMapping[str, str] = os.environ) -> None:
        """The Hub's client reads the environment when it is imported."""
        try:
            make_private_folder(self.home)
            with TemporaryFile(dir=self.home):
                pass
        except OSError as error:
            raise SettingError(
                "Can't write to {folder}, where specchat keeps its data: {reason}.",
                "Move specchat to a writable folder, or delete {mark} to use the default folders.",
                folder=self.home,
                reason=error.strerror,
                mark=self.folder / self.mark,
            ) from error
        if not any(environment.get(name) for name in _HUB_IS_ELSEWHERE):
            environment["HF_HOME"] = str(self.home / "huggingface")


def packaged_executable() -> Path | None:
    return Path(sys.executable) if getattr(sys, "frozen", False) else None


def find_portable_install(
    executable: Path | None, environment: Mapping[str, str] = os.environ
) -> PortableInstall | None:
    """`executable`: of the packaged program. None as well where SPECCHAT_HOME names another place."""
    if executable is None or environment.get("SPECCHAT_HOME"):
        return None
    folder = _folder_of(executable)
    mark = next((mark for mark in _MARKS if os.path.isfile(folder / mark)), None)
    return PortableInstall(folder, mark) if mark is not None else None


def _folder_of(executable: Path) -> Path:
    """On macOS the program lies in NAME.app/Contents/MacOS."""
    *_, app, contents, folder, _ = ("", "", "", *executable.parts)
    is_bundle = app.endswith(".app") and (contents, folder) == ("Contents", "MacOS")
    return executable.parents[3 if is_bundle else 0]
