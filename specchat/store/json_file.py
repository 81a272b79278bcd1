"""A JSON object in a file that is written as a whole; an unusable file is kept aside."""

import json
import logging
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from specchat.domain.errors import SettingError
from specchat.store import relocatable_paths
from specchat.store.private_files import make_private_folder, open_private

log = logging.getLogger(__name__)

_MOST_ASIDE = 9
"""Files that are kept of one; the last one gives way to the next."""
_TRIES, _PAUSE_S = 20, 0.01


class JsonFile:
    def __init__(self, path: Path, moves_with: Path | None = None) -> None:
        """`moves_with`: a folder that may move as a whole; paths below it are kept relative to it."""
        self._path = path
        self._moves_with = moves_with
        self._is_unread = False
        """There is a file, but nobody knows what is in it."""
        self.kept_as = ""
        """What it is called now, where it could not be used."""

    def read(self) -> dict[str, Any]:
        """Empty where there is no file yet, or none that can be used."""
        self._is_unread = False
        try:
            content = self._found(json.loads(self._path.read_text(encoding="utf-8-sig")))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            self._is_unread = True
            log.warning("Couldn't read %s: %s", self._path, error)
            return {}
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            self.set_aside()
            return {}
        return content

    def write(self, content: Mapping[str, Any]) -> None:
        try:
            make_private_folder(self._path.parent)
            if self._is_unread and os.path.lexists(self._path) and not self._path.is_dir():
                self._path.replace(self._free_aside())
            self._is_unread = False
            self._replace(json.dumps(self._kept(content), indent=1, ensure_ascii=False))
        except OSError as error:
            raise SettingError(
                "Couldn't save {name}: {reason}.",
                "Check the disk's free space and permissions.",
                name=self._path.name,
                reason=error.strerror,
            ) from error

    def set_aside(self) -> None:
        """Under another name, so that nothing is lost when the next write makes a new file."""
        aside = self._free_aside()
        log.warning("%s is unusable and was kept as %s", self._path, aside.name)
        try:
            self._path.replace(aside)
            self.kept_as = aside.name
        except OSError as error:
            log.warning("Couldn't save %s: %s", self._path, error)

    def keep_copy(self) -> None:
        """Under the name that `set_aside` gives, of a file of which only a part is unusable."""
        aside = self._free_aside()
        log.warning("Parts of %s are unusable; it was copied to %s", self._path, aside.name)
        try:
            content = self._path.read_bytes()
            with open_private(aside, "wb") as file:
                file.write(content)
            self.kept_as = aside.name
        except OSError as error:
            log.warning("Couldn't copy %s: %s", self._path, error)

    def _free_aside(self) -> Path:
        """What was kept before stays: it may be the file that has what the user wants back."""
        stem, suffix = self._path.stem, self._path.suffix
        numbers = ["", *(f"-{number}" for number in range(2, _MOST_ASIDE + 1))]
        asides = [self._path.with_name(f"{stem}.damaged{number}{suffix}") for number in numbers]
        return next((aside for aside in asides if not os.path.lexists(aside)), asides[-1])

    def _kept(self, content: object) -> object:
        return content if self._moves_with is None else relocatable_paths.make_relative(content, self._moves_with)

    def _found(self, content: object) -> object:
        return content if self._moves_with is None else relocatable_paths.make_absolute(content, self._moves_with)

    def _replace(self, text: str) -> None:
        content = text.encode("utf-8", "backslashreplace")  # names of files need not be text; JSON's escape is the same
        handle, name = mkstemp(".new", self._path.stem, self._path.parent)
        temporary = Path(name)
        try:
            with open(handle, "wb") as file:
                file.write(content)
            _replace_patiently(temporary, self._path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise


def _replace_patiently(temporary: Path, path: Path) -> None:
    """On Windows, nobody can replace a file while another program, such as a virus scanner, reads it."""
    for tries_left in reversed(range(_TRIES if sys.platform == "win32" else 1)):
        try:
            temporary.replace(path)
        except PermissionError:
            if not tries_left:
                raise
            time.sleep(_PAUSE_S)
        else:
            return
