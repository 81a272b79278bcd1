"""Which downloads concern the pair."""

from collections.abc import Mapping, Sequence

from specchat.domain.hub import parse_reference
from specchat.services.hub.download_jobs import JobState, ShownJob


class PlanDownloads:
    def __init__(self) -> None:
        self._jobs: Sequence[ShownJob] = ()
        self._done: set[int] = set()

    def take(self, jobs: Sequence[ShownJob], references: Sequence[str]) -> bool:
        """Whether one of the models has arrived."""
        done = {shown.job.number: shown for shown in jobs if shown.job.state is JobState.DONE}
        new = done.keys() - self._done
        self._jobs, self._done = jobs, set(done)
        return any(_holds(done[number], reference) for number in new for reference in references)

    def going(self, references: Sequence[str]) -> Mapping[str, ShownJob]:
        """By reference."""
        unfinished = [shown for shown in self._jobs if shown.job.state is not JobState.DONE]
        return {reference: shown for reference in references for shown in unfinished if _holds(shown, reference)}

    def failed(self, references: Sequence[str]) -> set[int]:
        """The numbers of the jobs."""
        going = self.going(references).values()
        return {shown.job.number for shown in going if shown.job.state is JobState.FAILED}


def _holds(shown: ShownJob, reference: str) -> bool:
    remote = parse_reference(reference)
    return remote is not None and any((file.repo, file.path) == (remote.repo, remote.file) for file in shown.job.files)
