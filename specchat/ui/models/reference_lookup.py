"""Looks up model references on the Hub in background threads."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.program.internal_errors import wrap_internal_errors

if TYPE_CHECKING:
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.requested_models import RequestedModels

FoundCallback = Callable[["RequestedModels"], None]
FailedCallback = Callable[[UserError], None]


class ReferenceLookup(QObject):
    """Asks the Hub what is behind references. Each question has a thread that does not hold up the program's end."""

    _answered = Signal(object)

    def __init__(self, hub: "Callable[[], Hub]", logs: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._hub, self._logs = hub, logs
        self._cancel = CancelToken()
        self._answered.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def start(self, references: Sequence[str], found: FoundCallback, failed: FailedCallback) -> None:
        Thread(target=self._work, args=(references, found, failed), name="look up", daemon=True).start()

    def close(self) -> None:
        """Nobody waits for what is under way, and nobody hears of it."""
        self._cancel.cancel()

    def _work(self, references: Sequence[str], found: FoundCallback, failed: FailedCallback) -> None:
        try:
            with wrap_internal_errors(self._logs):
                from specchat.services.hub.requested_models import resolve_requested_models

                answer = resolve_requested_models(self._hub(), references, self._cancel)
        except Cancelled:
            return
        except UserError as error:
            self._post(partial(failed, error))
        else:
            self._post(partial(found, answer))

    def _post(self, callback: Callable[[], None]) -> None:
        if not self._cancel.cancelled:
            self._answered.emit(callback)

    def _call(self, callback: Callable[[], None]) -> None:
        if not self._cancel.cancelled:
            callback()
