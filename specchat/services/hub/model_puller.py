"""Downloads models while the caller waits, outside the download queue."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubOfflineError, UserError
from specchat.domain.hub import HubReference, RemoteFile, RemoteModel
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, DownloadStatus
from specchat.services.hub.download_manager import DownloadManager
from specchat.services.hub.hub import Hub
from specchat.services.hub.requested_models import RequestedModels, find_downloaded_models, resolve_requested_models
from specchat.services.models.name_resolver import find_downloaded_reference, resolve_model_name

if TYPE_CHECKING:  # it takes its time to import
    from specchat.services.models.download_registry import DownloadRegistry
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
class PulledModel:
    reference: HubReference
    files: tuple[PulledFile, ...]


class ModelPuller:
    def __init__(self, hub: Hub, downloader: "Downloader", owned: "DownloadRegistry") -> None:
        self._hub, self._downloader, self._owned = hub, downloader, owned
        self.parallel = 2
        self.limit: int | None = None
        """Bytes per second, of all files together; None: as many as there are."""

    def resolve(self, names: Sequence[str], cancel: CancelToken) -> RequestedModels:
        """As the Hub has them; where there is no way to it, what is here already will do."""
        try:
            references = [str(resolve_model_name(name, self._hub, cancel)) for name in names]
            return resolve_requested_models(self._hub, references, cancel)
        except HubOfflineError:
            if here := self._here(names):
                return here
            raise

    def pull(
        self, what: RequestedModels, cancel: CancelToken, on_progress: Callable[[DownloadStatus], None]
    ) -> list[PulledModel]:
        """All of it or nothing; what has arrived when this ends early is not fetched again."""
        before = {file: self._downloader.fetched_bytes(file) for model in what.models for file in model.files}
        job = self._wait_for_end(what, cancel, on_progress)
        if job.problem is not None:
            raise UserError(job.problem.message, job.problem.hint)
        return [self._pulled_model(model, job, before) for model in what.models]

    def kept_bytes(self, what: RequestedModels) -> int:
        """Bytes that are here, of a pull that failed too."""
        files = {file for model in what.models for file in model.files}
        return sum(file.size - self._downloader.missing_bytes(file) for file in files)

    def _here(self, names: Sequence[str]) -> RequestedModels | None:
        cache = self._downloader.cache
        references = [find_downloaded_reference(name, cache) for name in names]
        found = [reference for reference in references if reference]
        return find_downloaded_models(found, cache) if len(found) == len(names) else None

    def _wait_for_end(
        self, what: RequestedModels, cancel: CancelToken, on_progress: Callable[[DownloadStatus], None]
    ) -> DownloadJob:
        events: SimpleQueue[DownloadJob | None] = SimpleQueue()

        def ended(job: DownloadJob) -> None:
            self._owned.record(job)
            events.put(job)

        downloads = DownloadManager(self._downloader, _NoList(), lambda: events.put(None), ended, self.parallel)
        with cancel.listening(lambda: events.put(None)):
            try:
                downloads.limit = self.limit
                downloads.start()
                downloads.add(what.models, what.revision)
                while (job := _next(events)) is None:
                    cancel.check()
                    on_progress(downloads.jobs()[0])
            finally:
                downloads.close()
        return job

    def _pulled_model(self, model: RemoteModel, job: DownloadJob, before: Mapping[RemoteFile, int]) -> PulledModel:
        revision = None if job.revision == "main" else job.revision
        reference = HubReference(model.first.repo, model.first.path, revision)
        return PulledModel(reference, tuple(self._pulled_file(file, job, before[file]) for file in model.files))

    def _pulled_file(self, file: RemoteFile, job: DownloadJob, before: int) -> PulledFile:
        cache = self._downloader.cache
        in_all = job.arrived[f"{file.repo}/{cache.blob(file).name}"]
        return PulledFile(cache.snapshot_path(file), file.size, file.sha256, max(0, in_all - before))


class _NoList(DownloadJobStore):
    """Whoever waits for a download repeats it: what has arrived is found again without a list."""

    def __init__(self) -> None:
        pass

    def load(self) -> list[DownloadJob]:
        return []

    def save(self, jobs: Iterable[DownloadJob]) -> None:
        pass


def _next(events: "SimpleQueue[DownloadJob | None]") -> DownloadJob | None:
    """None also where nothing happens: that, too, is shown."""
    try:
        return events.get(timeout=_TOLD_EVERY_S)
    except Empty:
        return None
