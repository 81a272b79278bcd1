"""Explains how a server crashed, in its terminal and at the next start."""

from pathlib import Path

from specchat.domain.errors import UserError
from specchat.services.program.run_ending import RunEnding

_SMALLER = "Use a smaller context (-c), or choose a smaller model."
_DRIVER = "Update the graphics driver, or continue without the GPU (-ngl 0)."
_BROKEN = "The file may be damaged or too new for this version: download it again, or update specchat."
_REPORT = "If it happens again, report it and attach the files in {logs}."


def crash_error(run: RunEnding, logs: Path) -> UserError:
    return _crash(run, logs, "specchat serve crashed")


def previous_end_error(run: RunEnding, logs: Path) -> UserError | None:
    """None: it was ended from outside, and whoever did so knows."""
    if run.reason:
        return _crash(run, logs, "specchat serve crashed last time")
    if run.loading:
        message = "specchat serve quit last time while loading {name}. It may have run out of memory."
        return UserError(message, _SMALLER, name=run.loading)
    return None


def _crash(run: RunEnding, logs: Path, crashed: str) -> UserError:
    loading = run.crashed_loading
    when = " while loading {name}" if loading else ""
    hint = _DRIVER if run.used_gpu else _BROKEN if loading else _REPORT
    return UserError(f"{crashed}{when}: {{reason}}", hint, name=loading, reason=run.reason, logs=logs)
