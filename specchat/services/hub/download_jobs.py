"""Download jobs, and the file that keeps them on disk after each change."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from specchat.domain.errors import HubAccessError, SettingError, UserError
from specchat.domain.hub import RemoteFile, RemoteModel, RetryPause
from specchat.domain.serialization import from_plain, require_type, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.sources.file_names import is_safe_path
from specchat.store.json_file import JsonFile

log = logging.getLogger(__name__)


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    INSTALLING = "installing"
    """All is there and right: what is left is to give it its names."""
    DONE = "done"

    @property
    def is_active(self) -> bool:
        return self in (JobState.WAITING, JobState.RUNNING, JobState.INSTALLING)


@dataclass(frozen=True, slots=True)
class DownloadProblem:
    message: TranslatableText
    hint: TranslatableText
    is_about_access: bool = False

    @classmethod
    def from_error(cls, error: UserError) -> "DownloadProblem":
        return cls(error.message, error.hint, isinstance(error, HubAccessError))


@dataclass(frozen=True, slots=True)
class DownloadJob:
    """Models that belong together: all of them are installed, or none."""

    number: int
    models: tuple[RemoteModel, ...]
    revision: str
    state: JobState = JobState.WAITING
    arrived: Mapping[str, int] = field(default_factory=dict)
    """Blobs that are there and right, and how many bytes were fetched for each."""
    problem: DownloadProblem | None = None

    @property
    def files(self) -> list[RemoteFile]:
        return list(dict.fromkeys(file for model in self.models for file in model.files))

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class DownloadStatus:
    """As it stands at the moment."""

    job: DownloadJob
    done: int
    """Bytes that are there."""
    fetched: int
    """Bytes that came over the network, needed or not."""
    bytes_per_second: float
    is_checking: bool
    """What is there is gone through; nothing is fetched meanwhile."""
    again: TranslatableText | None = None
    """Why nothing comes but what has been asked for before."""
    pause: RetryPause | None = None
    """Before it is asked for again."""
    gone: tuple[RemoteModel, ...] = ()
    """Of what is done: models that are not here any more, whoever deleted them."""

    @property
    def seconds_left(self) -> float | None:
        """None: that cannot be known."""
        can_be_known = self.bytes_per_second and not self.again
        return (self.job.size - self.done) / self.bytes_per_second if can_be_known else None


@dataclass(frozen=True, slots=True)
class _Kept:
    jobs: tuple[DownloadJob, ...] = ()


class DownloadJobStore:
    def __init__(self, file: JsonFile) -> None:
        self._file = file

    def load(self) -> list[DownloadJob]:
        """What ran when the program ended waits now."""
        try:
            jobs = from_plain(_Kept, self._file.read()).jobs
        except ValueError:
            jobs = None
        if jobs is None or not all(map(_can_be, jobs)):
            self._file.set_aside()
            return []
        return [replace(job, state=JobState.WAITING) if job.state is JobState.RUNNING else job for job in jobs]

    def save(self, jobs: Iterable[DownloadJob]) -> None:
        """Whoever cannot write this cannot download either, and hears of it there."""
        try:
            self._file.write(require_type(dict, to_plain(_Kept(tuple(jobs)))))
        except SettingError as error:
            log.warning("Couldn't save the list of downloads: %s", error)


def _can_be(job: DownloadJob) -> bool:
    """Anything may have written the file."""
    return bool(job.models) and all(model.files and all(map(_is_fit, model.files)) for model in job.models)


def _is_fit(file: RemoteFile) -> bool:
    return file.size >= 0 and all(map(is_safe_path, (file.repo, file.commit, file.path, file.sha256 or "-")))
