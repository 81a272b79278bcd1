"""The file cache that is shared with other programs of the Hub.

models--owner--name/blobs/<hash>             the bytes
models--owner--name/snapshots/<commit>/...   links to them, by the files' names; where there are no links, the bytes
models--owner--name/refs/<revision>          the commit that a name such as main meant when it was last looked up
"""

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from filelock import FileLock, Timeout

from specchat.domain.errors import ModelFileError, StorageBusyError
from specchat.domain.hub import HubReference, RemoteFile, RemoteModel, is_model_file
from specchat.domain.serialization import from_plain
from specchat.sources.disk import explain_disk_errors, replace_file_text
from specchat.sources.file_names import all_parts, is_safe_path
from specchat.sources.partial_file import PartialFileNotes, discard_partial_file

_MAIN = "main"
_NOTES = ".part.json"
_OTHER_LENGTH = 40
"""The length of names other than SHA-256, as in the Hub client's cache."""


def cache_folder() -> Path:
    """As the Hub's client looks for it."""
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    hub = os.environ.get("HF_HOME") or f"{home}/huggingface"
    named = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or f"{hub}/hub"
    return Path(os.path.expandvars(os.path.expanduser(named)))


@dataclass(frozen=True, slots=True)
class CachedFile:
    repo: str
    commit: str
    path: str
    """Inside the repository."""
    place: Path
    size: int

    @property
    def reference(self) -> HubReference:
        return HubReference(self.repo, self.path, self.commit)


