"""This run of the window and the one before, as far as each tells the other how it ended."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.memory.graphics import Graphics
from specchat.store.run_record import AT_REST, LOADING, WINDOW, RunRecord, forget, left_records

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
        self.graphics.note_use()
        self.record.note(f"{LOADING} {name}")

    def note_rest(self) -> None:
        self.record.note(AT_REST)

    def take_last(self, *, only_before_window: bool = False) -> "LastRun | None":
        """For this start alone: where it did not get to its end. Of several, the newest whose reason is known."""
        left = left_records(self.logs, self.record.path)
        if not left:
            return None
        from specchat.services.program.crash_report import end_of_log
        from specchat.services.program.last_run import LastRun

        log = end_of_log(self.logs)
        runs = [LastRun(record.text, log) for record in left]
        chosen = next((n for n, run in enumerate(runs) if run.reason), 0)
        last = runs[chosen]
        if only_before_window and (last.had_window or not last.reason):
            return None
        if not left[chosen].take():
            return None
        forget(left[:chosen] + left[chosen + 1 :])
        return last
