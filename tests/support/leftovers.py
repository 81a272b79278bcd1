import threading
from collections.abc import Iterator
from contextlib import contextmanager

from specchat.backends.child_process import SPAWNER
from specchat.backends.openmp import SLEEPERS, WATCHER

FOR_LIFE = ("tqdm_monitor", SPAWNER, WATCHER, SLEEPERS)
"""The first progress bar, child process and model start them for as long as the program runs, or while it is busy."""


@contextmanager
def no_thread_stays() -> Iterator[None]:
    """Threads of whoever came before may end meanwhile, so they are told apart rather than counted."""
    before = set(threading.enumerate())
    yield
    stayed = set(threading.enumerate()) - before
    assert not [thread for thread in stayed if thread.name not in FOR_LIFE]
