"""Tracks this run of the window or a server and how the previous one ended."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.memory.gpu_switch import GpuSwitch
from specchat.store.run_record import (
    AT_REST,
    IMPORTED,
    IMPORTING,
    LOADING,
    WINDOW,
    RunKind,
    RunRecord,
    delete_records,
    unfinished_records,
)

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.run_ending import RunEnding


@dataclass(frozen=True, slots=True)
class RunTracker:
    logs: Path
    record: RunRecord
    graphics: GpuSwitch

    def note_window(self) -> None:
        self.record.note(WINDOW)

    def note_loading(self, name: str) -> None:
        self.record.note(f"{LOADING} {name}")

    def note_idle(self) -> None:
        self.record.note(AT_REST)

    def note_importing(self, *, is_importing: bool) -> None:
        self.record.note(IMPORTING if is_importing else IMPORTED)

    def claim_last_run(self, *, only_before_window: bool = False) -> "RunEnding | None":
        def is_wanted(last: "RunEnding") -> bool:
            return not only_before_window or (bool(last.reason) and not last.had_window)

        return claim_last_run(self.logs, self.record.path, RunKind.WINDOW, is_wanted)


def claim_last_run(
    logs: Path, own: Path | None, kind: RunKind, is_wanted: "Callable[[RunEnding], bool]" = lambda last: True
) -> "RunEnding | None":
    """For this start alone: where it did not get to its end. Of several, the newest whose reason is known."""
    left = unfinished_records(logs, own, kind)
    if not left:
        return None
    from specchat.services.program.crash_report import read_log_tail
    from specchat.services.program.run_ending import RunEnding

    log = read_log_tail(logs)
    runs = [RunEnding(record.text, log) for record in left]
    chosen = next((n for n, run in enumerate(runs) if run.reason), 0)
    last = runs[chosen]
    if not is_wanted(last) or not left[chosen].claim():
        return None
    delete_records(left[:chosen] + left[chosen + 1 :])
    return last
