"""Tracks a run of the server: notes for the next start and how the last run ended."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.program.crash_watcher import watch_for_crash
from specchat.services.program.run_tracker import claim_last_run
from specchat.store.run_record import AT_REST, LOADING, RunKind, RunRecord, record_run

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.run_ending import RunEnding

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerRun:
    logs: Path
    record: RunRecord
    last: "RunEnding | None"
    """The one before, where it did not get to its end."""

    def note_loading(self, name: str) -> None:
        self.record.note(f"{LOADING} {name}")

    def note_idle(self) -> None:
        self.record.note(AT_REST)


@contextmanager
def track_server_run(logs: Path) -> Iterator[ServerRun]:
    with record_run(logs, RunKind.SERVER) as record, watch_for_crash(record.path, logs):
        last = claim_last_run(logs, record.path, RunKind.SERVER)
        if last is not None and last.reason:
            log.info("specchat serve crashed last time: %s", last.reason)
        yield ServerRun(logs, record, last)
