"""Hands each reply of an engine's process to the thread that waits for it."""

import threading
import time
from collections import deque
from typing import IO

from specchat.services.engines import wire


class ReplyRouter:
    """One of the waiting threads reads for all of them, so a single job needs no other thread to get its replies."""

    def __init__(self, replies: IO[bytes]) -> None:
        self._replies = replies
        self._changed = threading.Condition()
        self._waiting: dict[int, deque[wire.Reply]] = {}
        self._is_reading = False
        self._end: Exception | None = None
        self.heard = time.monotonic()
        """The time of the latest reply, to any job."""

    @property
    def is_awaited(self) -> bool:
        return bool(self._waiting)

    def begin(self, job: int) -> None:
        with self._changed:
            self._waiting[job] = deque()

    def finish(self, job: int) -> None:
        """Drops all further replies to this job."""
        with self._changed:
            self._waiting.pop(job, None)

    def next_reply(self, job: int) -> wire.Reply:
        """Returns the next reply to this job, or to no job. Raises errors of reading, even if another thread read."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting[job] or self._end or not self._is_reading)
                if self._waiting[job]:
                    return self._waiting[job].popleft()
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
        with self._changed:
            self._is_reading, self._end, self.heard = False, end, time.monotonic()
            self._changed.notify_all()
            if end is not None:
                return None
            if not isinstance(message, wire.Numbered):
                return message
            if message.job == job:
                return message.message  # type: ignore[no-any-return]
            if message.job in self._waiting:
                self._waiting[message.job].append(message.message)
        return None
