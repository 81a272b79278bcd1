"""Keeps the drafts made of a target's first layers, and deletes them when the target is gone or was changed.

Importing this costs nothing: the library asks it for what there is.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from specchat.domain.drafter_types import EARLY_EXIT
from specchat.domain.errors import SettingError, StorageBusyError, StorageError, StorageFullError
from specchat.domain.model_ref import ModelFile, ModelRef
from specchat.domain.shell_quoting import quote_command
from specchat.services.models.model_discovery import FoundFile, is_same_file
from specchat.services.models.model_facts import content_state
from specchat.services.models.origins import Origin
from specchat.services.program.lock_file import LockFile
from specchat.sources.disk import NO_ROOM
from specchat.store.json_file import JsonFile
from specchat.store.private_files import make_private_folder

log = logging.getLogger(__name__)

_ABOUT = "target.json"
_TRYING = "trying"
_LOCK = "search.lock"
_LONGEST_STEM = 200
"""Bytes: most file systems take 255 for all of a name."""


@dataclass(frozen=True, slots=True)
class EarlyExit:
    path: Path
    target: Path
    n_layers: int


class EarlyExitStore:
    def __init__(self, folder: Path, moves_with: Path | None = None) -> None:
        """One folder for each target, with what is known of it and at most one draft, and one for the search."""
        self._folder = folder
        self._moves_with = moves_with

    @property
    def folder(self) -> Path:
        return self._folder

    def find(self, target: Path) -> EarlyExit | None:
        return next((each for each in self.all() if is_same_file(each.target, target)), None)

    def draft_for(self, draft_type: str, target: Path, draft: Path | None, *, is_named: bool) -> Path | None:
        """The one for that type. `is_named`: otherwise it only comes with the target."""
        return self.require(target, draft if is_named else None) if draft_type == EARLY_EXIT else draft

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
        """Those whose target is here and as it was."""
        for folder in self._folders():
            about = self._about(folder).read()
            target, n_layers, name = about.get("target"), about.get("layers"), about.get("draft")
            if not (isinstance(target, str) and isinstance(n_layers, int) and isinstance(name, str)):
                continue
            state, path = content_state(Path(target)), folder / Path(name).name
            if state is not None and state == about.get("state") and path.is_file():
                yield EarlyExit(path, Path(target), n_layers)

    def found_files(self) -> Iterator[FoundFile]:
        """The kept drafts, for the library."""
        for each in self.all():
            yield FoundFile(each.path, Origin.EARLY_EXIT, early_exit_of=each.target)

    @contextmanager
    def attempt(self, target: Path) -> Iterator["EarlyExitAttempt"]:
        """A search: one at a time on this computer, as two would measure each other."""
        with self._lock():
            self._delete_stale()
            trying = self._folder / _TRYING
            try:
                with explain_disk_errors(trying):
                    make_private_folder(trying)
                kept = self._folder_of(target)
                yield EarlyExitAttempt(target, trying, self._about(kept), kept)
            finally:
                _clear(trying)

    def delete(self, draft: EarlyExit) -> int:
        """Deletes a draft and returns the number of freed bytes."""
        return _clear(draft.path.parent)

    def delete_stale(self) -> None:
        """Drafts of targets that were changed or deleted, and what a search has left that was killed."""
        if self._folder.is_dir():
            with suppress(StorageBusyError), self._lock():
                self._delete_stale()

    def _delete_stale(self) -> None:
        _clear(self._folder / _TRYING)
        for folder in self._folders():
            about = self._about(folder).read()
            if not about and os.path.lexists(folder / _ABOUT):
                continue  # at another moment it may be readable
            if _is_stale(about.get("target"), about.get("state")):
                _clear(folder)
            else:
                _delete_others(folder, about.get("draft"))

    @contextmanager
    def _lock(self) -> Iterator[None]:
        lock = LockFile(self._folder / _LOCK)
        if not lock.acquire():
            raise StorageBusyError(
                "An early exit test is already running on this computer.", "Try again when it has finished."
            )
        try:
            yield
        finally:
            lock.release()

    def _about(self, folder: Path) -> JsonFile:
        return JsonFile(folder / _ABOUT, self._moves_with)

    def _folder_of(self, target: Path) -> Path:
        """Of the file as it is, wherever it lies."""
        fingerprint = f"{target.resolve().name} {content_state(target)}".encode(errors="surrogatepass")
        return self._folder / sha256(fingerprint).hexdigest()[:16]

    def _folders(self) -> list[Path]:
        with suppress(OSError):
            found = (each for each in self._folder.iterdir() if each.is_dir() and not each.is_symlink())
            return sorted(each for each in found if each.name != _TRYING)
        return []


def no_early_exit_error(target: ModelRef) -> SettingError:
    return SettingError(
        "No early exit draft is kept for {name}.",
        "Make one: {command}",
        name=target.name,
        command=quote_command("specchat", "models", "early-exit", str(target)),
    )


class EarlyExitAttempt:
    """What a search writes goes with it, unless it is kept: only then goes what an earlier one has kept."""

    def __init__(self, target: Path, folder: Path, about: JsonFile, kept: Path) -> None:
        """`kept`: where drafts of this target are kept, and `about` what is known of it."""
        self.folder = folder
        self._target, self._state = target.absolute(), content_state(target)
        self._about, self._kept = about, kept

    def path_for(self, n_layers: int) -> Path:
        """Its name says what it is, wherever a file is called by it."""
        stem = self._target.stem.encode(errors="ignore")[:_LONGEST_STEM].decode(errors="ignore")
        return self.folder / f"{stem}-first-{n_layers}-layers.gguf"

    def keep(self, n_layers: int) -> Path:
        """The draft's current path."""
        made = self.path_for(n_layers)
        draft = self._kept / made.name
        with explain_disk_errors(draft):
            make_private_folder(self._kept)
            _replace(made, draft)
        about = {"target": str(self._target), "state": self._state, "layers": n_layers, "draft": draft.name}
        self._about.write(about)
        _delete_others(self._kept, draft.name)
        return draft


