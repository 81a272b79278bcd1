"""Calibrates the scores of a drafter to probabilities, from counts that favor recent guesses."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

_EDGES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.76, 0.82, 0.87, 0.91, 0.94, 0.965, 0.98, 0.99, 0.997)
_BINS = len(_EDGES) + 1
_MIDDLES = tuple((low + high) / 2 for low, high in zip((0.0, *_EDGES), (*_EDGES, 1.0), strict=True))
_TRUSTED_FOR = 3.0
"""A score counts as its own probability with the weight of so many guesses."""
_EXPECTED_FOR = 8.0
"""The same weight, if the drafter's acceptance was measured before."""
_SCEPTICISM = 0.9
_KEPT = 0.99
_LARGE = 1e9
_TEXTS_DIFFER, _LEAST_DIFFERENT, _MOST_DIFFERENT = 0.5, 0.1, 1.0
"""The variance of the log odds between texts: its initial value, minimum and maximum."""
_TELLING, _A_TEXT = 2.0, 0.3
"""The information from which a text is used to estimate this variance, and its weight then."""
_OPTIMISM = 0.5
"""A text that is hardly known is assumed to be so many standard deviations better than average, so that it is tried."""
_LEAST_GAIN, _MOST_ODDS = 0.06, 20.0
"""The minimum rate at which the odds follow this text, and their largest deviation from the usual odds."""
_TOLERATED, _SETBACK = 0.2, 3.0
"""Unexpected misses: the tolerance for each guess, and the excess from which the text is considered changed."""
_USUAL_TEXT = 8.0
"""What is known about all texts counts like so many guesses in this text."""
_FIRST_OUTLOOK = {0.55: 2.0, 0.65: 1.0, 0.8: 1.0, 0.9: 1.0, 0.95: 1.0, 0.985: 1.0, 0.999: 2.0}

WORSE_CASE = -0.5
"""Starting to guess must pay off even if this text is so many standard deviations from average."""

Outlook = list[tuple[float, float]]
"""Pairs of how frequent guesses with a certain chance are, and that chance."""


@dataclass(frozen=True, slots=True)
class CalibrationFact:
    n_observed: int
    tried: tuple[float, ...]
    """Guesses tried, by score."""
    held: tuple[float, ...]
    seen: tuple[float, ...]
    texts_differ: float


