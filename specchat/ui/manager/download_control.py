"""Joins the list of downloads with the queue, which works in threads of its own."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from specchat.domain.errors import UserError
from specchat.domain.hub import RemoteModel, parse_reference
from specchat.services.hub.download_jobs import Job, JobFile, JobState, ShownJob
from specchat.services.settings.ui_settings import UiSettings
from specchat.ui.manager.download_lookup import LookUp
from specchat.ui.manager.download_pane import DownloadPane
from specchat.ui.manager.download_words import name_of
from specchat.ui.opened_outside import open_address
from specchat.ui.threads.tasks import Tasks
from specchat.ui.widgets.link_question import asked_to_open

if TYPE_CHECKING:
    from specchat.services.hub.downloads import Downloads
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.wanted_models import WantedModels

MakeDownloads = Callable[[Callable[[], None], Callable[[Job], None]], "Downloads"]
"""Is given `changed` and `ended`, and called in another thread: it imports the Hub's client."""
ThoseHere = Callable[[Sequence[RemoteModel]], Collection[RemoteModel]]
"""Which of them are on this computer now; called in another thread."""

_AT_MOST_EVERY_MS = 200
_AT_LEAST_EVERY_MS = 1000
"""While something runs: a speed falls also when nothing arrives."""


class DownloadControl(QObject):
    ended = Signal(object)
    """A Job that is done or has failed."""
    shown = Signal(list)
    """Of ShownJob, whenever that has changed."""
    count_changed = Signal(int)
    """How many are going on or wait."""
    failed_changed = Signal(int)
    """How many have failed."""
    pace_chosen = Signal(int, int)
    """To be remembered: how many at once; bytes per second, 0: no limit."""
    _stirred = Signal()
    _job_ended = Signal(object)

    def __init__(
        self,
        make: MakeDownloads,
        jobs: JobFile,
        hub: "Callable[[], Hub]",
        those_here: ThoseHere,
        pane: DownloadPane,
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        """`jobs`: the file that the downloads are kept in; `hub` is called in any thread."""
        super().__init__(parent)
        self._make, self._file, self._those_here, self._pane = make, jobs, those_here, pane
        self._tasks, self._look_up = Tasks(logs, self), LookUp(hub, logs, self)
        self._downloads: Downloads | None = None
        self._pace = UiSettings().downloads_at_once, UiSettings().download_limit
        self._asked: list[Sequence[str]] = []
        self._again: list[Callable[[], None]] = []
        self._going, self._failed, self._shown_at = 0, 0, -1.0
        self._refreshing = self._stale = self._closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._refresh)
        self._connect()

    def start(self) -> None:
        """What is left from the last time goes on; with nothing left, the Hub's client is not even imported."""
        self._refresh()

    def look_anew(self) -> None:
        """Files may have been deleted, or are back."""
        if not self._closed:
            self._refresh_soon()

    def download(self, references: Sequence[str]) -> None:
        """All of them as one job."""
        self._asked.append(references)
        self._show_asked()
        self._look_up.ask(references, partial(self._add, references), partial(self._not_found, references))

    def set_pace(self, settings: UiSettings) -> None:
        pace = max(1, settings.downloads_at_once), max(0, settings.download_limit)
        if pace != self._pace:
            self._pace = pace
            self._pane.show_pace(*pace)
            if self._downloads is not None:
                self._do(self._apply_pace)

    def close(self) -> None:
        """In bounded time; the queue is kept for the next start."""
        self._closed = True
        self._timer.stop()
        self._look_up.close()
        self._tasks.close()
        if self._downloads is not None:
            self._downloads.close()

    def _connect(self) -> None:
        self._stirred.connect(self._refresh_soon, Qt.ConnectionType.QueuedConnection)
        self._job_ended.connect(self.ended, Qt.ConnectionType.QueuedConnection)
        pane = self._pane
        pane.show_pace(*self._pace)
        pane.pauseWanted.connect(lambda number: self._do(lambda queue: queue.pause(number)))
        pane.resumeWanted.connect(lambda number: self._do(lambda queue: queue.resume(number)))
        pane.moveWanted.connect(lambda number, place: self._do(lambda queue: queue.move(number, place)))
        pane.removeWanted.connect(lambda number, keep: self._do(lambda queue: queue.remove(number, keep_parts=keep)))
        pane.anewWanted.connect(lambda job: self._do(lambda queue: queue.add(job.models, job.revision)))
        pane.paceWanted.connect(self.pace_chosen)
        pane.againWanted.connect(self._try_again)
        pane.dismissed.connect(self._forget_problem)
        pane.pageWanted.connect(self._open_page)

    # The queue

    def _do(self, work: "Callable[[Downloads], object]") -> None:
        again = partial(self._do, work)
        self._tasks.run(lambda: work(self._opened()), lambda _: None, partial(self._tell, again))

    def _opened(self) -> "Downloads":
        """In the tasks' thread."""
        if self._downloads is None:
            self._downloads = self._make(self._changed_somewhere, self._ended_somewhere)
            self._apply_pace(self._downloads)
            self._downloads.start()
        return self._downloads

    def _apply_pace(self, queue: "Downloads") -> None:
        at_once, limit = self._pace
        queue.limit = limit or None
        queue.parallel = at_once

    def _jobs(self) -> list[ShownJob]:
        """In the tasks' thread. What is done needs no queue."""
        if self._downloads is None:
            jobs = self._file.load()
            if all(job.state is JobState.DONE for job in jobs):
                return [self._with_gone(ShownJob(job, job.size, 0, 0.0, is_checking=False)) for job in jobs]
        return [self._with_gone(shown) for shown in self._opened().jobs()]

    def _with_gone(self, shown: ShownJob) -> ShownJob:
        if shown.job.state is not JobState.DONE:
            return shown
        models = shown.job.models
        here = self._those_here(models)
        return replace(shown, gone=tuple(model for model in models if model not in here))

    # What is shown

    def _changed_somewhere(self) -> None:
        if not self._closed:
            self._stirred.emit()

    def _ended_somewhere(self, job: Job) -> None:
        if not self._closed:
            self._job_ended.emit(job)

    def _refresh_soon(self) -> None:
        if self._refreshing:
            self._stale = True
            return
        wait = round(1000 * (self._shown_at - monotonic())) + _AT_MOST_EVERY_MS
        if not self._timer.isActive() or self._timer.remainingTime() > wait:
            self._timer.start(max(0, wait))

    def _refresh(self) -> None:
        self._shown_at = monotonic()
        self._refreshing, self._stale = True, False
        self._tasks.run(self._jobs, self._refreshed, self._not_refreshed)

    def _refreshed(self, jobs: Sequence[ShownJob]) -> None:
        self._refreshing = False
        self._show(jobs)
        if self._stale:
            self._refresh_soon()

    def _not_refreshed(self, error: UserError) -> None:
        self._refreshing = False
        self._tell(self._refresh, error)

    def _show(self, jobs: Sequence[ShownJob]) -> None:
        self._pane.show_jobs(jobs)
        self.shown.emit(list(jobs))
        going = sum(shown.job.state.is_going for shown in jobs)
        if going != self._going:
            self._going = going
            self.count_changed.emit(going)
        failed = sum(shown.job.state is JobState.FAILED for shown in jobs)
        if failed != self._failed:
            self._failed = failed
            self.failed_changed.emit(failed)
        if any(shown.job.state is JobState.RUNNING for shown in jobs) and not self._timer.isActive():
            self._timer.start(_AT_LEAST_EVERY_MS)

    # What is looked up first

    def _add(self, references: Sequence[str], wanted: "WantedModels") -> None:
        self._end_asking(references)
        self._do(lambda queue: queue.add(wanted.models, wanted.revision))

    def _not_found(self, references: Sequence[str], error: UserError) -> None:
        self._end_asking(references)
        self._tell(partial(self.download, references), error)

    def _end_asking(self, references: Sequence[str]) -> None:
        self._asked.remove(references)
        self._show_asked()

    def _show_asked(self) -> None:
        self._pane.show_asking([_name(each) for references in self._asked for each in references])

    def _tell(self, again: Callable[[], None], error: UserError) -> None:
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

    def _open_page(self, address: str) -> None:
        if asked_to_open(address, self._pane):
            open_address(address)


def _name(reference: str) -> str:
    parsed = parse_reference(reference)
    return name_of(parsed.file) if parsed else reference
