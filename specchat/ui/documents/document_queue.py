"""Reads documents in the background, one after the other."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment
from specchat.domain.errors import UserError
from specchat.services.chat.document_files import DocumentKind
from specchat.services.chat.document_reading import read_document
from specchat.services.lazy import Lazy
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.words.message_translation import translate_text


class DocumentQueue(QObject):
    read = Signal(Attachment)
    rejected = Signal(str, str)
    """The file's name, and why."""
    changed = Signal()
    """The documents being read have changed."""

    def __init__(self, logs: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = Lazy(lambda: TaskQueue(logs, self))
        self._reading: dict[CancelToken, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._reading.values())

    def add(self, path: Path, kind: DocumentKind) -> None:
        cancel = CancelToken()
        self._reading[cancel] = path.name
        self._tasks().run(
            partial(read_document, path, kind, cancel), partial(self._done, cancel), partial(self._fail, cancel), cancel
        )
        self.changed.emit()

    def cancel(self) -> None:
        cancelled, self._reading = self._reading, {}
        for each in cancelled:
            each.cancel()
        if cancelled:
            self.changed.emit()

    def close(self) -> None:
        self.cancel()
        if tasks := self._tasks.created_value:
            tasks.close()

    def _done(self, cancel: CancelToken, document: Attachment) -> None:
        del self._reading[cancel]
        self.read.emit(document)
        self.changed.emit()

    def _fail(self, cancel: CancelToken, error: UserError) -> None:
        name = self._reading.pop(cancel)
        self.rejected.emit(name, f"{translate_text(error.message)} {translate_text(error.hint)}")
        self.changed.emit()
