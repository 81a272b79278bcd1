"""This run of the window and the one before, as far as each tells the other how it ended."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.graphics import Graphics
from specchat.store.run_record import AT_REST, LOADING, WINDOW, LeftRecord, RunRecord, left_record

if TYPE_CHECKING:  # seldom needed
    from specchat.services.last_run import LastRun


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

    def last(self) -> "LastRun | None":
        """Where it did not get to its end."""
        left = left_record(self.logs)
        return self._known(left) if left is not None else None

    def take_last(self) -> "LastRun | None":
        """For this start alone."""
        left = left_record(self.logs)
        return self._known(left) if left is not None and left.take() else None

    def _known(self, left: LeftRecord) -> "LastRun":
        from specchat.services.crash_report import end_of_log
        from specchat.services.last_run import LastRun

        return LastRun(left.text, end_of_log(self.logs))
