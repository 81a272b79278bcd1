"""Published rules for the number of guesses, to compare with the auto strategy in the benchmark."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import Protocol

from specchat.domain.benchmark import AUTO_POLICY, CHAIN_POLICY, TREE_POLICY
from specchat.domain.errors import SettingError

LONGEST = 16
"""The maximum number of guesses, unless a rule stops earlier."""


@dataclass(frozen=True, slots=True)
class GuessFacts:
    """The draft's probability of a guess, and the entropy of its distribution."""

    probability: float
    entropy: float
    """In nats."""


class StopRule(Protocol):
    def longest(self) -> int:
        """Returns the maximum number of guesses in the next pass."""

    def allows(self, facts: GuessFacts) -> bool:
        """Returns whether to keep this guess; if not, the proposal ends before it."""

    def observe(self, drafted: int, accepted: int) -> None: ...


class LeastProbability:
    """llama.cpp's `--spec-draft-p-min`."""

    def __init__(self, least: float = 0.6) -> None:
        self._least = least

    def longest(self) -> int:
        return LONGEST

    def allows(self, facts: GuessFacts) -> bool:
        return facts.probability >= self._least

    def observe(self, drafted: int, accepted: int) -> None:
        pass


class AdaEdl:
    """Compares a lower bound of the acceptance, from the entropy, with a threshold that follows the acceptance rate
    (arXiv 2410.18351).
    """

    _SPREAD, _WANTED, _STEP = 0.2, 0.9, 0.01
    _RATE_KEPT, _THRESHOLD_KEPT = 0.5, 0.9

    def __init__(self) -> None:
        self._threshold, self._rate = 0.4, 0.9

    def longest(self) -> int:
        return LONGEST

    def allows(self, facts: GuessFacts) -> bool:
        return 1 - sqrt(self._SPREAD * facts.entropy) >= self._threshold

    def observe(self, drafted: int, accepted: int) -> None:
        self._rate = self._RATE_KEPT * self._rate + (1 - self._RATE_KEPT) * accepted / drafted
        moved = self._threshold + (self._STEP if self._rate < self._WANTED else -self._STEP)
        self._threshold = self._THRESHOLD_KEPT * self._threshold + (1 - self._THRESHOLD_KEPT) * moved


class AdditiveIncrease:
    """Makes one more guess after a pass in which all were accepted, and half as many after a miss (AIMD)."""

    def __init__(self) -> None:
        self._length = 2.0

    def longest(self) -> int:
        return int(self._length)

    def allows(self, facts: GuessFacts) -> bool:
        return True

    def observe(self, drafted: int, accepted: int) -> None:
        self._length = min(self._length + 1, LONGEST) if accepted == drafted else max(self._length / 2, 1)


class Bandit:
    """Chooses among rules by upper confidence bounds, as TapOut does (arXiv 2511.02017)."""

    def __init__(self) -> None:
        self._arms: Sequence[StopRule] = [LeastProbability(least) for least in (0.0, 0.4, 0.8)] + [AdaEdl()]
        self._tried = [0] * len(self._arms)
        self._won = [0.0] * len(self._arms)
        self._arm = self._arms[0]

    def longest(self) -> int:
        total = sum(self._tried)
        arms = zip(self._tried, self._won, strict=True)
        bounds = [won / tried + sqrt(2 * log(total) / tried) if tried else inf for tried, won in arms]
        self._arm = self._arms[bounds.index(max(bounds))]
        return self._arm.longest()

    def allows(self, facts: GuessFacts) -> bool:
        return self._arm.allows(facts)

    def observe(self, drafted: int, accepted: int) -> None:
        """The reward is the mean of two shares: accepted by drafted, and accepted by the maximum number of guesses."""
        arm = self._arms.index(self._arm)
        self._tried[arm] += 1
        self._won[arm] += (accepted / drafted + accepted / LONGEST) / 2
        self._arm.observe(drafted, accepted)


STOP_RULES: Mapping[str, Callable[[], StopRule]] = {
    "adaedl": AdaEdl,
    "aimd": AdditiveIncrease,
    "bandit": Bandit,
    "pmin": LeastProbability,
}


POLICIES = (AUTO_POLICY, CHAIN_POLICY, TREE_POLICY, *STOP_RULES)


def require_known_policy(policy: str) -> None:
    if policy not in POLICIES:
        known = ", ".join(POLICIES)
        raise SettingError("Unknown policy: {name}.", "Choose one of these: {known}.", name=policy, known=known)


def make_stop_rule(policy: str) -> StopRule:
    require_known_policy(policy)
    return STOP_RULES[policy]()
