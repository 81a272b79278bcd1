"""Tracks the downloads that belong to the selected pair."""

from collections.abc import Mapping, Sequence

from specchat.domain.hub import parse_hub_reference
from specchat.services.hub.download_jobs import DownloadStatus, JobState


class PairDownloads:
    def __init__(self) -> None:
        self._jobs: Sequence[DownloadStatus] = ()
        self._done: set[int] = set()

    def update_jobs(self, jobs: Sequence[DownloadStatus], references: Sequence[str]) -> bool:
        """Whether one of the models has arrived."""
        done = {shown.job.number: shown for shown in jobs if shown.job.state is JobState.DONE}
        new = done.keys() - self._done
        self._jobs, self._done = jobs, set(done)
        return any(_holds(done[number], reference) for number in new for reference in references)

    def unfinished_jobs(self, references: Sequence[str]) -> Mapping[str, DownloadStatus]:
        """By reference."""
        unfinished = [shown for shown in self._jobs if shown.job.state is not JobState.DONE]
        return {reference: shown for reference in references for shown in unfinished if _holds(shown, reference)}

    def failed_job_numbers(self, references: Sequence[str]) -> set[int]:
        """The numbers of the jobs."""
        going = self.unfinished_jobs(references).values()
        return {shown.job.number for shown in going if shown.job.state is JobState.FAILED}


def _holds(shown: DownloadStatus, reference: str) -> bool:
    remote = parse_hub_reference(reference)
    return remote is not None and any((file.repo, file.path) == (remote.repo, remote.file) for file in shown.job.files)
