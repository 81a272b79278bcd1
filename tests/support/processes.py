"""What a process and all that it starts take: their memory at its highest, and what is left of them."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

POLL_S = 0.05


def engines_below(parent: int) -> list[psutil.Process]:
    """The processes in which llama.cpp computes for it."""
    children = psutil.Process(parent).children()
    return [child for child in children if child.status() != psutil.STATUS_ZOMBIE and "engine" in child.cmdline()]


class Watched:
    """Of the processes below one, or of that one as well."""

    def __init__(self, root: int, *, with_root: bool) -> None:
        self.memory = 0
        """The most that one of them held, in bytes."""
        self.together = 0
        """The most that all of them held at one time."""
        self.commands: set[tuple[str, ...]] = set()
        """Of those that were started, once they are what they were started as."""
        self._root = psutil.Process(root)
        self._before = set() if with_root else set(self._root.children(recursive=True))
        """Of other tests."""
        self._with_root = with_root
        self._seen: set[psutil.Process] = set()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watched", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def left(self, seconds: float = 2.0) -> list[psutil.Process]:
        """Those that do not end soon."""
        _, alive = psutil.wait_procs([each for each in self._seen if each != self._root], seconds)
        return [process for process in alive if process.is_running()]

    def _watch(self) -> None:
        while not self._done.wait(POLL_S):
            held = [self._held(process) for process in self._family()]
            self.memory = max([self.memory, *held])
            self.together = max(self.together, sum(held))

    def _family(self) -> list[psutil.Process]:
        with suppress(psutil.Error):
            children = [each for each in self._root.children(recursive=True) if each not in self._before]
            own = self._root.cmdline()
            children = [each for each in children if self._has_started(each, own)]
            self._seen.update(children)
            return [self._root, *children] if self._with_root else children
        return []

    def _has_started(self, process: psutil.Process, own: list[str]) -> bool:
        """A fork still is its parent, with all the memory of that one, until it becomes what it was started as."""
        with suppress(psutil.Error):
            command = process.cmdline()
            if command != own:
                self.commands.add(tuple(command))
                return True
        return False

    def _held(self, process: psutil.Process) -> int:
        with suppress(psutil.Error):
            return int(process.memory_info().rss)
        return 0


@contextmanager
def watching() -> Iterator[Watched]:
    """What this process starts inside the block."""
    watched = Watched(os.getpid(), with_root=False)
    try:
        yield watched
    finally:
        watched.stop()
