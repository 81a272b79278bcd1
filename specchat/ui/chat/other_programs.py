"""Other programs that use the models: who is answered, and the figures of that answer."""

from PySide6.QtCore import QObject, Signal

from specchat.domain.serving import TaskFailed, TurnCame
from specchat.domain.types import Finished, TokenEvent
from specchat.services.generation.live_figures import Figures, LiveFigures
from specchat.ui.threads.inference import Inference, InferenceEvent, OtherAsked


class OtherPrograms(QObject):
    changed = Signal()
    """Who is answered, or how many wait."""
    grew = Signal(Figures)
    ended = Signal(Figures)

    def __init__(self, inference: Inference, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._completions = inference.completions
        self._client: str | None = None
        self._figures = LiveFigures()
        self.n_waiting = 0
        inference.arrived.connect(self._take)

    @property
    def is_answered(self) -> bool:
        return self._client is not None

    @property
    def name(self) -> str:
        """What the program that is answered calls itself; empty where that tells nothing."""
        return program_name(self._client or "")

    @property
    def figures(self) -> Figures | None:
        """Of the answer that is being written."""
        figures = self._figures.snapshot()
        return figures if self.is_answered and figures.n_generated else None

    def _take(self, events: list[InferenceEvent]) -> None:
        before = self._client, self.n_waiting
        has_grown = False
        for event in events:
            if isinstance(event, OtherAsked):
                has_grown = self._take_one(event)
        if has_grown:
            self.grew.emit(self._figures.snapshot())
        self.n_waiting = self._completions.n_waiting
        if (self._client, self.n_waiting) != before:
            self.changed.emit()

    def _take_one(self, asked: OtherAsked) -> bool:
        """Whether there are new figures to show."""
        match asked.event:
            case TurnCame():
                self._client, self._figures = asked.task.client, LiveFigures()
            case TokenEvent(step=step) if step is not None:
                self._figures.add(step)
                return True
            case Finished(stats=stats):
                self._client = None
                if stats.n_generated:
                    self.ended.emit(self._figures.finished(stats))
            case TaskFailed():
                self._client = None
        return False


def program_name(user_agent: str) -> str:
    """Of what a program sends as its User-Agent, the first word without a version. Browsers all say the same."""
    name = user_agent.partition(" ")[0].partition("/")[0]
    return "" if name == "Mozilla" else name