class HubCache:
    def __init__(self, folder: Path | None = None) -> None:
        self.folder = Path(os.path.abspath(folder or cache_folder()))

    def blob(self, file: RemoteFile) -> Path:
        if file.sha256 is None:  # a name of our own, not to be mistaken for a checksum
            key = sha256(f"{file.repo}@{file.commit}:{file.path}".encode()).hexdigest()[:_OTHER_LENGTH]
        elif re.fullmatch("[0-9a-f]{64}", file.sha256):
            key = file.sha256
        else:
            raise _unsafe(file.sha256)
        return self._repo(file.repo) / "blobs" / key

    def key(self, file: RemoteFile) -> str:
        """The same bytes of a repository, whatever they are called there."""
        return f"{file.repo}/{self.blob(file).name}"

    def snapshot_path(self, file: RemoteFile) -> Path:
        return _below(self._repo(file.repo) / "snapshots", f"{file.commit}/{file.path}")

    def require_valid_names(self, file: RemoteFile) -> None:
        """That what the Hub calls it can be names here, before anything is fetched."""
        self.blob(file)
        self.snapshot_path(file)

    def find_blob(self, file: RemoteFile) -> Path | None:
        """The bytes, as far as their number tells."""
        candidates = (self.blob(file), self.snapshot_path(file))
        return next((each for each in candidates if _size(each) == file.size), None)

    @contextmanager
    def locked(self, file: RemoteFile) -> Iterator[None]:
        """Against all who write this file: the Hub's client takes the same lock."""
        blob = self.blob(file)
        path = self.folder / ".locks" / blob.parent.parent.name / f"{blob.name}.lock"
        with explain_disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path, timeout=0, mode=0o664)
            try:
                lock.acquire()
            except Timeout as error:
                raise StorageBusyError(
                    "Another program is downloading {file}.",
                    "Wait until it has finished, then resume the download.",
                    file=file.path,
                ) from error
        try:
            yield
        finally:
            lock.release()

    def install(self, file: RemoteFile, revision: str = _MAIN) -> Path:
        """Offer what has arrived under its name."""
        place, blob = self.snapshot_path(file), self.blob(file)
        with explain_disk_errors(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            self._snapshots_around(place)
            if blob.exists():
                _link(blob, place)
            with suppress(StorageBusyError), self.locked(file):  # whoever fetches it anew needs its notes
                discard_partial_file(blob)
            self._remember(file, revision)
        return place

    def discard(self, file: RemoteFile) -> None:
        """What has arrived of it, unless it is offered under some name."""
        blob = self.blob(file)
        with self.locked(file), explain_disk_errors(blob):
            discard_partial_file(blob)
            if not _is_needed(blob):
                blob.unlink(missing_ok=True)

    def find(self, reference: HubReference) -> Path | None:
        """None also where some of the files are missing that a model is split into."""
        if not is_safe_path(reference.file):
            return None
        for snapshot in self._snapshots(reference):
            place = snapshot / reference.file
            if _is_whole(place):
                return place
        return None

    def holds(self, model: RemoteModel) -> bool:
        with suppress(ModelFileError):  # its name can be no file's here
            return all(self.find_blob(file) for file in model.files)
        return False

    def models(self) -> list[CachedFile]:
        found = []
        for repo in sorted(self.folder.glob("models--*")):
            name = _repo_named(repo.name)
            for snapshot in _newest_first(repo / "snapshots"):
                with suppress(OSError):  # another program may be at work here
                    for each in sorted(each for each in snapshot.rglob("*") if is_model_file(each.name)):
                        path = each.relative_to(snapshot).as_posix()
                        if _is_whole(each):
                            found.append(CachedFile(name, snapshot.name, path, each, each.stat().st_size))
        return found

    def reference(self, place: Path) -> HubReference | None:
        """Of what is or was there; None where it is elsewhere."""
        if place.is_relative_to(self.folder):
            match place.relative_to(self.folder).parts:
                case [repo, "snapshots", commit, *path] if path:
                    return HubReference(_repo_named(repo), "/".join(path), commit)
        return None

    def partial_downloads(self) -> list[RemoteFile]:
        """What has begun to arrive, as far as is known what it is."""
        found = []
        for path in sorted(self.folder.glob(f"models--*/blobs/*{_NOTES}")):
            with suppress(OSError, ValueError, RecursionError, ModelFileError):
                file = from_plain(PartialFileNotes, json.loads(path.read_text(encoding="utf-8"))).file
                self.require_valid_names(file)
                blob = self.blob(file)
                if path == blob.with_name(f"{blob.name}{_NOTES}"):
                    found.append(file)
        return found

    def remove(self, place: Path) -> None:
        """One file of a snapshot, and its bytes where nothing else needs them."""
        snapshots = self._snapshots_around(place)
        blob = _linked(place)
        with explain_disk_errors(place):
            place.unlink(missing_ok=True)
            if blob and blob.parent == snapshots.parent / "blobs" and not _is_needed(blob):
                blob.unlink(missing_ok=True)
            _remove_empty(place.parent, snapshots)
            _remove_lost_commits(snapshots)

    def _snapshots_around(self, place: Path) -> Path:
        """A folder may have been replaced by a link: what is elsewhere is not ours to change."""
        if place.is_relative_to(self.folder):
            match place.relative_to(self.folder).parts:
                case [repo, "snapshots", _, *path] if path and ".." not in path:
                    snapshots = self.folder / repo / "snapshots"
                    if place.parent.resolve().is_relative_to(snapshots.resolve()):
                        return snapshots
        raise ModelFileError(
            "{path} is not in the Hub's cache.",
            "Find out which program put it there. If no program needs it, delete it yourself.",
            path=place,
        )

    def _repo(self, repo: str) -> Path:
        return _below(self.folder, "--".join(["models", *repo.split("/")]))

    def _snapshots(self, reference: HubReference) -> Iterator[Path]:
        """What the revision means here; where none is asked for, any will do."""
        repo = self._repo(reference.repo)
        revision = reference.revision or _MAIN
        if is_safe_path(revision):
            if commit := _commit(repo / "refs" / revision):
                yield repo / "snapshots" / commit
            yield repo / "snapshots" / revision
        if reference.revision is None:
            yield from _newest_first(repo / "snapshots")

    def _remember(self, file: RemoteFile, revision: str) -> None:
        if revision == file.commit:
            return
        ref = _below(self._repo(file.repo) / "refs", revision)
        ref.parent.mkdir(parents=True, exist_ok=True)
        replace_file_text(ref, file.commit)


def _repo_named(folder: str) -> str:
    return "/".join(folder.split("--")[1:])


def _size(place: Path) -> int | None:
    """None: there is no such file, or none that one may look at."""
    try:
        status = place.stat()
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _is_needed(blob: Path) -> bool:
    places = (blob.parent.parent / "snapshots").rglob("*")
    return any(_linked(each) == blob for each in places if each.is_symlink())


def _remove_lost_commits(snapshots: Path) -> None:
    """The Hub's client takes a name without its commit for damage."""
    for ref in (snapshots.parent / "refs").rglob("*"):
        commit = _commit(ref)
        if commit and not (snapshots / commit).exists():
            ref.unlink()


def _commit(ref: Path) -> str:
    """Empty where another program left something else."""
    with suppress(OSError, ValueError):
        text = ref.read_text(encoding="utf-8")
        return text if is_safe_path(text) else ""
    return ""


def _link(blob: Path, place: Path) -> None:
    if _linked(place) == blob:
        return
    new = place.with_name(f"{place.name}.new")
    new.unlink(missing_ok=True)
    if os.environ.get("HF_HUB_DISABLE_SYMLINKS", "").upper() not in ("1", "ON", "YES", "TRUE"):
        with suppress(OSError):  # some disks have no links, and Windows does not give them to everyone
            new.symlink_to(os.path.relpath(blob, place.parent))
            new.replace(place)
            return
    blob.replace(place)


def _linked(place: Path) -> Path | None:
    """One step only: the Hub's client may have links among the bytes as well."""
    return Path(os.path.normpath(place.parent / place.readlink())) if place.is_symlink() else None


def _is_whole(place: Path) -> bool:
    return all(os.path.isfile(place.with_name(name)) for name in all_parts(place.name))


def _newest_first(snapshots: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(
            (each for each in snapshots.iterdir() if each.is_dir()), key=lambda each: each.stat().st_mtime, reverse=True
        )
    return []


def _remove_empty(folder: Path, top: Path) -> None:
    for each in (folder, *folder.parents):
        if each == top or (each.exists() and any(each.iterdir())):
            return
        with suppress(FileNotFoundError):
            each.rmdir()


def _below(folder: Path, name: str) -> Path:
    if not is_safe_path(name):
        raise _unsafe(name)
    return folder / name


def _unsafe(name: str) -> ModelFileError:
    return ModelFileError("{name} is not a valid file name on this system.", "Choose another model.", name=name)
