"""Locks an open file until the process ends; file systems without locks are tolerated."""

import errno
import logging
import os
import sys

log = logging.getLogger(__name__)

if sys.platform == "win32":
    import msvcrt

    _BEYOND = 1 << 30
    """Windows locks bytes, and nobody else may read them: one that is never written."""

    def lock_at_once(file: int) -> bool:
        """False: another process has it."""
        return _lock(file, msvcrt.LK_NBLCK)

    def lock(file: int) -> None:
        """Waits for whoever has it."""
        while not _lock(file, msvcrt.LK_LOCK):  # gives up after ten seconds
            pass

    def _lock(file: int, mode: int) -> bool:
        place = os.lseek(file, 0, os.SEEK_CUR)
        os.lseek(file, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(file, mode, 1)
        except OSError as error:
            if error.errno != errno.EINVAL:
                return False
            log.info("File locking is not available: %s", error)
        finally:
            os.lseek(file, place, os.SEEK_SET)
        return True
else:
    import fcntl

    def lock_at_once(file: int) -> bool:
        """False: another process has it."""
        return _lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def lock(file: int) -> None:
        """Waits for whoever has it."""
        _lock(file, fcntl.LOCK_EX)

    def _lock(file: int, mode: int) -> bool:
        try:
            fcntl.flock(file, mode)
        except BlockingIOError:
            return False
        except OSError as error:
            log.info("File locking is not available: %s", error)
        return True
