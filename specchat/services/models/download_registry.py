"""Records the downloads of specchat itself, the only files that it may delete."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from specchat.domain.errors import ModelFileError, SettingError
from specchat.domain.hub import RemoteFile
from specchat.domain.serialization import from_plain, require_type, to_plain
from specchat.services.hub.download_jobs import DownloadJob, JobState
from specchat.sources.file_names import all_parts
from specchat.sources.hub_cache import HubCache
from specchat.store.json_file import JsonFile

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Download:
    file: RemoteFile
    changed: int | None
    """When the bytes were written, in ns: others that lie there now are not ours."""


@dataclass(frozen=True, slots=True)
class _Kept:
    downloads: Mapping[str, _Download] = field(default_factory=dict)
    """By their places in the Hub's cache."""


class DownloadRegistry:
    def __init__(self, file: JsonFile, cache: HubCache) -> None:
        self._file = file
        self._cache = cache
        self._lock = Lock()

    def record(self, job: DownloadJob) -> None:
        """Once it is done. What was there before belongs to whoever put it there."""
        if job.state is not JobState.DONE:
            return
        with self._lock:
            kept = self._load()
            fetched = {key for key, size in job.arrived.items() if size}
            fetched |= {self._cache.key(kept[place].file) for place in self._ours(kept)}
            new = [file for file in job.files if self._cache.key(file) in fetched]
            places = {file: self._cache.snapshot_path(file) for file in new}
            kept |= {str(place): _Download(file, _change_time(place)) for file, place in places.items()}
            try:
                self._save(kept)
            except SettingError as error:
                log.warning("Couldn't record that specchat downloaded this: %s", error)

    def paths(self) -> frozenset[Path]:
        return frozenset(map(Path, self._ours(self._load())))

    def owns(self, place: Path) -> bool:
        """Returns whether specchat owns all parts of the model."""
        return {str(part) for part in _parts(place)} <= set(self._ours(self._load()))

    def published_files(self, place: Path) -> list[RemoteFile]:
        """Returns the Hub's file list for a model; empty if unknown."""
        kept = self._load()
        return [kept[str(part)].file for part in _parts(place) if str(part) in kept]

    def delete(self, place: Path) -> int:
        """All parts of the model, under all names that specchat gave them; returns how many bytes that frees."""
        with self._lock:
            kept = self._load()
            ours = set(self._ours(kept))
            parts = [kept[str(part)].file for part in _parts(place) if str(part) in ours]
            present = {self._cache.blob(file): file.size for file in parts if self._cache.find_blob(file)}
            keys = set(map(self._cache.key, parts))
            try:
                for name in [each for each in kept if each in ours and self._cache.key(kept[each].file) in keys]:
                    self._cache.remove(Path(name))
                    del kept[name]
            finally:
                self._save(kept)
            return sum(size for blob, size in present.items() if not blob.exists())

    def _ours(self, kept: Mapping[str, _Download]) -> Iterator[str]:
        for place, download in kept.items():
            path = self._cache.snapshot_path(download.file)
            if str(path) == place and _change_time(path) in (download.changed, None):
                yield place

    def _load(self) -> dict[str, _Download]:
        try:
            downloads = dict(from_plain(_Kept, self._file.read()).downloads)
            for download in downloads.values():
                self._cache.require_valid_names(download.file)
        except (ValueError, ModelFileError):
            self._file.set_aside()
            return {}
        return downloads

    def _save(self, kept: Mapping[str, _Download]) -> None:
        self._file.write(require_type(dict, to_plain(_Kept(kept))))


def _parts(place: Path) -> list[Path]:
    return [place.with_name(name) for name in all_parts(place.name)]


def _change_time(place: Path) -> int | None:
    """None: there is nothing."""
    try:
        return place.stat().st_mtime_ns
    except OSError:
        return None
