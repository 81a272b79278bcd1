"""Runs the download queue, a few files at a time, in background threads."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, StorageError, UserError
from specchat.domain.hub import RemoteFile, RemoteModel, RetryPause
from specchat.domain.translatable_text import TranslatableText
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, DownloadProblem, DownloadStatus, JobState
from specchat.sources.bandwidth import SpeedMeter
from specchat.sources.disk import require_free_space

if TYPE_CHECKING:  # they take their time to import
    from specchat.sources.download import Downloader, DownloadProgress

log = logging.getLogger(__name__)

_TOLD_EVERY_S = 0.2
_ENDED_WITHIN_S = 3.0
"""How long closing waits for running requests; received data is already on disk."""
_MISTAKE = DownloadProblem(
    TranslatableText("specchat hit an internal error."), TranslatableText("Please report this. Details are in the log.")
)


class _Run:
    """One file on its way."""

    def __init__(self, job: int, file: RemoteFile) -> None:
        self.job, self.file = job, file
        self.cancel = CancelToken()
        self.progress: DownloadProgress | None = None


class DownloadManager:
    """Whatever is called back is called in any thread, and may call back."""

    def __init__(
        self,
        downloader: Downloader,
        file: DownloadJobStore,
        changed: Callable[[], None],
        ended: Callable[[DownloadJob], None],
        parallel: int = 2,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`ended` hears of jobs that are done or have failed."""
        self._downloader, self._cache, self._file = downloader, downloader.cache, file
        self._changed, self._ended, self._clock = changed, ended, clock
        self._parallel = parallel
        self._lock = Lock()
        self._jobs = {job.number: job for job in file.load()}
        self._numbers = count(max(self._jobs, default=0) + 1)
        self._runs: dict[str, _Run] = {}
        self._threads: set[Thread] = set()
        self._speeds: dict[int, SpeedMeter] = {}
        self._unwanted: set[RemoteFile] = set()
        self._told_at = clock()
        self._to_tell: list[DownloadJob] = []
        self._is_open = False

    def start(self) -> None:
        """Goes on with what was there when the program ended."""
        self._is_open = True
        self._carry_on()

    def close(self) -> None:
        with self._lock:
            self._is_open = False
            for run in self._runs.values():
                run.cancel.cancel()
            threads = list(self._threads)
        deadline = monotonic() + _ENDED_WITHIN_S
        for thread in threads:
            thread.join(max(0.0, deadline - monotonic()))

    @property
    def parallel(self) -> int:
        return self._parallel

    @parallel.setter
    def parallel(self, files: int) -> None:
        self._parallel = files
        self._carry_on()

    @property
    def limit(self) -> int | None:
        """Bytes per second, of all files together."""
        return self._downloader.settings.bandwidth.bytes_per_second

    @limit.setter
    def limit(self, bytes_per_second: int | None) -> None:
        self._downloader.settings.bandwidth.bytes_per_second = bytes_per_second

    def jobs(self) -> list[DownloadStatus]:
        with self._lock:
            return [self._status_of(job) for job in self._jobs.values()]

    def add(self, models: Sequence[RemoteModel], revision: str = "main") -> int:
        """Returns the job's number. What is on the list already goes on."""
        with self._lock:
            known = next((job for job in self._jobs.values() if job.models == tuple(models)), None)
            number = known.number if known else next(self._numbers)
            job = DownloadJob(number, tuple(models), revision)
            for file in job.files:
                self._cache.require_valid_names(file)
            if known is None or known.state is JobState.DONE:
                self._put(job)
        self.resume(number)
        return number

    def pause(self, number: int) -> None:
        self._set(number, JobState.PAUSED, JobState.WAITING, JobState.RUNNING)

    def resume(self, number: int) -> None:
        self._set(number, JobState.WAITING, JobState.PAUSED, JobState.FAILED)

    def remove(self, number: int, *, keep_parts: bool = False) -> None:
        """A job that is done only leaves the list."""
        with self._lock:
            job = self._jobs.pop(number, None)
            self._stop(number)
            if job and job.state is not JobState.DONE and not keep_parts:
                self._unwanted.update(job.files)
        self._carry_on()

    def move(self, number: int, place: int) -> None:
        with self._lock:
            if number in self._jobs:
                order = [each for each in self._jobs if each != number]
                order.insert(place, number)
                self._jobs = {each: self._jobs[each] for each in order}
        self._carry_on()

    def _set(self, number: int, state: JobState, *possible: JobState) -> None:
        with self._lock:
            job = self._jobs.get(number)
            if job and job.state in possible:
                self._jobs[number] = replace(job, state=state, problem=None)
                if state is JobState.PAUSED:
                    self._stop(number)
        self._carry_on()

    def _stop(self, number: int) -> None:
        for run in self._runs.values():
            if run.job == number:
                run.cancel.cancel()

    def _carry_on(self) -> None:
        """Whatever there is to do after a change."""
        with self._lock:
            if self._is_open:
                self._install_what_arrived()
                self._begin_more()
            self._discard_unwanted()
            self._file.save(self._jobs.values())
            ended, self._to_tell = self._to_tell, []
        self._changed()
        for job in ended:
            self._ended(job)

    def _put(self, job: DownloadJob) -> None:
        self._jobs[job.number] = job

    def _put_ended(self, job: DownloadJob) -> None:
        self._put(job)
        self._to_tell.append(job)

    def _install_what_arrived(self) -> None:
        for job in list(self._jobs.values()):
            if job.state.is_active and all(self._cache.key(file) in job.arrived for file in job.files):
                lost = {self._cache.key(file) for file in job.files if not self._cache.find_blob(file)}
                if lost:
                    arrived = {key: size for key, size in job.arrived.items() if key not in lost}
                    self._put(replace(job, state=JobState.WAITING, arrived=arrived))
                else:
                    self._install(replace(job, state=JobState.INSTALLING))

    def _install(self, job: DownloadJob) -> None:
        """That it has begun is written down first: should the program end in the middle, the next start goes on."""
        self._put(job)
        self._file.save(self._jobs.values())
        try:
            for file in job.files:
                self._cache.install(file, job.revision)
        except Exception as error:  # noqa: BLE001 - told as the job's problem
            self._put_ended(replace(job, state=JobState.FAILED, problem=_problem(error)))
        else:
            self._put_ended(replace(job, state=JobState.DONE))

    def _begin_more(self) -> None:
        self._threads = {each for each in self._threads if each.is_alive()}
        while len(self._runs) < self._parallel and (run := next(self._startable(), None)):
            job = self._jobs[run.job]
            if not any(each.job == run.job for each in self._runs.values()):
                self._speeds[run.job] = SpeedMeter(self._clock)
            self._runs[self._cache.key(run.file)] = run
            self._put(replace(job, state=JobState.RUNNING))
            thread = Thread(target=self._run, args=(run,), name=f"download {run.file.path}", daemon=True)
            self._threads.add(thread)
            thread.start()

    def _startable(self) -> Iterator[_Run]:
        for job in self._jobs.values():
            if job.state.is_active:
                for file in job.files:
                    key = self._cache.key(file)
                    if key not in job.arrived and key not in self._runs:
                        yield _Run(job.number, file)

    def _discard_unwanted(self) -> None:
        wanted = {
            self._cache.key(file) for job in self._jobs.values() if job.state is not JobState.DONE for file in job.files
        }
        for file in [each for each in self._unwanted if self._cache.key(each) not in self._runs]:
            self._unwanted.remove(file)
            if self._cache.key(file) not in wanted:
                try:
                    self._cache.discard(file)
                except StorageError as error:
                    log.warning("Couldn't delete a partial download: %s", error)

    def _run(self, run: _Run) -> None:
        fetched: int | None = None
        problem: DownloadProblem | None = None
        try:
            self._require_room(run.job)
            fetched = self._downloader.download(run.file, run.cancel, partial(self._note_progress, run))
        except Cancelled:
            pass
        except Exception as error:  # noqa: BLE001 - told as the job's problem
            problem = _problem(error)
        self._end(run, fetched, problem)

    def _require_room(self, number: int) -> None:
        """For the whole job: half of it is of no use."""
        with self._lock:
            job = self._jobs.get(number)
        files = job.files if job else ()
        require_free_space(self._cache.folder, sum(map(self._downloader.missing_bytes, files)))

    def _note_progress(self, run: _Run, progress: DownloadProgress) -> None:
        with self._lock:
            before = run.progress or replace(progress, again=None, pause=None)
            self._speeds[run.job].add(progress.fetched - before.fetched)
            run.progress = progress
            is_due = self._clock() >= self._told_at + _TOLD_EVERY_S or _trouble(progress) != _trouble(before)
            if is_due:
                self._told_at = self._clock()
        if is_due:
            self._changed()

    def _end(self, run: _Run, fetched: int | None, problem: DownloadProblem | None) -> None:
        with self._lock:
            del self._runs[self._cache.key(run.file)]
            job = self._jobs.get(run.job)
            if job and fetched is not None:
                self._put(replace(job, arrived={**job.arrived, self._cache.key(run.file): fetched}))
            elif job and problem and job.state is JobState.RUNNING:
                self._put_ended(replace(job, state=JobState.FAILED, problem=problem))
                self._stop(run.job)
        self._carry_on()

    def _status_of(self, job: DownloadJob) -> DownloadStatus:
        keys = {self._cache.key(file): file for file in job.files}
        runs = {key: run.progress for key, run in self._runs.items() if run.job == job.number}
        troubled = [progress for progress in runs.values() if progress and progress.again]
        trouble = troubled[0] if troubled and len(troubled) == len(runs) else None
        done = fetched = 0
        for key, file in keys.items():
            progress = runs.get(key)
            if progress:
                done, fetched = done + progress.done, fetched + progress.fetched
            elif key in job.arrived or job.state is JobState.DONE:
                done, fetched = done + file.size, fetched + job.arrived.get(key, 0)
            else:
                done += file.size - self._downloader.missing_bytes(file)
        return DownloadStatus(
            job,
            done,
            fetched,
            bytes_per_second=self._speeds[job.number].bytes_per_second if runs else 0.0,
            is_checking=bool(runs) and all(each and each.checked is not None for each in runs.values()),
            again=trouble.again if trouble else None,
            pause=trouble.pause if trouble else None,
        )


def _trouble(progress: DownloadProgress) -> tuple[TranslatableText | None, RetryPause | None]:
    return progress.again, progress.pause


def _problem(error: Exception) -> DownloadProblem:
    if isinstance(error, UserError):
        return DownloadProblem.from_error(error)
    log.info("Internal error in specchat", exc_info=error)
    return _MISTAKE
