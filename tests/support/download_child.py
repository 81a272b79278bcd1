"""Downloads in processes of their own, which may be killed. They are forked, as importing takes longer than they live.

Reads one task a line; says the number of the process, what went wrong, and how it ended.
"""

import json
import os
import resource
import sys
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from support.downloading import downloader, manner

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.hub import RemoteFile
from specchat.domain.serialization import from_plain
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, JobState
from specchat.services.hub.download_manager import DownloadManager
from specchat.sources.download import Downloader, DownloadProgress
from specchat.store.json_file import JsonFile


@dataclass(frozen=True, slots=True)
class Task:
    endpoint: str
    folder: str
    file: RemoteFile
    bytes_per_second: int = 0
    longest_file: int = 0
    """What the system lets this process write; 0: as much as there is room for."""
    jobs: str = ""
    """The list of downloads to go on with, instead of the file."""


def main() -> None:
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            _say(os.getpid())
            _run(from_plain(Task, json.loads(line)))
            os._exit(0)
        _, status = os.waitpid(process, 0)
        _say("ended", os.waitstatus_to_exitcode(status))


def _run(task: Task) -> None:
    if task.longest_file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (task.longest_file, resource.RLIM_INFINITY))
    loader = downloader(task.endpoint, Path(task.folder), manner(limit=task.bytes_per_second))
    if task.jobs:
        _finish_all(loader, Path(task.jobs))
        return
    try:
        loader.download(task.file, CancelToken(), _ignored)
    except UserError as error:
        _say(type(error).__name__, error)


def _finish_all(loader: Downloader, jobs: Path) -> None:
    ended: Queue[DownloadJob] = Queue()
    downloads = DownloadManager(loader, DownloadJobStore(JsonFile(jobs)), changed=lambda: None, ended=ended.put)
    downloads.start()
    for each in downloads.jobs():
        if each.job.state not in (JobState.DONE, JobState.FAILED):
            ended.get()
    downloads.close()


def _ignored(_: DownloadProgress) -> None:
    pass


def _say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


if __name__ == "__main__":
    main()
