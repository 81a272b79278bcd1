"""Ends this process when the process that started it ends, even while it computes.

On Linux, this also works while this process is suspended; on macOS, as soon as it continues. On Windows, the parent
uses `job_object` instead.
"""

import os
import select
import signal
import sys
import threading
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_INIT = 1


def end_with_parent(parent: int | None = None) -> None:
    """`parent`: the parent's process ID, needed if stdin is not a pipe from it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if _has_ended(parent):  # the parent ended before the call above
            os._exit(1)
    elif sys.platform == "darwin":
        threading.Thread(target=_end_after, args=[os.getppid()], name="parent-end", daemon=True).start()


if sys.platform == "linux":

    def _has_ended(parent: int | None) -> bool:
        if parent is not None:
            return os.getppid() != parent
        pipe = select.poll()
        pipe.register(0, 0)  # POLLHUP is always reported
        return any(events & select.POLLHUP for _, events in pipe.poll(0))


if sys.platform == "darwin":

    def _end_after(parent: int) -> None:
        """Ends the whole process group, which this process leads, including programs that it has started."""
        with suppress(OSError):
            end = select.kevent(parent, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
            if parent != _INIT:
                select.kqueue().control([end], 1)  # returns at once if it has already ended
        with suppress(OSError):
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(1)
