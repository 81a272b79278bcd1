"""Lock file that one process at a time can hold."""

import logging
import os
from pathlib import Path

from specchat.store.file_lock import lock_at_once
from specchat.store.private_files import make_private_folder

log = logging.getLogger(__name__)


class LockFile:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self) -> bool:
        """False: another process does. Where files cannot be held, nobody does."""
        try:
            make_private_folder(self._path.parent)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            log.info("Couldn't lock %s: %s", self._path, error)
            return True
        if not lock_at_once(file):
            os.close(file)
            return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
