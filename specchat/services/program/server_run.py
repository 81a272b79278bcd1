"""A run of the server: what it notes for the next start, and how the last one ended."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.program.crash_handler import crashes_handled
from specchat.services.program.runs import take_last
from specchat.store.run_record import AT_REST, LOADING, RunKind, RunRecord, recorded_run

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.last_run import LastRun

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerRun:
    logs: Path
    record: RunRecord
    last: "LastRun | None"
    """The one before, where it did not get to its end."""

    def note_loading(self, name: str) -> None:
        self.record.note(f"{LOADING} {name}")

    def note_rest(self) -> None:
        self.record.note(AT_REST)


@contextmanager
def server_run(logs: Path) -> Iterator[ServerRun]:
    with recorded_run(logs, RunKind.SERVER) as record, crashes_handled(record.path, logs):
        last = take_last(logs, record.path, RunKind.SERVER)
        if last is not None and last.reason:
            log.info("specchat serve crashed last time: %s", last.reason)
        yield ServerRun(logs, record, last)
