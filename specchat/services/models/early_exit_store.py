"""Keeps the drafts made of a target's first layers, and deletes them when the target is gone or was changed.

Importing this costs nothing: the library asks it for what there is.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from specchat.domain.errors import SettingError, StorageError
from specchat.domain.model_ref import ModelFile, ModelRef
from specchat.domain.shell_quoting import quote_command
from specchat.services.models.model_discovery import FoundFile, is_same_file
from specchat.services.models.origins import Origin
from specchat.store.json_file import JsonFile
from specchat.store.private_files import make_private_folder

log = logging.getLogger(__name__)

_ABOUT = "target.json"
_ABANDONED_S = 24 * 3600
"""A search that has not ended by then was killed."""


@dataclass(frozen=True, slots=True)
class EarlyExit:
    path: Path
    target: Path
    n_layers: int


class EarlyExitStore:
    def __init__(self, folder: Path, moves_with: Path | None = None) -> None:
        """One folder for each target, with what is known of it and at most one draft."""
        self._folder = folder
        self._moves_with = moves_with

    @property
    def folder(self) -> Path:
        return self._folder

    def find(self, target: Path) -> EarlyExit | None:
        return next((each for each in self.all() if is_same_file(each.target, target)), None)

    def require(self, target: Path, draft: Path | None = None) -> Path:
        """The draft kept for a target. `draft`: the one that was named for it."""
        found = self.find(target)
        if found is None:
            raise no_early_exit_error(ModelFile(target))
        if draft is not None and not is_same_file(draft, found.path):
            raise SettingError(
                "{name} is not the early exit draft kept for this target.",
                "Omit -md, or omit --draft-type.",
                name=draft.name,
            )
        return found.path

    def draft_at(self, path: Path) -> EarlyExit | None:
        """None: it is no such draft."""
        return next((each for each in self.all() if is_same_file(each.path, path)), None)

    def all(self) -> Iterator[EarlyExit]:
        """Those whose target is still as it was; the others are deleted."""
        for folder in self._folders():
            about = self._about(folder).read()
            target, state = about.get("target"), about.get("state")
            if not (isinstance(target, str) and isinstance(state, str) and state == _state(Path(target))):
                _clear(folder)
                continue
            n_layers, name = about.get("layers"), about.get("draft")
            if isinstance(n_layers, int) and isinstance(name, str) and (folder / Path(name).name).is_file():
                yield EarlyExit(folder / Path(name).name, Path(target), n_layers)
            elif _age(folder) > _ABANDONED_S:
                _clear(folder)

    def found_files(self) -> Iterator[FoundFile]:
        """For the library."""
        for each in self.all():
            yield FoundFile(each.path, Origin.EARLY_EXIT, early_exit_of=each.target)

    def begin(self, target: Path) -> None:
        """A search: what an earlier one has kept goes."""
        folder = self._folder_of(target)
        _clear(folder)
        try:
            make_private_folder(folder)
        except OSError as error:
            raise StorageError(
                "Can't write {path}: {reason}.",
                "Check the disk and the folder's permissions.",
                path=folder,
                reason=error.strerror or error,
            ) from error
        self._write_about(target, {})

    def path_for(self, target: Path, n_layers: int) -> Path:
        """Its name says what it is, wherever a file is called by it."""
        return self._folder_of(target) / f"{target.stem[:100]}-first-{n_layers}-layers.gguf"

    def keep(self, target: Path, n_layers: int) -> None:
        self._write_about(target, {"layers": n_layers, "draft": self.path_for(target, n_layers).name})

    def abandon(self, target: Path) -> None:
        """A search that keeps nothing."""
        _clear(self._folder_of(target))

    def delete(self, draft: EarlyExit) -> int:
        """How many bytes that frees."""
        return _clear(draft.path.parent)

    def _write_about(self, target: Path, more: dict[str, Any]) -> None:
        about = {"target": str(target.absolute()), "state": _state(target), **more}
        self._about(self._folder_of(target)).write(about)

    def _about(self, folder: Path) -> JsonFile:
        return JsonFile(folder / _ABOUT, self._moves_with)

    def _folder_of(self, target: Path) -> Path:
        """Of the file as it is, wherever it lies."""
        fingerprint = f"{target.resolve().name} {_state(target)}".encode(errors="surrogatepass")
        return self._folder / sha256(fingerprint).hexdigest()[:16]

    def _folders(self) -> list[Path]:
        try:
            return sorted(each for each in self._folder.iterdir() if each.is_dir() and not each.is_symlink())
        except OSError:
            return []


def no_early_exit_error(target: ModelRef) -> SettingError:
    return SettingError(
        "No early exit draft is kept for {name}.",
        "Make one: {command}",
        name=target.name,
        command=quote_command("specchat", "models", "early-exit", str(target)),
    )


def _state(target: Path) -> str | None:
    """The same for the same content, as far as one can tell without reading it; None: it is gone."""
    try:
        status = target.stat()
    except (OSError, ValueError):
        return None
    return f"{status.st_size} {status.st_mtime_ns}"


def _age(folder: Path) -> float:
    try:
        return time.time() - (folder / _ABOUT).stat().st_mtime
    except OSError:
        return float("inf")


def _clear(folder: Path) -> int:
    """Whatever is in it: nobody else writes there."""
    freed = 0
    with suppress(FileNotFoundError):
        for path in folder.iterdir():
            try:
                size = path.stat().st_size
                path.unlink()
                freed += size if path.suffix == ".gguf" else 0
            except OSError as error:
                log.info("Couldn't delete %s: %s", path, error)
        with suppress(OSError):
            folder.rmdir()
    return freed
