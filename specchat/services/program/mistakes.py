"""Our own mistakes, put into words for the user; the log keeps the rest."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from specchat.domain.errors import Cancelled, UserError

log = logging.getLogger(__name__)


def explained(mistake: Exception, logs: Path) -> UserError:
    log.info("A mistake of specchat's own", exc_info=mistake)
    if isinstance(mistake, ImportError):
        return UserError(
            "A part of specchat is missing: {mistake}",
            "Install specchat again. If that does not help, the log in {logs} says more; please report it.",
            mistake=mistake,
            logs=logs,
        )
    return UserError(
        "specchat made a mistake: {kind}: {mistake}",
        "The log in {logs} says more; please report it.",
        kind=type(mistake).__name__,
        mistake=mistake,
        logs=logs,
    )


@contextmanager
def own_mistakes_explained(logs: Path, *expected: type[Exception]) -> Iterator[None]:
    no_mistakes: tuple[type[Exception], ...] = (UserError, Cancelled, *expected)
    try:
        yield
    except no_mistakes:
        raise
    except Exception as mistake:
        raise explained(mistake, logs) from mistake
