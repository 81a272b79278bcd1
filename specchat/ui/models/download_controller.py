"""Connects the downloads pane to the download queue, which runs in its own threads."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.hub import RemoteModel, parse_hub_reference
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, DownloadStatus, JobState
from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.models.download_text import display_name
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.throttle import Throttle

if TYPE_CHECKING:
    from specchat.services.hub.download_manager import DownloadManager
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.requested_models import RequestedModels

DownloadsFactory = Callable[[Callable[[], None], Callable[[DownloadJob], None]], "DownloadManager"]
"""Is given `changed` and `ended`, and called in another thread: it imports the Hub's client."""
FindLocalModels = Callable[[Sequence[RemoteModel]], Collection[RemoteModel]]
"""Which of them are on this computer now; called in another thread."""

_AT_MOST_EVERY_MS = 200
_AT_LEAST_EVERY_MS = 1000
"""While something runs: a speed falls also when nothing arrives."""

_LOOKUPS = 8
"""At a time: one for which the Hub is silent holds up no other."""


class DownloadController(QObject):
    download_ended = Signal(object)
    """A DownloadJob that is done or has failed."""
    jobs_changed = Signal(list)
    """Of DownloadStatus."""
    active_count_changed = Signal(int)
    """How many are going on or wait."""
    failed_count_changed = Signal(int)
    """How many have failed."""
    _stirred = Signal()
    _job_ended = Signal(object)

    def __init__(
        self,
        settings: SettingsModel,
        make: DownloadsFactory,
        jobs: DownloadJobStore,
        hub: "Callable[[], Hub]",
        those_here: FindLocalModels,
        pane: DownloadPane,
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        """`jobs`: the file that the downloads are kept in; `hub` is called in any thread."""
        super().__init__(parent)
        self._settings = settings
        self._make, self._file, self._those_here, self._pane = make, jobs, those_here, pane
        self._hub, self._cancel = hub, CancelToken()
        self._tasks, self._lookups = TaskQueue(logs, self), TaskQueue(logs, self, parallel=_LOOKUPS)
        self._downloads: DownloadManager | None = None
        self._asked: list[Sequence[str]] = []
        self._again: list[Callable[[], None]] = []
        self._going = self._failed = 0
        self._refreshing = self._stale = self._closed = False
        self._changes = Throttle[None](_AT_MOST_EVERY_MS, lambda _: self._refresh(), self)
        self._timer = QTimer(self, singleShot=True, interval=_AT_LEAST_EVERY_MS)
        self._timer.timeout.connect(self._refresh_soon)
        self._connect()

    def start(self) -> None:
        """What is left from the last time goes on; with nothing left, the Hub's client is not even imported."""
        self._refresh()

    def refresh(self) -> None:
        """Files may have been deleted, or are back."""
        self._refresh_soon()

    def download(self, references: Sequence[str]) -> None:
        """All of them as one job."""
        self._asked.append(references)
        self._show_asked()
        done, failed = partial(self._add, references), partial(self._not_found, references)
        self._lookups.run(partial(self._look_up, references), done, failed, self._cancel)

    def close(self) -> None:
        """In bounded time; the queue is kept for the next start."""
        self._closed = True
        self._changes.stop()
        self._timer.stop()
        self._cancel.cancel()
        self._lookups.close()
        self._tasks.close()
        if self._downloads is not None:
            self._downloads.close()

    def _connect(self) -> None:
        self._stirred.connect(self._refresh_soon, Qt.ConnectionType.QueuedConnection)
        self._job_ended.connect(self.download_ended, Qt.ConnectionType.QueuedConnection)
        self._settings.changed.connect(self._limits_changed)
        pane = self._pane
        requests = pane.requests
        requests.pause_requested.connect(lambda number: self._do(lambda queue: queue.pause(number)))
        requests.resume_requested.connect(lambda number: self._do(lambda queue: queue.resume(number)))
        requests.move_requested.connect(lambda number, place: self._do(lambda queue: queue.move(number, place)))
        requests.download_removal_requested.connect(
            lambda number, keep: self._do(lambda queue: queue.remove(number, keep_parts=keep))
        )
        requests.redownload_requested.connect(lambda job: self._do(lambda queue: queue.add(job.models, job.revision)))
        requests.downloads_retry_requested.connect(self._try_again)
        requests.download_problem_dismissed.connect(self._forget_problem)

    # The queue

    def _do(self, work: "Callable[[DownloadManager], object]") -> None:
        again = partial(self._do, work)
        self._tasks.run(lambda: work(self._opened()), lambda _: None, partial(self._show_problem, again))

    def _opened(self) -> "DownloadManager":
        """In the tasks' thread."""
        if self._downloads is None:
            self._downloads = self._make(self._changed_somewhere, self._ended_somewhere)
            self._apply_limits(self._downloads)
            self._downloads.start()
        return self._downloads

    def _limits_changed(self) -> None:
        if self._downloads is not None:
            self._do(self._apply_limits)

    def _apply_limits(self, queue: "DownloadManager") -> None:
        settings = self._settings.value
        queue.limit = settings.download_limit or None
        queue.parallel = settings.downloads_at_once

    def _jobs(self) -> list[DownloadStatus]:
        """In the tasks' thread. What is done needs no queue."""
        if self._downloads is None:
            jobs = self._file.load()
            if all(job.state is JobState.DONE for job in jobs):
                return [self._with_gone(DownloadStatus(job, job.size, 0, 0.0, is_checking=False)) for job in jobs]
        return [self._with_gone(shown) for shown in self._opened().jobs()]

    def _with_gone(self, shown: DownloadStatus) -> DownloadStatus:
        if shown.job.state is not JobState.DONE:
            return shown
        models = shown.job.models
        here = self._those_here(models)
        return replace(shown, gone=tuple(model for model in models if model not in here))

    # What is shown

    def _changed_somewhere(self) -> None:
        if not self._closed:
            self._stirred.emit()

    def _ended_somewhere(self, job: DownloadJob) -> None:
        if not self._closed:
            self._job_ended.emit(job)

    def _refresh_soon(self) -> None:
        if not self._closed:
            self._changes.submit(None)

    def _refresh(self) -> None:
        if self._refreshing:
            self._stale = True
            return
        self._refreshing, self._stale = True, False
        self._tasks.run(self._jobs, self._refreshed, self._not_refreshed)

    def _refreshed(self, jobs: Sequence[DownloadStatus]) -> None:
        self._refreshing = False
        self._show(jobs)
        if self._stale:
            self._refresh_soon()

    def _not_refreshed(self, error: UserError) -> None:
        self._refreshing = False
        self._show_problem(self._refresh, error)

    def _show(self, jobs: Sequence[DownloadStatus]) -> None:
        self._pane.show_jobs(jobs)
        self.jobs_changed.emit(list(jobs))
        going = sum(shown.job.state.is_active for shown in jobs)
        if going != self._going:
            self._going = going
            self.active_count_changed.emit(going)
        failed = sum(shown.job.state is JobState.FAILED for shown in jobs)
        if failed != self._failed:
            self._failed = failed
            self.failed_count_changed.emit(failed)
        if any(shown.job.state is JobState.RUNNING for shown in jobs):
            self._timer.start()

    # What is looked up first

    def _look_up(self, references: Sequence[str]) -> "RequestedModels":
        """In the lookups' thread."""
        from specchat.services.hub.requested_models import resolve_requested_models

        return resolve_requested_models(self._hub(), references, self._cancel)

    def _add(self, references: Sequence[str], wanted: "RequestedModels") -> None:
        self._end_asking(references)
        self._do(lambda queue: queue.add(wanted.models, wanted.revision))

    def _not_found(self, references: Sequence[str], error: UserError) -> None:
        self._end_asking(references)
        self._show_problem(partial(self.download, references), error)

    def _end_asking(self, references: Sequence[str]) -> None:
        self._asked.remove(references)
        self._show_asked()

    def _show_asked(self) -> None:
        self._pane.show_lookups([_name(each) for references in self._asked for each in references])

    def _show_problem(self, again: Callable[[], None], error: UserError) -> None:
        self._again.append(again)
        self._pane.show_problem(error)

    def _try_again(self) -> None:
        wanted = self._again
        self._forget_problem()
        for again in wanted:
            again()

    def _forget_problem(self) -> None:
        self._again = []
        self._pane.show_problem(None)


def _name(reference: str) -> str:
    parsed = parse_hub_reference(reference)
    return display_name(parsed.file) if parsed else reference
