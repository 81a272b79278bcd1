"""Draft sources of the auto strategy, their proposals, and the monitor of a running draft."""

from collections.abc import Callable
from dataclasses import dataclass, field

from specchat.domain.ports import CatchUpDrafter, Drafter, StateReadingDrafter
from specchat.domain.proposal import Proposal
from specchat.engine.confidence import Calibration
from specchat.engine.horizon import Horizon
from specchat.engine.step_costs import StepCosts


@dataclass(slots=True)
class DraftSource:
    drafter: Drafter
    greedy: Calibration = field(default_factory=Calibration)
    sampled: Calibration = field(default_factory=Calibration)
    calibration: Calibration = field(init=False)
    """Either `greedy` or `sampled`, depending on the temperature."""
    catch_up_drafter: CatchUpDrafter | None = field(init=False)
    state_reader: StateReadingDrafter | None = field(init=False)

    def __post_init__(self) -> None:
        self.calibration = self.greedy
        self.catch_up_drafter = self.drafter if isinstance(self.drafter, CatchUpDrafter) else None
        self.state_reader = self.drafter if isinstance(self.drafter, StateReadingDrafter) else None

    @property
    def name(self) -> str:
        return self.drafter.name

    @property
    def is_block(self) -> bool:
        return self.state_reader is not None and self.state_reader.is_block

    def is_late(self, n_missed: int) -> bool:
        """Whether the drafter missed more tokens than it reads in each step anyway."""
        return self.catch_up_drafter is not None and n_missed > self.catch_up_drafter.usual_lag


@dataclass(slots=True)
class SourceProposal:
    """The guesses of a source in this step, whether they are verified or not."""

    source: DraftSource
    proposal: Proposal
    behind: int = 0
    """The number of guesses of another source before these."""
    used: int = 0


class DraftMonitor:
    """Tells a draft when to stop, and times its guesses."""

    def __init__(self, source: DraftSource, costs: StepCosts, horizon: Horizon, clock: Callable[[], float]) -> None:
        self._source, self._costs, self._horizon, self._clock = source, costs, horizon, clock
        self._timed = 0

    def start(self, length: int, n_missed: int, n_guessed: int, all_right: float) -> None:
        """`length`: of the text. The draft continues after `n_guessed` guesses of another source; `all_right` is the
        chance that all of them are right."""
        self._length, self._late = length, n_missed
        self._n_guessed, self._all_right = n_guessed, all_right
        self._started = self._began = self._since = self._clock()

    def worth_another(self, score: float) -> bool:
        self._since = self._clock()
        if self._source.is_late(self._late):
            self._costs.observe_catch_up(self._source.name, self._late, self._since - self._began)
            self._began = self._since
        else:
            self._timed += 1
        self._late = 0
        self._n_guessed += 1
        self._all_right *= self._source.calibration.chance(score)
        return self._horizon.worth_another(self._n_guessed, self._all_right)

    def finish(self) -> float:
        """Returns the seconds that drafting took."""
        if self._timed:
            each = (self._since - self._began) / self._timed
            self._costs.observe_guess(self._source.name, each, self._length)
        return self._clock() - self._started
