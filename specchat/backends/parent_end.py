"""Ends this process when the process that started it ends, even while it computes.

On Linux also while it is stopped; on macOS as soon as it is continued. On Windows `job_object` sees to that from the
other side.
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
    """`parent`: its process id, where stdin is no pipe from it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if _has_ended(parent):  # before this was asked for
            os._exit(1)
    elif sys.platform == "darwin":
        threading.Thread(target=_end_after, args=[os.getppid()], name="parent-end", daemon=True).start()


if sys.platform == "linux":

    def _has_ended(parent: int | None) -> bool:
        if parent is not None:
            return os.getppid() != parent
        pipe = select.poll()
        pipe.register(0, 0)  # that nobody writes any more is told in any case
        return any(events & select.POLLHUP for _, events in pipe.poll(0))


if sys.platform == "darwin":

    def _end_after(parent: int) -> None:
        """Ends the whole group, which this process leads: it may have started a program of others."""
        with suppress(OSError):
            end = select.kevent(parent, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
            if parent != _INIT:
                select.kqueue().control([end], 1)  # returns at once where it has ended already
        with suppress(OSError):
            os.killpg(os.getpid(), signal.SIGKILL)
        os._exit(1)
