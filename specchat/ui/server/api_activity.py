"""Tracks which API clients are being served and the stats of their answers."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from specchat.domain.completions import CompletionTask, RequestStarted, TaskFailed
from specchat.domain.types import GenerationFinished, TokenEvent
from specchat.services.generation.stats_tracker import StatsSnapshot, StatsTracker
from specchat.ui.threads.inference import ApiRequestProgressed, Inference, InferenceEvent


@dataclass(frozen=True, slots=True)
class _Served:
    task: CompletionTask
    figures: StatsTracker


class ApiActivity(QObject):
    changed = Signal()
    """Who is answered, or how many wait."""
    updated = Signal(StatsSnapshot)
    ended = Signal(StatsSnapshot)

    def __init__(self, inference: Inference, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._completions = inference.completions
        self._served: dict[int, _Served] = {}
        """By the id of the task; the one that began last comes last."""
        self.n_waiting = 0
        inference.events_arrived.connect(self._track_requests)

    @property
    def is_active(self) -> bool:
        return bool(self._served)

    @property
    def n_served(self) -> int:
        """Requests that are answered."""
        return len(self._served)

    @property
    def client_name(self) -> str:
        """What the program that is answered calls itself, of several the latest; empty where that tells nothing."""
        served = self._latest
        return parse_client_name(served.task.client if served is not None else "")

    @property
    def stats(self) -> StatsSnapshot | None:
        """Of the answer that is being written, of several the latest."""
        figures = self._latest.figures.snapshot() if self._latest is not None else None
        return figures if figures is not None and figures.n_generated else None

    @property
    def _latest(self) -> "_Served | None":
        return next(reversed(self._served.values()), None)

    def _track_requests(self, events: list[InferenceEvent]) -> None:
        before = list(self._served), self.n_waiting
        has_grown = False
        for event in events:
            if isinstance(event, ApiRequestProgressed):
                has_grown |= self._track_request(event)
        if has_grown and (figures := self.stats) is not None:
            self.updated.emit(figures)
        self.n_waiting = self._completions.n_waiting
        if (list(self._served), self.n_waiting) != before:
            self.changed.emit()

    def _track_request(self, asked: ApiRequestProgressed) -> bool:
        """Whether there are new figures to show."""
        key = id(asked.task)
        match asked.event:
            case RequestStarted():
                self._served[key] = _Served(asked.task, StatsTracker())
            case TokenEvent(step=step) if step is not None and key in self._served:
                self._served[key].figures.add_step(step)
                return self._served[key] is self._latest
            case GenerationFinished(stats=stats):
                served = self._served.pop(key, None)
                if served is not None and stats.n_generated:
                    self.ended.emit(served.figures.finish(stats))
            case TaskFailed():
                self._served.pop(key, None)
        return False


def parse_client_name(user_agent: str) -> str:
    """Of what a program sends as its User-Agent, the first word without a version. Browsers all say the same."""
    name = user_agent.partition(" ")[0].partition("/")[0]
    return "" if name == "Mozilla" else name
