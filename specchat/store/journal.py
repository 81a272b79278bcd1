"""Keeps an answer while it is written."""

import logging
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Lock, Thread

from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.domain.errors import UserError
from specchat.store.database import Database
from specchat.store.recovery import add_chunk, fold

log = logging.getLogger(__name__)

EVERY_S = 0.1
"""The promise is 0.25: the rest is for slow disks."""


class SqliteJournal:
    """Writes from a thread of its own: the caller is inside the model when the time has come."""

    def __init__(self, path: Path, message: int, every_s: float = EVERY_S) -> None:
        self._message = message
        self._every_s = every_s
        self._database = Database(path, any_thread=True)
        self._writing = Lock()
        self._pending: list[tuple[str, Sequence[Mark]]] = []
        self._news = Event()
        self._closing = Event()
        self.problem: str | None = None
        self._thread = Thread(target=self._write_behind, name="journal", daemon=True)
        self._thread.start()

    def add(self, text: str, marks: Sequence[Mark] = ()) -> None:
        self._pending.append((text, marks))
        self._news.set()

    def flush(self) -> None:
        with self._writing:
            self._write_pending()

    def finish(self, state: MessageState, answer: Answer) -> None:
        """Where it fails nothing is forgotten: it can be called again."""
        with self._writing:
            self._write_pending()
            with self._database.transaction():
                fold(self._database, self._message, state, answer)

    def close(self) -> None:
        self._closing.set()
        self._news.set()
        self._thread.join()
        self._try_to_flush()
        self._database.close()

    def _write_behind(self) -> None:
        while self._news.wait():
            if self._closing.wait(self._every_s):
                return
            self._news.clear()
            self._try_to_flush()

    def _try_to_flush(self) -> None:
        try:
            self.flush()
        except UserError as error:
            log.warning("An answer is not kept at the moment: %s", error)
            self.problem = error.message
            self._news.set()
        else:
            self.problem = None

    def _write_pending(self) -> None:
        pending = self._pending.copy()
        if pending:
            text = "".join(text for text, _ in pending)
            add_chunk(self._database, self._message, text, [mark for _, marks in pending for mark in marks])
            del self._pending[: len(pending)]
