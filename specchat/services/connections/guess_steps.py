"""Turns an engine's running counts of guesses into the steps that a window shows live."""

from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import UNKNOWN, StepStats
from specchat.services.connections.reported_figures import GuessReport


class GuessSteps:
    """Counts that go backwards, or that tokens contradict, are not believed from then on."""

    def __init__(self) -> None:
        self._latest: GuessReport | None = None
        self._step = (0, 0)
        """Drafted and accepted, of the step whose tokens arrive."""
        self._left = 0
        """Tokens of it that are still to come."""
        self._emitted = 0
        self._is_false = False

    @property
    def report(self) -> GuessReport | None:
        """None: nothing was reported that can be true."""
        return None if self._is_false else self._latest

    def note(self, report: GuessReport | None) -> None:
        """Before the token that it came with."""
        if report is None or self._is_false:
            return
        before = self._latest or GuessReport(0, 0)
        drafted, accepted = report.drafted - before.drafted, report.accepted - before.accepted
        if not 0 <= accepted <= drafted:
            self._is_false = True
            return
        self._latest = report
        if drafted:
            self._step, self._left = (drafted, accepted), accepted + 1

    def add_token(self, *, is_one: bool = True) -> StepStats | None:
        """The step that this token ends. Otherwise it is a piece of nobody knows how many."""
        self._emitted += is_one
        self._left -= 1
        if self._left > 0:
            return None
        (drafted, accepted), emitted = self._step, self._emitted
        self._step, self._left, self._emitted = (0, 0), 0, 0
        why_off = SpeculationOff.NOT_REPORTED if self.report is None else None
        return StepStats(drafted, accepted, emitted, 0.0, 0.0, 0.0, (UNKNOWN,) * drafted, why_off=why_off)
