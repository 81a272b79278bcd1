"""Converts internal errors to user-facing errors and logs the details."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from specchat.domain.errors import Cancelled, UserError

log = logging.getLogger(__name__)


def to_user_error(cause: Exception, logs: Path) -> UserError:
    log.info("Internal error in specchat", exc_info=cause)
    if isinstance(cause, ImportError):
        return UserError(
            "A part of specchat is missing: {mistake}",
            "Reinstall specchat. If that doesn't help, please report the problem. Details are in the log in {logs}.",
            mistake=cause,
            logs=logs,
        )
    return UserError(
        "specchat hit an internal error: {kind}: {mistake}",
        "Please report this. Details are in the log in {logs}.",
        kind=type(cause).__name__,
        mistake=cause,
        logs=logs,
    )


@contextmanager
def wrap_internal_errors(logs: Path, *expected: type[Exception]) -> Iterator[None]:
    no_mistakes: tuple[type[Exception], ...] = (UserError, Cancelled, *expected)
    try:
        yield
    except no_mistakes:
        raise
    except Exception as cause:
        raise to_user_error(cause, logs) from cause
