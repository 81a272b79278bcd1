"""Computes the time that guesses saved compared with plain decoding.

The machine's pace is measured in this answer alone, over passes of all sizes. So guesses seem neither better nor worse
than they are if the computer was busy when the pair was measured, or is busy now. A plain pass never takes longer than
a larger one, which limits the time saved.

While other programs slow the passes down, nothing tells how much plain passes would have been slowed down: measured
beside 1 to 4 busy programs, the time saved is between half and three times the true one. So it is rough then, and also
if the passes were measured beside such programs.
"""

from collections import deque

from specchat.engine.step_costs import StepCosts

_RECENT = 15
_STALL = 2.0
"""If a pass takes more than this times the usual time, another program used the machine, and the rest doesn't count."""
_BUSY = 1.6
"""The pace from which other programs must be slowing the machine down; on a quiet computer it is below 1.5. Below its
inverse, they did so when the passes were measured.
"""


class SavedTime:
    def __init__(self, costs: StepCosts) -> None:
        self._costs = costs
        self._target, self._drafter = _Usual(), _Usual()

    @property
    def is_rough(self) -> bool:
        """Whether other programs slow down this answer, or did so when the passes were measured, so that the time saved
        is a rough estimate.
        """
        return self._target.has_observations and not 1 / _BUSY <= self._target.pace <= _BUSY

    def step_savings(
        self, pass_size: int, emitted: int, draft_s: float, target_s: float, n_past: int, *, is_trial: bool = False
    ) -> float:
        """Returns seconds. Sampling costs the same either way. `is_trial`: the additional tokens were not guessed."""
        if not self._costs.knows_plain:
            return -draft_s
        plain = self._costs.usual(1, n_past)
        if pass_size == 1:
            self._target.observe(target_s, plain)
            return -draft_s
        target_s = self._target.without_stall(target_s, self._costs.usual(pass_size, n_past))
        if not is_trial:
            draft_s = self._drafter.without_stall(draft_s, pass_size - 1)
        return emitted * plain * self._target.pace - draft_s - target_s


class _Usual:
    """The recent pace of target or drafter in this answer."""

    def __init__(self) -> None:
        self._latest = deque[tuple[float, float]](maxlen=_RECENT)
        """Pairs of seconds and the work that was done in them."""

    def observe(self, seconds: float, work: float) -> None:
        self._latest.append((seconds, work))

    @property
    def has_observations(self) -> bool:
        return bool(self._latest)

    @property
    def pace(self) -> float:
        """Seconds per unit of work: a mean, because plain passes would have lost time to other programs, too."""
        usual = self._usual_pace()
        return sum(_without_stall(*each, usual) for each in self._latest) / sum(work for _, work in self._latest)

    def without_stall(self, seconds: float, work: float) -> float:
        self.observe(seconds, work)
        return _without_stall(seconds, work, self._usual_pace())

    def _usual_pace(self) -> float:
        paces = sorted(seconds / work for seconds, work in self._latest)
        return paces[(len(paces) - 1) // 2]


def _without_stall(seconds: float, work: float, usual_pace: float) -> float:
    return seconds if seconds <= _STALL * usual_pace * work else usual_pace * work
