"""What answering with a pair has taught: how long passes and guesses take, and how much scores are worth."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from specchat.domain.plain import from_plain, to_plain
from specchat.engine.confidence import Calibration, CalibrationFact
from specchat.engine.costs import CostFact, PassCosts


@dataclass(frozen=True, slots=True)
class _Fact:
    costs: CostFact
    calibrations: Mapping[str, CalibrationFact]


class Learned:
    def __init__(self) -> None:
        self.costs = PassCosts()
        self.calibrations: dict[str, Calibration] = defaultdict(Calibration)

    def calibration(self, source: str, *, sampled: bool) -> Calibration:
        return self.calibrations[f"{source}, {'sampled' if sampled else 'greedy'}"]

    def fact(self) -> object:
        calibrations = {name: each.fact() for name, each in self.calibrations.items()}
        return to_plain(_Fact(self.costs.fact(), calibrations))

    @classmethod
    def of(cls, fact: object) -> "Learned | None":
        """None: there is none, or another version of this program wrote it."""
        learned = cls()
        try:
            read = from_plain(_Fact, fact)
            learned.costs.learn(read.costs)
            for name, each in read.calibrations.items():
                learned.calibrations[name] = Calibration.of(each)
        except ValueError:
            return None
        return learned


class Forgetful:
    """Remembers nothing: each pair learns anew."""

    def get(self, key: str) -> object:
        return None

    def put(self, key: str, value: object) -> None:
        pass
