"""Collects the events of the engine's threads until the window takes them."""

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.services.chat.answer_writer import StreamedAnswer

if TYPE_CHECKING:
    from specchat.ui.threads.inference import InferenceEvent


class EventOutbox(QObject):
    """Tells once that it is no longer empty: a signal for each token would stall the window.

    An answer that grows and grows is put in once, also while others grow.
    """

    filled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._events: list[InferenceEvent] = []
        self._growing: set[int] = set()
        """The ids of the answers among them."""

    def put(self, event: "InferenceEvent") -> None:
        with self._lock:
            if isinstance(event, StreamedAnswer):
                if id(event) in self._growing:
                    return
                self._growing.add(id(event))
            was_empty = not self._events
            self._events.append(event)
        if was_empty:
            self.filled.emit()

    def take(self) -> "list[InferenceEvent]":
        with self._lock:
            events, self._events = self._events, []
            self._growing.clear()
        return events
