"""One model that is loaded by name, with its queue and its engine."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import Engine
from specchat.domain.errors import UserError
from specchat.domain.types import PairChoice
from specchat.services.engines.engine_queue import EngineQueue, Lane
from specchat.services.engines.pair_session import OnLoadingEvent, PairSession
from specchat.services.engines.queued_completions import MAX_WAITING, QueuedCompletions, answer_requests
from specchat.services.models.pair_fit import LocalModel, PairFit


class ModelHost:
    """Exists from the first request until the model is unloaded."""

    def __init__(
        self, name: str, model: LocalModel, make_engine: Callable[[], Engine], logs: Path, on_event: OnLoadingEvent
    ) -> None:
        self.name = name
        self.model = model
        self.turns = EngineQueue({Lane.SERVER: MAX_WAITING})
        self.session = PairSession(make_engine, on_event)
        self.completions = QueuedCompletions(self.turns, self.session, logs, name=name)
        self.cancel = CancelToken()
        """Cancels loading."""
        self.has_place = False
        """Whether the model takes memory or is about to."""
        self.needs: PairFit | None = None
        self.loaded: PairInfo | None = None
        self.last_asked = 0
        """The number of the latest request; higher is later."""

    @property
    def is_settled(self) -> bool:
        """Whether the model no longer waits to be loaded."""
        return self.loaded is not None or self.completions.failure is not None

    def load(self, choice: PairChoice) -> None:
        self.session.load(choice, self.cancel)
        self.loaded = self.completions.pair

    def fail(self, error: UserError) -> None:
        """Reports the error to all waiting requests."""
        self.completions.failure = self.completions.failure or error

    def answer(self) -> None:
        """Answers requests until the queue is finished and empty."""
        with closing(self.session):
            answer_requests(self.turns, self.loaded.n_slots if self.loaded is not None else 1)

    def stop(self) -> None:
        """Stops at once."""
        self.cancel.cancel()
        self.turns.close()
        self.session.stop_loading()
