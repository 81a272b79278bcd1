import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from support.downloading import BLOCK, IMPATIENT, content, downloader, manner
from support.hub import Fault

from specchat.domain.hub import RemoteModel
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, DownloadStatus, JobState
from specchat.services.hub.download_manager import DownloadManager
from specchat.sources.hub_cache import HubCache
from specchat.sources.transfer import TransferSettings
from specchat.store.json_file import JsonFile

SECONDS = 60.0
TARGET, DRAFT = content(12 * BLOCK, seed=1), content(5 * BLOCK + 9, seed=2)
STALLED = Fault(stalled=3600)
STORED = "/repos/*"
PATIENT = manner(patience=replace(IMPATIENT, silence=3600))


class Desk:
    """Downloads, and what was heard of them."""

    def __init__(self, endpoint: str, folder: Path, how: TransferSettings | None = None, parallel: int = 2) -> None:
        self._heard = threading.Condition()
        self.ended: list[DownloadJob] = []
        self.file = folder / "jobs.json"
        self.cache = HubCache(folder / "hub")
        self._loader = downloader(endpoint, self.cache.folder, how)
        self.downloads = DownloadManager(
            self._loader, DownloadJobStore(JsonFile(self.file)), self._changed, self._ended, parallel
        )

    def wait_until(self, condition: Callable[[], bool]) -> None:
        with self._heard:
            assert self._heard.wait_for(condition, SECONDS)

    def wait_for(self, number: int, state: JobState) -> DownloadStatus:
        self.wait_until(lambda: self.shown(number).job.state is state)
        return self.shown(number)

    def shown(self, number: int) -> DownloadStatus:
        return next(each for each in self.downloads.jobs() if each.job.number == number)

    def missing(self, models: Sequence[RemoteModel]) -> int:
        return sum(self._loader.missing_bytes(file) for each in models for file in each.files)

    def found(self, *models: RemoteModel) -> list[bytes]:
        places = [self.cache.find(each.reference) for each in models]
        return [each.read_bytes() for each in places if each]

    def left(self) -> set[str]:
        """Among the blobs."""
        return {each.name for each in self.cache.folder.glob("models--*/blobs/*")}

    def _changed(self) -> None:
        with self._heard:
            self._heard.notify_all()

    def _ended(self, job: DownloadJob) -> None:
        with self._heard:
            self.ended.append(job)
            self._heard.notify_all()


Pair = tuple[RemoteModel, RemoteModel]
