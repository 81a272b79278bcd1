"""A file on the local Hub, and the way to this computer, with small blocks and no patience."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from math import inf
from pathlib import Path
from random import Random

from support.hub import LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.hub import HubFileKind, RemoteFile, RemoteModel
from specchat.sources.bandwidth import BandwidthLimit
from specchat.sources.download import Downloader, DownloadProgress
from specchat.sources.http_requests import Clock, RetryPolicy
from specchat.sources.hub_cache import HubCache
from specchat.sources.hugging_face import HuggingFace
from specchat.sources.transfer import TransferSettings

REPO = "someone/small-GGUF"
BLOCK = 1 << 16
IMPATIENT = RetryPolicy(tries=3, first_wait=0, longest_wait=30, silence=0.5)


def content(size: int, seed: int = 0) -> bytes:
    return Random(seed).randbytes(size)


def add(hub: LocalHub, files: Mapping[str, bytes], repo: str = REPO) -> dict[str, RemoteFile]:
    commit = hub.add(repo, files)
    return {
        path: RemoteFile(repo, commit, path, len(data), hashlib.sha256(data).hexdigest())
        for path, data in files.items()
    }


def model(*files: RemoteFile) -> RemoteModel:
    return RemoteModel(files, HubFileKind.MODEL, "Q8_0")


def manner(
    block: int = BLOCK, most_at_once: int = BLOCK, patience: RetryPolicy = IMPATIENT, limit: int | None = None
) -> TransferSettings:
    """Each answer is a block long, so that what is under way when something breaks is no more than that."""
    return TransferSettings(block, most_at_once, patience, BandwidthLimit(limit))


def downloader(endpoint: str, folder: Path, how: TransferSettings | None = None) -> Downloader:
    hugging_face = HuggingFace(lambda: None, endpoint, patience=IMPATIENT)
    return Downloader(HubCache(folder), hugging_face.location, how or manner())


class QuickClock(Clock):
    """Nobody waits: the time is over at once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.seconds

    def in_seconds(self, seconds: float) -> datetime:
        return datetime(2026, 5, 1, 14) + timedelta(seconds=self.seconds + seconds)

    def wait(self, seconds: float, cancel: CancelToken) -> None:
        cancel.check()
        self.waits.append(seconds)
        self.seconds += seconds


class Watched:
    """What a download tells; it can be stopped at any byte."""

    def __init__(self, cancel_at: float = inf, cancel_at_fetched: float = inf) -> None:
        self.told: list[DownloadProgress] = []
        self.cancel = CancelToken()
        self._cancel_at, self._cancel_at_fetched = cancel_at, cancel_at_fetched

    def __call__(self, progress: DownloadProgress) -> None:
        self.told.append(progress)
        if progress.done >= self._cancel_at or progress.fetched >= self._cancel_at_fetched:
            self.cancel.cancel()
