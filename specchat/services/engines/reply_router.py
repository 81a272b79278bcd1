"""Hands each reply of an engine's process to the thread that waits for it."""

import threading
import time
from collections import deque
from typing import IO

from specchat.services.engines import wire


class _Waiter:
    """A job whose replies somebody reads."""

    def __init__(self, lock: threading.Lock) -> None:
        self.replies = deque[wire.Reply]()
        self.changed = threading.Condition(lock)
        self.is_waiting = False


class ReplyRouter:
    """One of the waiting threads reads for all of them, so a single job needs no other thread to get its replies.

    Each reply wakes only the thread that it is for, because each woken thread takes a core from the next pass.
    """

    def __init__(self, replies: IO[bytes]) -> None:
        self._replies = replies
        self._lock = threading.Lock()
        self._waiters: dict[int, _Waiter] = {}
        self._is_reading = False
        self._end: Exception | None = None
        self.heard = time.monotonic()
        """The time of the latest reply, to any job."""

    @property
    def is_awaited(self) -> bool:
        return bool(self._waiters)

    def begin(self, job: int) -> None:
        with self._lock:
            self._waiters[job] = _Waiter(self._lock)

    def finish(self, job: int) -> None:
        """Drops all further replies to this job."""
        with self._lock:
            self._waiters.pop(job, None)

    def next_reply(self, job: int) -> wire.Reply:
        """Returns the next reply to this job, or to no job. Raises errors of reading, even if another thread read."""
        waiter = self._waiters[job]
        while True:
            with self._lock:
                while not waiter.replies and self._end is None and self._is_reading:
                    waiter.is_waiting = True
                    waiter.changed.wait()
                    waiter.is_waiting = False
                if waiter.replies:
                    self._pass_on_reading()
                    return waiter.replies.popleft()
                if self._end is not None:
                    raise self._end
                self._is_reading = True
            reply = self._read_for(job)
            if reply is not None:
                return reply

    def _read_for(self, job: int) -> wire.Reply | None:
        end: Exception | None = None
        message: wire.Numbered | wire.Reply | None = None
        try:
            message = wire.read(self._replies)
        except (EOFError, OSError, ValueError, MemoryError) as error:
            end = error
        with self._lock:
            self._is_reading, self._end, self.heard = False, end, time.monotonic()
            if end is not None:
                for waiter in self._waiters.values():
                    waiter.changed.notify()
                return None
            if isinstance(message, wire.Numbered) and message.job != job:
                self._hand_over(message)
                return None
            self._pass_on_reading()
        return message.message if isinstance(message, wire.Numbered) else message

    def _hand_over(self, message: wire.Numbered) -> None:
        waiter = self._waiters.get(message.job)
        if waiter is not None:
            waiter.replies.append(message.message)
            waiter.changed.notify()

    def _pass_on_reading(self) -> None:
        """To one of those that wait, as whoever read for them has something else to do."""
        if not self._is_reading and self._end is None:
            waiter = next((each for each in self._waiters.values() if each.is_waiting), None)
            if waiter is not None:
                waiter.changed.notify()
