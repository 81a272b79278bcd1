"""How a server ended that crashed, in words: in its terminal at once, and at the next start."""

from pathlib import Path

from specchat.backends.crashes import BROKEN
from specchat.domain.errors import UserError
from specchat.domain.said import Said
from specchat.services.program.last_run import LastRun

_CRASHED = Said("specchat serve crashed: {reason}")
_CRASHED_LOADING = Said("specchat serve crashed while it loaded {name}: {reason}")
_CRASHED_BEFORE = Said("specchat serve crashed last time: {reason}")
_CRASHED_LOADING_BEFORE = Said("specchat serve crashed last time while it loaded {name}: {reason}")
_ENDED_LOADING = Said("specchat serve ended last time while it loaded {name}: perhaps memory ran out.")
_SMALLER = Said("Use a smaller context (-c), or choose a smaller model.")
_DRIVER = Said("Update the graphics driver, or go on without the graphics card (-ngl 0).")
_REPORT = Said("If it happens again, report it and attach what is in {logs}.")


def crash_now(run: LastRun, logs: Path) -> UserError | None:
    """None: it was ended from outside, and whoever did so knows."""
    return _crash(run, logs, _CRASHED, _CRASHED_LOADING)


def end_before(run: LastRun, logs: Path) -> UserError | None:
    if run.loading and not run.reason:
        return UserError(_ENDED_LOADING, _SMALLER, name=run.loading)
    return _crash(run, logs, _CRASHED_BEFORE, _CRASHED_LOADING_BEFORE)


def _crash(run: LastRun, logs: Path, message: Said, message_loading: Said) -> UserError | None:
    if not run.reason:
        return None
    loading = run.crashed_loading
    hint = _DRIVER if run.used_gpu else BROKEN if loading else _REPORT
    return UserError(message_loading if loading else message, hint, name=loading, reason=run.reason, logs=logs)