@contextmanager
def explain_disk_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        if error.errno in NO_ROOM:
            raise StorageFullError(
                "Can't write {path}: {reason}.", "Free up some space.", path=path, reason=reason
            ) from error
        raise StorageError(
            "Can't write {path}: {reason}.",
            "Check the disk and the folder's permissions.",
            path=path,
            reason=reason,
        ) from error


def _replace(made: Path, draft: Path) -> None:
    try:
        made.replace(draft)
    except PermissionError as error:
        if not draft.exists():
            raise
        raise StorageBusyError(
            "{name} can't be replaced while it is in use.", "Unload it, then try again.", name=draft.name
        ) from error


def _is_stale(target: object, state: object) -> bool:
    """A target that is only out of reach will be back."""
    if not (isinstance(target, str) and isinstance(state, str)):
        return True
    found = content_state(Path(target))
    return found != state if found is not None else _is_deleted(Path(target))


def _is_deleted(target: Path) -> bool:
    """Where its disk is missing, so is its folder, or that is empty."""
    with suppress(OSError, ValueError):
        return not os.path.lexists(target) and any(target.parent.iterdir())
    return False


def _delete_others(folder: Path, draft: object) -> None:
    """What was replaced while a program had it open, or could not be made known."""
    for path in folder.glob("*.gguf"):
        if path.name != draft:
            _delete(path)


def _clear(folder: Path) -> int:
    """Whatever is in it: nobody else writes there. How many bytes of drafts that were."""
    try:
        freed = sum(map(_delete, list(folder.iterdir())))
    except OSError:
        return 0
    with suppress(OSError):
        folder.rmdir()
    return freed


def _delete(path: Path) -> int:
    try:
        size = path.stat().st_size
        path.unlink()
    except OSError as error:
        log.info("Couldn't delete %s: %s", path, error)
        return 0
    return size if path.suffix == ".gguf" else 0
