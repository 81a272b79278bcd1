"""Downloads that somebody waits for: one job, begun and ended here, on no list."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubOfflineError, UserError
from specchat.domain.hub import HubReference, RemoteFile, RemoteModel
from specchat.services.hub.download_jobs import Job, JobFile, ShownJob
from specchat.services.hub.downloads import Downloads
from specchat.services.hub.hub import Hub
from specchat.services.hub.wanted_models import WantedModels, models_here, wanted_models
from specchat.services.models.named_models import named_model, reference_here

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.models.owned import Owned
    from specchat.sources.download import Downloader

_TOLD_EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class PulledFile:
    path: Path
    size: int
    sha256: str | None
    bytes_fetched: int
    """Over the network, now: not what an earlier run left."""


@dataclass(frozen=True, slots=True)
class Pulled:
    reference: HubReference
    files: tuple[PulledFile, ...]


class Pulls:
    def __init__(self, hub: Hub, downloader: "Downloader", owned: "Owned") -> None:
        self._hub, self._downloader, self._owned = hub, downloader, owned
        self.parallel = 2
        self.limit: int | None = None
        """Bytes per second, of all files together; None: as many as there are."""

    def wanted(self, names: Sequence[str], cancel: CancelToken) -> WantedModels:
        """As the Hub has them; where there is no way to it, what is here already will do."""
        try:
            references = [str(named_model(name, self._hub, cancel)) for name in names]
            return wanted_models(self._hub, references, cancel)
        except HubOfflineError:
            if here := self._here(names):
                return here
            raise

    def pull(self, what: WantedModels, cancel: CancelToken, told: Callable[[ShownJob], None]) -> list[Pulled]:
        """All of it or nothing; what has arrived when this ends early is not fetched again."""
        before = {file: self._downloader.fetched(file) for model in what.models for file in model.files}
        job = self._ended(what, cancel, told)
        if job.problem is not None:
            raise UserError(job.problem.message, job.problem.hint)
        return [self._pulled(model, job, before) for model in what.models]

    def kept(self, what: WantedModels) -> int:
        """Bytes that are here, of a pull that failed too."""
        files = {file for model in what.models for file in model.files}
        return sum(file.size - self._downloader.missing(file) for file in files)

    def _here(self, names: Sequence[str]) -> WantedModels | None:
        cache = self._downloader.cache
        references = [reference_here(name, cache) for name in names]
        found = [reference for reference in references if reference]
        return models_here(found, cache) if len(found) == len(names) else None

    def _ended(self, what: WantedModels, cancel: CancelToken, told: Callable[[ShownJob], None]) -> Job:
        events: SimpleQueue[Job | None] = SimpleQueue()

        def ended(job: Job) -> None:
            self._owned.record(job)
            events.put(job)

        downloads = Downloads(self._downloader, _NoList(), lambda: events.put(None), ended, self.parallel)
        with cancel.listening(lambda: events.put(None)):
            try:
                downloads.limit = self.limit
                downloads.start()
                downloads.add(what.models, what.revision)
                while (job := _next(events)) is None:
                    cancel.check()
                    told(downloads.jobs()[0])
            finally:
                downloads.close()
        return job

    def _pulled(self, model: RemoteModel, job: Job, before: Mapping[RemoteFile, int]) -> Pulled:
        revision = None if job.revision == "main" else job.revision
        reference = HubReference(model.first.repo, model.first.path, revision)
        return Pulled(reference, tuple(self._pulled_file(file, job, before[file]) for file in model.files))

    def _pulled_file(self, file: RemoteFile, job: Job, before: int) -> PulledFile:
        cache = self._downloader.cache
        in_all = job.arrived[f"{file.repo}/{cache.blob(file).name}"]
        return PulledFile(cache.place(file), file.size, file.sha256, max(0, in_all - before))


class _NoList(JobFile):
    """Whoever waits for a download repeats it: what has arrived is found again without a list."""

    def __init__(self) -> None:
        pass

    def load(self) -> list[Job]:
        return []

    def save(self, jobs: Iterable[Job]) -> None:
        pass


def _next(events: "SimpleQueue[Job | None]") -> Job | None:
    """None also where nothing happens: that, too, is shown."""
    try:
        return events.get(timeout=_TOLD_EVERY_S)
    except Empty:
        return None
