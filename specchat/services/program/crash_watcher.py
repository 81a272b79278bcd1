"""Reports a crash from a second process, since a crashed process cannot."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.backends.child import child_command, child_environment
from specchat.store.run_record import read_unfinished_record

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.run_ending import RunEnding

log = logging.getLogger(__name__)

NAME = "crash-handler"


@contextmanager
def watch_for_crash(record: Path | None, logs: Path) -> Iterator[None]:
    """`record`: what this run leaves where it does not get to its end."""
    handler = _start_handler(record, logs) if record is not None else None
    try:
        yield
    finally:
        if handler is not None:
            _end(handler)


def read_crash(record: Path, logs: Path) -> "RunEnding | None":
    """For the handler, once the other process has ended. The log gets all that is left of it.

    None: it got to its end, or was ended from outside, and whoever did so knows.
    """
    text = read_unfinished_record(record)
    if text is None:
        return None
    from specchat.services.program.run_ending import RunEnding
    from specchat.store.logs import logging_to

    run = RunEnding(text)
    if not run.reason:
        return None
    with logging_to(logs):
        log.info("specchat serve crashed: %s\n%s", run.reason, text.strip())
    return run


def _start_handler(record: Path, logs: Path) -> "subprocess.Popen[bytes] | None":
    # It outlives this process for a moment, and hears no signal that is meant for that.
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
    try:
        handler = subprocess.Popen(
            child_command(NAME),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=child_environment(),
            start_new_session=True,
            creationflags=flags,
        )
    except OSError as error:
        log.info("specchat can't report crashes: %s", error)
        return None
    assert handler.stdin is not None
    try:
        handler.stdin.write(json.dumps([str(record), str(logs)]).encode() + b"\n")
        handler.stdin.flush()
    except OSError as error:
        log.info("specchat can't report crashes: %s", error)
        _end(handler)
        return None
    return handler


def _end(handler: "subprocess.Popen[bytes]") -> None:
    handler.kill()
    handler.wait()
    assert handler.stdin is not None
    with suppress(OSError):
        handler.stdin.close()
