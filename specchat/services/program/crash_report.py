"""Builds a crash report without conversations or personal names."""

from pathlib import Path

from specchat.domain.errors import UserError
from specchat.services.program.redaction import redact_names
from specchat.services.program.run_ending import RunEnding
from specchat.store.private_files import open_private

_LINES = 200
_LONGEST_LOG = 100_000


def read_log_tail(logs: Path) -> str:
    """It may have been rotated just before."""
    lines: list[str] = []
    for name in ("specchat.log", "specchat.log.1"):
        if len(lines) < _LINES:
            lines = [*_end(logs / name).splitlines(), *lines]
    return "\n".join(lines[-_LINES:])


def build_crash_report(system: str, run: RunEnding) -> str:
    parts = (system, str(run.error.message), f"What is left of it\n\n{run.record}", f"The log\n\n{run.log}")
    return redact_names("\n\n".join(part.strip() for part in parts)) + "\n"


def save_report(path: Path, report: str) -> None:
    try:
        with open_private(path, encoding="utf-8", errors="backslashreplace") as file:
            file.write(report)
    except OSError as error:
        raise UserError(
            "Couldn't save the report: {reason}.", "Save it in another folder.", reason=error.strerror
        ) from error


def _end(file: Path) -> str:
    try:
        with file.open("rb") as log:
            log.seek(max(0, file.stat().st_size - _LONGEST_LOG))
            return log.read().decode("utf-8", "replace")
    except OSError:
        return ""
