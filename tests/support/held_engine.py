"""The real engine, which goes on with other programs' answers only while it may: tests decide who waits."""

import threading
from collections.abc import Iterator

from specchat.domain.cancel import CancelToken
from specchat.domain.serving import CompletionTask
from specchat.domain.types import Event, TokenEvent
from specchat.services.generation.chat_engine import LocalEngine
from specchat.services.generation.loading import PairLoader


class HeldEngine(LocalEngine):
    def __init__(self, loader: PairLoader, gate: threading.Event) -> None:
        super().__init__(loader)
        self._gate = gate

    def complete(self, task: CompletionTask, cancel: CancelToken) -> Iterator[Event]:
        for event in super().complete(task, cancel):
            yield event
            if isinstance(event, TokenEvent) and event.step is not None:
                with cancel.listening(self._gate.set):
                    self._gate.wait()
