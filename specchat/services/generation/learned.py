"""What answering with a pair has taught: how long passes and guesses take, and how much scores are worth."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specchat.domain.plain import from_plain, to_plain
from specchat.engine.auto import BEST_CASE, LEAST_SPEEDUP, TELLING
from specchat.engine.confidence import Calibration, CalibrationFact, Outlook
from specchat.engine.costs import CostFact, PassCosts
from specchat.engine.horizon import Horizon, settled
from specchat.services.bench.measured import Taught


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

    def taught(self, source: str, longest: int) -> Taught | None:
        """None: so few guesses were seen that nobody knows, as in a better text they may pay."""
        calibrations = (self.calibration(source, sampled=sampled) for sampled in (False, True))
        seen = max(calibrations, key=lambda each: each.n_observed)
        usual = Calibration.of(seen.fact())
        guess_s = self.costs.guess(source)
        if guess_s is None or not self.costs.knows_plain:
            return None
        passes = self.costs.passes(longest + 1)
        if seen.n_observed < TELLING and _rate(passes, guess_s, usual.outlook(BEST_CASE)) is not None:
            return None
        outlook = usual.outlook(optimism=0.0)
        rate = _rate(passes, guess_s, outlook)
        speedup = 1.0 if rate is None else rate * passes[0]
        return Taught(speedup, sum(weight * chance for weight, chance in outlook), speedup / passes[0])

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


def _rate(passes: Sequence[float], guess_s: float, outlook: Outlook) -> float | None:
    """Tokens per second; None: guessing does not pay."""
    plain = 1 / passes[0]
    horizon = settled(lambda rate: Horizon(passes, guess_s, outlook, max(rate, plain)))
    return horizon.rate if horizon.pays and horizon.rate >= LEAST_SPEEDUP * plain else None


class Forgetful:
    """Remembers nothing: each pair learns anew."""

    def get(self, key: str) -> object:
        return None

    def put(self, key: str, value: object) -> None:
        pass