class Calibration:
    def __init__(self) -> None:
        self._tried = [_TRUSTED_FOR] * _BINS
        self._held = [_TRUSTED_FOR * _SCEPTICISM * middle for middle in _MIDDLES]
        self.n_observed = 0
        self._odds = 1.0
        """The odds of this text relative to the usual odds."""
        self._chances = dict[int, float]()
        """Cached chances by score, valid until the next outcome."""
        self._texts_differ = _TEXTS_DIFFER
        self._doubt = _TEXTS_DIFFER
        """The variance of the estimated log odds of this text."""
        self._surprise = self._information = 0.0
        """How far this text deviates from the usual odds, and how much its guesses tell about that."""
        self._setback = 0.0
        """Recent misses beyond the expected number."""
        self._seen = [0.0] * _BINS
        self._seen_here = [0.0] * _BINS
        """The guesses seen in this text, by score."""
        self._latest = 1.0
        """The weight of a new guess. It grows so that the weights of earlier guesses need not shrink."""
        for score, weight in _FIRST_OUTLOOK.items():
            self._seen[bisect_right(_EDGES, score)] += weight

    def expect(self, acceptance: float) -> None:
        """Starts with an acceptance that was measured before: typical scores and their chances are about as high."""
        chance = min(max(acceptance, _MIDDLES[0]), _MIDDLES[-1])
        at = bisect_right(_EDGES, chance)
        for place in range(at, _BINS):
            self._tried[place] = _EXPECTED_FOR
            self._held[place] = _EXPECTED_FOR * (chance if place == at else max(chance, _SCEPTICISM * _MIDDLES[place]))
        self._seen = [_USUAL_TEXT if place == at else 0.0 for place in range(_BINS)]
        self._chances.clear()

    def begin(self) -> None:
        """Starts another answer, whose text may differ from the usual in another way."""
        if self._information >= _TELLING:
            seen = (self._surprise / self._information) ** 2 - 1 / self._information
            differ = self._texts_differ + _A_TEXT * (min(seen, _MOST_DIFFERENT) - self._texts_differ)
            self._texts_differ = max(differ, _LEAST_DIFFERENT)
        self._set_odds(1.0)
        self._doubt = self._texts_differ
        self._surprise = self._information = self._setback = 0.0
        self._seen_here = [0.0] * _BINS

    @property
    def odds(self) -> float:
        return self._odds

    def chance(self, score: float) -> float:
        at = bisect_right(_EDGES, score)
        chance = self._chances.get(at)
        if chance is None:
            chance = self._chances[at] = self._chance_at(at)
        return chance

    def chances(self, scores: Sequence[float], optimism: float) -> list[float]:
        hope = self._hope(optimism)
        return [self._chance_at(bisect_right(_EDGES, score), hope) for score in scores]

    def _hope(self, optimism: float) -> float:
        return exp(optimism * sqrt(self._doubt))

    def _chance_at(self, at: int, hope: float = 1.0) -> float:
        held = self._held[at] * self._odds * hope
        return held / (held + self._tried[at] - self._held[at])

    def observe(self, scores: Sequence[float], n_held: int, odds: float = 1.0) -> None:
        """Learns from one pass, in which the first `n_held` guesses were right. `odds`: relative to those of a drafter
        that sees as much of the text as usual."""
        better = certain = 0.0
        for place, score in enumerate(scores):
            at, did_hold = bisect_right(_EDGES, score), place < n_held
            tried, held = self._tried[at], self._held[at]
            lost = tried - held
            expected = held * odds
            usual, expected_here = held / tried, expected * self._odds
            surprise, chance = did_hold - expected / (expected + lost), expected_here / (expected_here + lost)
            better += did_hold - chance
            certain += chance * (1 - chance)
            self._setback = max(0.0, self._setback + chance - did_hold - _TOLERATED)
            self._surprise += surprise
            self._information += usual * (1 - usual)
            self._tried[at] = tried = tried * _KEPT + 1
            self._held[at] = min(max(held * _KEPT + usual + surprise, 0.0), tried)
            self._seen_here[at] += 1
            self._latest /= _KEPT
            self._seen[at] += self._latest
        self.n_observed += len(scores)
        self._doubt = max(_LEAST_GAIN, self._doubt / (1 + self._doubt * certain))
        self._set_odds(self._odds * exp(self._doubt * better))
        if self._setback > _SETBACK:  # the text has changed: what was learned from its beginning no longer counts
            self._doubt, self._setback = max(self._doubt, _MOST_DIFFERENT), 0.0
        if self._latest > _LARGE:
            self._seen, self._latest = [weight / self._latest for weight in self._seen], 1.0

    def _set_odds(self, odds: float) -> None:
        self._odds = min(max(odds, 1 / _MOST_ODDS), _MOST_ODDS)
        self._chances.clear()

    def scale_odds(self, odds: float) -> None:
        """Multiplies the odds of all guesses from now on."""
        self._set_odds(self._odds * odds)

    def outlook(self, optimism: float = _OPTIMISM, odds: float = 1.0) -> Outlook:
        """`odds`: relative to the odds of this text."""
        share = _USUAL_TEXT / sum(self._seen)
        seen = [share * usual + here for usual, here in zip(self._seen, self._seen_here, strict=True)]
        rare = 0.01 * sum(seen)
        frequent = [(weight, at) for at, weight in enumerate(seen) if weight > rare]
        total = sum(weight for weight, _ in frequent)
        hope = self._hope(optimism) * odds
        return [(weight / total, self._chance_at(at, hope)) for weight, at in frequent]

    def adopt(self, other: "Calibration") -> None:
        """Takes over what the other has learned about all texts; what is known about this text stays."""
        self._tried, self._held, self._seen = other._tried.copy(), other._held.copy(), other._seen.copy()
        self._latest, self.n_observed, self._texts_differ = other._latest, other.n_observed, other._texts_differ
        self._chances.clear()

    def fact(self) -> CalibrationFact:
        return CalibrationFact(
            self.n_observed,
            tuple(self._tried),
            tuple(self._held),
            tuple(weight / self._latest for weight in self._seen),
            self._texts_differ,
        )

    @classmethod
    def from_fact(cls, fact: CalibrationFact) -> "Calibration":
        """Raises ValueError if the values are impossible."""
        made = cls()
        if not all(0 <= held <= tried for held, tried in zip(fact.held, fact.tried, strict=True)):
            raise ValueError("more held than were tried")
        if len(fact.tried) == len(fact.held) == len(fact.seen) == _BINS and min(fact.tried) > 0 and sum(fact.seen) > 0:
            made._tried, made._held, made._seen = list(fact.tried), list(fact.held), list(fact.seen)
            made.n_observed = fact.n_observed
            made._texts_differ = made._doubt = min(max(fact.texts_differ, _LEAST_DIFFERENT), _MOST_DIFFERENT)
        return made
