"""This run of the window, or of a server, and the one before, as far as each tells the other how it ended."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.memory.graphics import Graphics
from specchat.store.run_record import AT_REST, LOADING, WINDOW, RunKind, RunRecord, forget, left_records

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.last_run import LastRun


@dataclass(frozen=True, slots=True)
class Runs:
    logs: Path
    record: RunRecord
    graphics: Graphics

    def note_window(self) -> None:
        self.record.note(WINDOW)

    def note_loading(self, name: str) -> None:
        self.record.note(f"{LOADING} {name}")

    def note_rest(self) -> None:
        self.record.note(AT_REST)

    def take_last(self, *, only_before_window: bool = False) -> "LastRun | None":
        def is_wanted(last: "LastRun") -> bool:
            return not only_before_window or (bool(last.reason) and not last.had_window)

        return take_last(self.logs, self.record.path, RunKind.WINDOW, is_wanted)


def take_last(
    logs: Path, own: Path | None, kind: RunKind, is_wanted: "Callable[[LastRun], bool]" = lambda last: True
) -> "LastRun | None":
    """For this start alone: where it did not get to its end. Of several, the newest whose reason is known."""
    left = left_records(logs, own, kind)
    if not left:
        return None
    from specchat.services.program.crash_report import end_of_log
    from specchat.services.program.last_run import LastRun

    log = end_of_log(logs)
    runs = [LastRun(record.text, log) for record in left]
    chosen = next((n for n, run in enumerate(runs) if run.reason), 0)
    last = runs[chosen]
    if not is_wanted(last) or not left[chosen].take():
        return None
    forget(left[:chosen] + left[chosen + 1 :])
    return last
