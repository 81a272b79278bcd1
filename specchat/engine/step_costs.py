"""The costs of steps for an answer: whole passes if it is alone, its share if answers share passes.

In a shared pass, a guess still costs what its row adds, while all answers pay for the pass itself. So answers guess
less the more of them there are, and stop guessing when plain passes give all of them more tokens in the same time.
"""

from typing import TYPE_CHECKING, Protocol

from specchat.engine.costs import PassCosts

if TYPE_CHECKING:  # strategies are also imported where nothing is computed
    from specchat.engine.slot_scheduler import SlotScheduler


class StepCosts(Protocol):
    @property
    def knows_plain(self) -> bool: ...
    @property
    def wants_plain(self) -> bool: ...
    @property
    def larger_factor(self) -> float: ...
    @property
    def load(self) -> tuple[int, int]:
        """The number of answers that share passes, and the number of rows of the others."""

    def passes(self, longest: int, n_past: int = 0) -> list[float]: ...
    def usual(self, size: int, n_past: int = 0) -> float: ...
    def guess(self, source: str, n_past: int = 0) -> float | None: ...
    def catch_up(self, source: str, n_tokens: int) -> float | None: ...
    def observe_pass(self, n_tokens: int, seconds: float, n_past: int = 0) -> None: ...
    def observe_guess(self, source: str, seconds: float, n_past: int = 0) -> None: ...
    def observe_catch_up(self, source: str, n_tokens: int, seconds: float) -> None: ...


class SlotCosts:
    def __init__(self, costs: PassCosts, scheduler: "SlotScheduler") -> None:
        """`costs`: the costs of whole passes, learned from all answers."""
        self._costs = costs
        self._scheduler = scheduler

    @property
    def load(self) -> tuple[int, int]:
        return self._scheduler.n_writing, self._scheduler.n_rows_of_others

    @property
    def knows_plain(self) -> bool:
        return self._costs.knows_plain

    @property
    def wants_plain(self) -> bool:
        return self._costs.wants_plain and self._scheduler.n_writing == 1

    @property
    def larger_factor(self) -> float:
        return self._costs.larger_factor

    def passes(self, longest: int, n_past: int = 0) -> list[float]:
        n_writing, others = self._scheduler.n_writing, self._scheduler.n_rows_of_others
        if n_writing == 1:
            return self._costs.passes(longest, n_past)
        whole = self._costs.passes(max(others, n_writing) + longest, n_past)
        share = whole[n_writing - 1] / n_writing
        return [share + whole[others + k] - whole[others] for k in range(longest)]

    def usual(self, size: int, n_past: int = 0) -> float:
        n_writing, others = self._scheduler.n_writing, self._scheduler.n_rows_of_others
        if n_writing == 1:
            return self._costs.usual(size, n_past)
        share = self._costs.usual(n_writing, n_past) / n_writing
        if size == 1:
            return share
        more = self._costs.usual(others + size, n_past) - self._costs.usual(others + 1, n_past)
        return share + max(0.0, more)

    def guess(self, source: str, n_past: int = 0) -> float | None:
        return self._costs.guess(source, n_past)

    def catch_up(self, source: str, n_tokens: int) -> float | None:
        return self._costs.catch_up(source, n_tokens)

    def observe_pass(self, n_tokens: int, seconds: float, n_past: int = 0) -> None:
        """Records a shared pass only once, with the rows of all answers."""
        was_shared, report = self._scheduler.take_report()
        if not was_shared:
            self._costs.observe_pass(n_tokens, seconds, n_past)
        elif report is not None and not report.has_prompts:
            self._costs.observe_pass(report.n_rows, report.seconds, report.n_past)

    def observe_guess(self, source: str, seconds: float, n_past: int = 0) -> None:
        self._costs.observe_guess(source, seconds, n_past)

    def observe_catch_up(self, source: str, n_tokens: int, seconds: float) -> None:
        self._costs.observe_catch_up(source, n_tokens, seconds)
