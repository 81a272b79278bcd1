import threading
from collections.abc import Iterator
from contextlib import contextmanager

WATCHES_ALL_BARS = "tqdm_monitor"
"""Its first progress bar starts it, for as long as the program runs."""


@contextmanager
def no_thread_stays() -> Iterator[None]:
    """Threads of whoever came before may end meanwhile, so they are told apart rather than counted."""
    before = set(threading.enumerate())
    yield
    stayed = set(threading.enumerate()) - before
    assert not [thread for thread in stayed if thread.name != WATCHES_ALL_BARS]
