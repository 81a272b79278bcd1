"""Profile of a pair learned from its answers: pass costs, score calibration and speed-up."""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.speculation_status import SpeculationOff, parse_speculation
from specchat.domain.types import GenerationStats
from specchat.engine.confidence import Calibration, CalibrationFact
from specchat.engine.costs import GuessFact, PassCosts, PassFact
from specchat.services.bench.measured_pairs import ObservedSpeed
from specchat.services.generation.stats_tracker import streaming_s

_ANSWERS = 16
"""The number of latest answers from which the speed-up is calculated."""
_FEWEST_ANSWERS, _FEWEST_TOKENS = 3, 60


@dataclass(frozen=True, slots=True)
class _Answered:
    n_tokens: int
    took_s: float
    saved_s: float
    n_drafted: int
    n_accepted: int


@dataclass(frozen=True, slots=True)
class _Fact:
    guesses: GuessFact
    calibrations: Mapping[str, CalibrationFact]
    answers: tuple[_Answered, ...]


class PairProfile:
    def __init__(self) -> None:
        self.costs = PassCosts()
        self.calibrations: dict[str, Calibration] = defaultdict(Calibration)
        self._answers = deque[_Answered](maxlen=_ANSWERS)

    def calibration(self, source: str, *, sampled: bool) -> Calibration:
        return self.calibrations[f"{source}, {'sampled' if sampled else 'greedy'}"]

    def expect(self, source: str, acceptance: float) -> None:
        """Begins with an acceptance that was measured elsewhere, where no answer has taught anything yet."""
        for sampled in (False, True):
            calibration = self.calibration(source, sampled=sampled)
            if not calibration.n_observed:
                calibration.expect(acceptance)

    def for_another_slot(self) -> "PairProfile":
        """Returns a profile for another slot: it shares the costs of passes, but not the quality of guesses."""
        other = PairProfile()
        other.costs = self.costs
        return other

    def share_calibrations(self, other: "PairProfile") -> None:
        """Copies the calibrations to the other profile."""
        for name, calibration in self.calibrations.items():
            if other.calibrations[name] is not calibration:
                other.calibrations[name].adopt(calibration)

    def record_answer(self, stats: GenerationStats, sources: Sequence[str]) -> None:
        """Records an answer for these sources; guesses from other sources don't count. An answer that other programs
        slowed down would tell about them, not about the pair, and one without guesses for want of measurements nothing.
        """
        took_s = streaming_s(stats)
        is_telling = parse_speculation(stats.speculation) is not SpeculationOff.MEASURING and not stats.saved_is_rough
        if took_s > 0 and is_telling:
            counts = stats.drafted_per_source, stats.accepted_per_source
            drafted, accepted = (sum(each.get(source, 0) for source in sources) for each in counts)
            self._answers.append(_Answered(stats.n_generated, took_s, _share(stats, accepted), drafted, accepted))

    def observed_speed(self) -> ObservedSpeed | None:
        """Returns None if there are too few answers for a reliable result."""
        answers = self._answers
        n_tokens = sum(answer.n_tokens for answer in answers)
        if len(answers) < _FEWEST_ANSWERS or n_tokens < _FEWEST_TOKENS:
            return None
        took_s = sum(answer.took_s for answer in answers)
        saved_s = sum(answer.saved_s for answer in answers)
        n_drafted = sum(answer.n_drafted for answer in answers)
        accepted = sum(answer.n_accepted for answer in answers) / n_drafted if n_drafted else 0.0
        return ObservedSpeed((took_s + saved_s) / took_s, accepted, n_tokens / took_s)

    def target_fact(self) -> object:
        """Returns what is learned about the target, which is the same with every draft."""
        return to_plain(self.costs.pass_fact())

    def fact(self) -> object:
        calibrations = {name: each.fact() for name, each in self.calibrations.items()}
        return to_plain(_Fact(self.costs.guess_fact(), calibrations, tuple(self._answers)))

    @classmethod
    def from_facts(cls, target_fact: object, fact: object) -> "PairProfile":
        """Restores a profile, ignoring missing facts and those of another version."""
        learned = cls()
        with suppress(ValueError):
            learned.costs.learn_passes(from_plain(PassFact, target_fact))
        with suppress(ValueError):
            learned._learn(from_plain(_Fact, fact))
        return learned

    def _learn(self, fact: _Fact) -> None:
        calibrations = {name: Calibration.from_fact(each) for name, each in fact.calibrations.items()}
        if self.costs.knows_plain:
            self.costs.learn_guesses(fact.guesses)
        self.calibrations.update(calibrations)
        self._answers.extend(fact.answers)


def _share(stats: GenerationStats, accepted: int) -> float:
    """Returns the draft's share of the time saved. A loss is all due to the draft, because other guesses cost almost
    nothing.
    """
    if stats.saved_s < 0 or not stats.n_accepted:
        return min(0.0, stats.saved_s)
    return stats.saved_s * accepted / stats.n_accepted


class NullFactCache:
    """Remembers nothing, so that each pair starts learning from scratch."""

    def get(self, key: str) -> object:
        return None

    def put(self, key: str, value: object) -> None:
        pass
