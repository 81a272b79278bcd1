"""Tracks which API client is being served and the stats of its answer."""

from PySide6.QtCore import QObject, Signal

from specchat.domain.completions import RequestStarted, TaskFailed
from specchat.domain.types import GenerationFinished, TokenEvent
from specchat.services.generation.stats_tracker import StatsSnapshot, StatsTracker
from specchat.ui.threads.inference import ApiRequestProgressed, Inference, InferenceEvent


class ApiActivity(QObject):
    changed = Signal()
    """Who is answered, or how many wait."""
    updated = Signal(StatsSnapshot)
    ended = Signal(StatsSnapshot)

    def __init__(self, inference: Inference, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._completions = inference.completions
        self._client: str | None = None
        self._figures = StatsTracker()
        self.n_waiting = 0
        inference.events_arrived.connect(self._track_requests)

    @property
    def is_active(self) -> bool:
        return self._client is not None

    @property
    def client_name(self) -> str:
        """What the program that is answered calls itself; empty where that tells nothing."""
        return parse_client_name(self._client or "")

    @property
    def stats(self) -> StatsSnapshot | None:
        """Of the answer that is being written."""
        figures = self._figures.snapshot()
        return figures if self.is_active and figures.n_generated else None

    def _track_requests(self, events: list[InferenceEvent]) -> None:
        before = self._client, self.n_waiting
        has_grown = False
        for event in events:
            if isinstance(event, ApiRequestProgressed):
                has_grown = self._track_request(event)
        if has_grown:
            self.updated.emit(self._figures.snapshot())
        self.n_waiting = self._completions.n_waiting
        if (self._client, self.n_waiting) != before:
            self.changed.emit()

    def _track_request(self, asked: ApiRequestProgressed) -> bool:
        """Whether there are new figures to show."""
        match asked.event:
            case RequestStarted():
                self._client, self._figures = asked.task.client, StatsTracker()
            case TokenEvent(step=step) if step is not None:
                self._figures.add_step(step)
                return True
            case GenerationFinished(stats=stats):
                self._client = None
                if stats.n_generated:
                    self.ended.emit(self._figures.finish(stats))
            case TaskFailed():
                self._client = None
        return False


def parse_client_name(user_agent: str) -> str:
    """Of what a program sends as its User-Agent, the first word without a version. Browsers all say the same."""
    name = user_agent.partition(" ")[0].partition("/")[0]
    return "" if name == "Mozilla" else name
