"""A run of the server: what it notes for the next start, and how the last one ended."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.services.program.crash_handler import crashes_handled
from specchat.services.program.runs import take_last
from specchat.store.run_record import AT_REST, LOADING, RunKind, RunRecord, recorded_run

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerRun:
    record: RunRecord
    last_end: UserError | None
    """Of the run before, where that was no good one."""

    def note_loading(self, name: str) -> None:
        self.record.note(f"{LOADING} {name}")

    def note_rest(self) -> None:
        self.record.note(AT_REST)


@contextmanager
def server_run(logs: Path) -> Iterator[ServerRun]:
    with recorded_run(logs, RunKind.SERVER) as record, crashes_handled(record.path, logs):
        last_end = _last_end(logs, record.path)
        if last_end is not None:
            log.info("%s", last_end.message)
        yield ServerRun(record, last_end)


def _last_end(logs: Path, own: Path | None) -> UserError | None:
    last = take_last(logs, own, RunKind.SERVER)
    if last is None:
        return None
    from specchat.services.program.server_crash import end_before

    return end_before(last, logs)
