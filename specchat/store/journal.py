"""Writes an answer to the database while it is generated."""

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Lock, Thread

from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.domain.errors import StorageError, UserError
from specchat.store.database import Database
from specchat.store.recovery import add_chunk, merge_chunks

log = logging.getLogger(__name__)

EVERY_S = 0.1
"""The promise is 0.25: the rest is for slow disks."""


class SqliteJournal:
    """Writes from a thread of its own: the caller is inside the model when the time has come.

    What cannot be written waits here until it can be; the thread outlives `close` for it.
    """

    def __init__(self, path: Path, message: int, every_s: float = EVERY_S) -> None:
        self._message = message
        self._every_s = every_s
        self._database = Database(path, any_thread=True)
        self._writing = Lock()
        self._pending: list[tuple[str, Sequence[Mark]]] = []
        self._end: tuple[MessageState, Answer] | None = None
        self._news = Event()
        self._closing = Event()
        self._listener: Callable[[StorageError | None], None] = _nobody
        self.problem: StorageError | None = None
        self._thread = Thread(target=self._write_behind, name="journal", daemon=True)
        self._thread.start()

    def set_listener(self, listener: Callable[[StorageError | None], None]) -> None:
        self._listener = listener

    def add(self, text: str, marks: Sequence[Mark] = ()) -> None:
        self._pending.append((text, marks))
        self._news.set()

    def flush(self) -> None:
        """What the user can do nothing about, such as a deleted message, is given up."""
        with self._writing:
            end = self._end  # looked at first: all text that belongs to it is pending by then
            try:
                self._write_pending()
                self._write_end(end)
            except StorageError as error:
                self._news.set()
                self._notify(error)
            except UserError:
                self._pending.clear()
                self._end = None
                raise
            else:
                self._notify(None)

    def finish(self, state: MessageState, answer: Answer) -> None:
        self._end = state, answer
        self.flush()

    def close(self) -> None:
        self._closing.set()
        self._news.set()
        if self.problem is None:
            self._flush_calmly()
        if self._is_over:
            self._thread.join()

    @property
    def _is_over(self) -> bool:
        return self._closing.is_set() and not self._pending and self._end is None

    def _write_behind(self) -> None:
        while not self._is_over:
            self._news.wait()
            self._closing.wait(self._every_s)
            self._news.clear()
            self._flush_calmly()
            if self.problem is not None:
                time.sleep(EVERY_S)  # nothing tells when a disk has room again
        self._database.close()

    def _flush_calmly(self) -> None:
        try:
            self.flush()
        except UserError as error:
            log.warning("Couldn't save an answer: %s", error)

    def _notify(self, problem: StorageError | None) -> None:
        before, self.problem = self.problem, problem
        if str(before) != str(problem):
            if problem is not None:
                log.warning("Can't save an answer at the moment: %s", problem)
            self._listener(problem)

    def _write_pending(self) -> None:
        pending = self._pending.copy()
        if pending:
            text = "".join(text for text, _ in pending)
            add_chunk(self._database, self._message, text, [mark for _, marks in pending for mark in marks])
            del self._pending[: len(pending)]

    def _write_end(self, end: tuple[MessageState, Answer] | None) -> None:
        if end is not None:
            with self._database.transaction():
                merge_chunks(self._database, self._message, *end)
            self._end = None


def _nobody(_: StorageError | None) -> None:
    """Listens until somebody does."""
