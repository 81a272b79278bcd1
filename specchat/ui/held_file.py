"""A file that one process at a time holds: until it lets go or ends, whatever ends it."""

import logging
import os
import sys
from pathlib import Path

log = logging.getLogger(__name__)


class HeldFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def hold(self) -> bool:
        """False: another process does. Where files cannot be held, nobody does."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            log.info("%s cannot be held: %s", self._path, error)
            return True
        if not _lock(file):
            os.close(file)
            return False
        self._file = file
        return True

    def let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            log.info("There are no locks: %s", error)
        return True
