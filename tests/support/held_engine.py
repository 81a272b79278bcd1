"""The real engine, which goes on with other programs' answers only while it may: tests decide who waits."""

import threading
from collections.abc import Generator

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.engine import EngineEvent, EngineTask
from specchat.domain.types import TokenEvent
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.pair_loader import PairLoader


class HeldEngine(InProcessEngine):
    def __init__(self, loader: PairLoader, gate: threading.Event) -> None:
        super().__init__(loader)
        self._gate = gate

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        for event in super().generate(task, cancel):
            yield event
            if isinstance(task, CompletionTask) and isinstance(event, TokenEvent) and event.step is not None:
                with cancel.listening(self._gate.set):
                    self._gate.wait()
