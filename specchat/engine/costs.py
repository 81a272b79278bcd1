"""Learns what passes and guesses cost while answering, as medians, which ignore stalls.

A pass takes the machine's pace times what a pass of its size usually takes at this length of the context. The pace
tells of all sizes what only those in use show: that the machine is slower at present. What passes of one size usually
take is only learned beside passes of others: many in a row tell of the machine, not of their size.

Passes of several tokens share a factor against plain ones, and so do the guesses of a source. It is followed fast, so
what was measured in a busy minute is put right by a few passes, whatever their size.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from specchat.engine.speed_factor import SpeedFactor, without_stall
from specchat.engine.typical_times import (
    KNOWN,
    NEAR,
    TRUSTED,
    MedianWindow,
    TypicalTime,
    interpolate,
    isotonic_curve,
    median,
)

_RECENT = 15
_BEFORE = 3
"""Passes at the usual pace that are taken to have been before the first."""
_BESIDE = 8
"""The latest passes, with which one is compared; at least `_FEWEST_BESIDE` of them of another size."""
_FEWEST_BESIDE = 3
_FEWEST_COMPARED = 2
"""Passes with which one of another kind is compared: larger ones with plain ones."""
_AT_ONCE = 3
"""The latest passes, which tell at which pace a guess was made."""
_TELLING, _OTHER_MACHINE = 3, 1.5
"""Plain passes tell after loading whether the machine is as fast as when it was measured, give or take."""
DEAREST = 1.0
"""Times as long as so many plain passes: no batch takes longer, however busy the computer was when it was measured."""
_FAR = 2.0
"""Times as long as expected: that is the machine, not the size."""
_OTHER_PACE, _UNSURE = 1.3, 0.3
"""Times as fast or slow as when larger passes were last compared with plain ones, and the deviation of their factor:
beyond these it takes plain passes to tell."""
FIRST_SLOPE = 0.2
"""The assumed cost of each additional token, as a share of a pass, until it is measured."""
_SHORTEST_OCTAVE = 8
_BULK = 8
"""The number of missed tokens from which a draft reads them as a batch instead of a step."""

Curve = dict[int, TypicalTime]
_Kind = tuple[int, int]
"""Octave and size."""


@dataclass(frozen=True, slots=True)
class PassFact:
    """The costs of a target with any draft: medians by kind, with text keys as in JSON."""

    passes: Mapping[str, Mapping[str, float]]
    switching: float


@dataclass(frozen=True, slots=True)
class GuessFact:
    guesses: Mapping[str, Mapping[str, float]]
    catching_up: Mapping[str, float]


class PassCosts:
    """Seconds per target pass by its number of tokens, and per guess of each source."""

    def __init__(self) -> None:
        self._curves: dict[int, Curve] = {}
        """By the octave of the context's length, then by size."""
        self.pace = 1.0
        """Against what is usual; above 1 the machine is slower."""
        self._pace_at_once = 1.0
        self._latest = deque[tuple[_Kind, float]](maxlen=_RECENT)
        self._larger = SpeedFactor()
        """What passes of several tokens take now, against what their levels say beside plain ones."""
        self._compared_at_pace = 1.0
        self._n_uncompared = 0
        """Passes since then."""
        self._first_plain: list[float] | None = []
        """Times as long as known: plain passes since it was loaded; None: there were enough."""
        self._before: PassFact | None = None
        """What was known when the target was last in use."""
        self._switching = MedianWindow()
        """What a pass takes longer for having another size than the one before."""
        self._guesses: dict[str, _SourceCosts] = {}
        """By source, then by octave: a small draft feels the context's length more than its target does."""
        self._catching_up: dict[str, _SourceCosts] = {}
        """For each token of a batch, whatever the context's length."""
        self._last_size = 0
        self._n_passes = 0

    # Learning

    def observe_pass(self, n_tokens: int, seconds: float, n_past: int = 0) -> None:
        same_size, self._last_size = n_tokens == self._last_size, n_tokens
        octave = _octave(n_past)
        kind = octave, n_tokens
        self._n_passes += 1
        if self._first_plain is not None and n_tokens == 1 and same_size and self.knows_plain:
            self._doubt(seconds / self._usual(1, octave))
        if n_tokens == 1 and not same_size and 1 not in self._curves.get(octave, {}):
            return
        switch = 0.0 if same_size else self._switch
        beside = self._pace_beside(kind)
        factor = self._factor(n_tokens)
        level = self._curves.get(octave, {}).get(n_tokens) or TypicalTime()
        is_measured = len(level) >= TRUSTED
        expected = level.median * factor + switch if level.is_known else self._expected(n_tokens, n_past)
        if not level.is_known:
            self._curves.setdefault(octave, {})[n_tokens] = level
            usual = _first_guess(seconds / (beside or self._pace_at_once), switch, expected)
            level.observe(max(usual / factor, self._least(kind)))
        elif beside is not None:
            self._learn(level, seconds / beside / factor, switch, is_plain=n_tokens == 1, same_size=same_size)
        if expected is not None:
            if is_measured and (same_size or n_tokens > 1):
                self._compare(n_tokens, seconds / expected)
            self._follow(kind, seconds / expected)
            self._n_uncompared += 1

    def _doubt(self, pace: float) -> None:
        """What was measured before tells how large passes compare with plain ones only while the machine is as fast."""
        assert self._first_plain is not None
        self._first_plain.append(pace)
        if len(self._first_plain) == _TELLING:
            pace, self._first_plain = median(self._first_plain), None
            if not 1 / _OTHER_MACHINE < pace < _OTHER_MACHINE:
                self._begin_anew(pace)

    def _begin_anew(self, pace: float) -> None:
        """With plain passes and guesses alone."""
        plain = {octave: curve[1].median for octave, curve in self._curves.items() if 1 in curve}
        self._curves = {octave: {1: _known_level(pace * seconds)} for octave, seconds in plain.items()}
        self._larger, self._switching = SpeedFactor(), MedianWindow()
        self._latest.clear()
        for source in (*self._guesses.values(), *self._catching_up.values()):
            source.scale(pace)

    def _learn(self, level: TypicalTime, usual: float, switch: float, *, is_plain: bool, same_size: bool) -> None:
        """What switching takes is told by plain passes alone, whose level it leaves alone: both could not be told."""
        if is_plain and not same_size:
            self._switching.add(usual - level.median)
        else:
            level.observe(_without_switch(usual, switch))

    def _least(self, kind: _Kind) -> float:
        """Of plain passes: as with a shorter text. How larger ones fared beside other programs says little of them."""
        octave, size = kind
        shorter = [o for o, curve in self._curves.items() if o < octave and curve.get(1)]
        return self._curves[max(shorter)][1].median / NEAR if shorter and size == 1 else 0.0

    def _follow(self, kind: _Kind, pace: float) -> None:
        self._latest.append((kind, pace))
        paces = [pace for _, pace in self._latest]
        self._pace_at_once = median(paces[-_AT_ONCE:])
        self.pace = median([1.0] * min(_BEFORE, _RECENT - len(paces)) + paces)

    def _pace_beside(self, kind: _Kind) -> float | None:
        """Of passes of other kinds just before. None: there were too few."""
        others = [pace for other, pace in list(self._latest)[-_BESIDE:] if other != kind]
        return median(others) if len(others) >= _FEWEST_BESIDE else None

    def record_measurement(self, n_tokens: int, seconds: float, times: int) -> None:
        """Before the first answer."""
        self._curves.setdefault(_octave(0), {})[n_tokens] = TypicalTime([seconds] * times)

    def observe_guess(self, source: str, seconds: float, n_past: int = 0) -> None:
        self._learn_beside_passes(self._guesses.setdefault(source, _SourceCosts()), _octave(n_past), seconds)

    def observe_catch_up(self, source: str, n_tokens: int, seconds: float) -> None:
        if n_tokens >= _BULK:
            self._learn_beside_passes(self._catching_up.setdefault(source, _SourceCosts()), 0, seconds / n_tokens)

    def _learn_beside_passes(self, source: "_SourceCosts", octave: int, seconds: float) -> None:
        usual = seconds / self._pace_at_once
        if source.levels and seconds > 0 and self._latest:
            self._follow_source(source, usual / source.usual(octave))
        level = source.levels.setdefault(octave, TypicalTime())
        if self._latest or not level.is_known:
            level.observe(usual / source.factor.value)

    def _follow_source(self, source: "_SourceCosts", ratio: float) -> None:
        """While it is in use its levels tell; the first measurement after a long time moves all of them."""
        if source.factor.deviation(self._n_passes) > _UNSURE:
            source.factor.observe(without_stall(ratio), self._n_passes)
        else:
            source.factor.confirm(self._n_passes)

    def _compare(self, size: int, pace: float) -> None:
        """A pass of several tokens with plain ones just before, or the other way round; each of these once."""
        recent = list(self._latest)[-min(_BESIDE, self._n_uncompared) :] if self._n_uncompared else []
        others = [other for (_, n), other in recent if (n == 1) != (size == 1)]
        if len(others) < _FEWEST_COMPARED or pace <= 0:
            return
        ratio = without_stall(pace / sorted(others)[(len(others) - 1) // 2])  # of two, one may be a stall
        self._larger.observe(1 / ratio if size == 1 else ratio, self._n_passes)
        self._compared_at_pace = self.pace
        self._n_uncompared = 0

    @property
    def wants_plain(self) -> bool:
        """Larger passes alone cannot tell a slow machine from one that is only slow at them."""
        same_pace = 1 / _OTHER_PACE < self.pace / self._compared_at_pace < _OTHER_PACE
        return not same_pace or self._larger.deviation(self._n_passes) > _UNSURE

    @property
    def larger_factor(self) -> float:
        return self._larger.value

    def _factor(self, size: int) -> float:
        return self._larger.value if size > 1 else 1.0

    # Telling

    @property
    def load(self) -> tuple[int, int]:
        """The load of a single answer."""
        return 1, 0

    @property
    def knows_plain(self) -> bool:
        return any(1 in curve for curve in self._curves.values())

    @property
    def sizes(self) -> set[int]:
        """Measured ones."""
        return {size for curve in self._curves.values() for size in curve}

    def passes(self, longest: int, n_past: int = 0) -> list[float]:
        """Returns the costs of passes over 1 to `longest` tokens; larger passes never cost less."""
        return [self.pace * seconds for seconds in self._usual_passes(longest, n_past)]

    def usual(self, size: int, n_past: int = 0) -> float:
        """Returns the usual cost for one size, at least that of a plain pass."""
        octave = _octave(n_past)
        plain = self._usual(1, octave)
        if size == 1:
            return plain
        this = self._usual(size, octave) if self._is_known(size) else self._usual_passes(size, n_past)[-1]
        return max(plain, min(this, DEAREST * size * plain))

    def relative(self, size: int) -> float:
        """What a pass of so many tokens usually takes, against a plain one."""
        return self.usual(size) / self.usual(1) if self.knows_plain else 1 + FIRST_SLOPE * (size - 1)

    def _usual_passes(self, longest: int, n_past: int) -> list[float]:
        points = self._points(_octave(n_past))
        if len(points) == 1:
            points.append((2 * points[0][0], (1 + FIRST_SLOPE) * points[0][1]))
        passes = list(interpolate(points, longest)) if points else [0.0] * longest
        return [min(seconds, DEAREST * size * passes[0]) for size, seconds in enumerate(passes, 1)]

    def _points(self, octave: int) -> list[tuple[int, float]]:
        """What is measured often enough not to be a stall; plain passes in any case."""
        counts = dict[int, int]()
        for curve in self._curves.values():
            for size, level in curve.items():
                counts[size] = max(counts.get(size, 0), len(level))
        sizes = sorted(size for size, count in counts.items() if count >= TRUSTED or size == 1)
        return isotonic_curve([(size, self._usual(size, octave), counts[size]) for size in sizes])

    def guess(self, source: str, n_past: int = 0) -> float | None:
        known = self._guesses.get(source)
        return known.usual(_octave(n_past)) * self.pace if known else None

    def catch_up(self, source: str, n_tokens: int) -> float | None:
        """Until it is known: as many guesses, which is more than a batch takes."""
        known = self._catching_up.get(source)
        each = known.usual(0) * self.pace if known else self.guess(source)
        return each * n_tokens if each is not None else None

    def pass_fact(self) -> PassFact:
        """Nothing where plain passes are not known well, which the others are compared with. What is told of them alone
        does not replace what was known.
        """
        curves = self._curves if self._is_known(1) else {}
        larger = (int(size) > 1 for curve in curves.values() for size in self._trusted(curve))
        if self._before is not None and not any(larger):
            return self._before
        return PassFact({str(o): self._trusted(curve) for o, curve in curves.items()}, self._switch)

    def guess_fact(self) -> GuessFact:
        return GuessFact(
            {
                name: {str(octave): known.usual(octave) for octave in known.levels}
                for name, known in self._guesses.items()
            },
            {name: known.usual(0) for name, known in self._catching_up.items()},
        )

    def learn_passes(self, fact: PassFact) -> None:
        """Restores costs from the last use of this target. Raises ValueError if they are impossible."""
        _require_time(fact.passes.values())
        self._before = fact
        self._curves = {
            int(octave): {int(size): _known_level(seconds) for size, seconds in curve.items()}
            for octave, curve in fact.passes.items()
        }
        self._switching = MedianWindow([fact.switching] * KNOWN)

    def learn_guesses(self, fact: GuessFact) -> None:
        """The same of the drafter, which only means something beside the passes."""
        _require_time([*fact.guesses.values(), fact.catching_up])
        self._guesses = {
            name: _SourceCosts({int(octave): seconds for octave, seconds in each.items()})
            for name, each in fact.guesses.items()
        }
        self._catching_up = {name: _SourceCosts({0: seconds}) for name, seconds in fact.catching_up.items()}

    @property
    def _switch(self) -> float:
        return max(0.0, self._switching.median) if len(self._switching) >= KNOWN else 0.0

    def _expected(self, size: int, n_past: int) -> float | None:
        """Of a size that is not known yet, but lies between others, or not far beyond."""
        if self._is_known(size):
            return None
        points = self._points(_octave(n_past))
        is_near = len(points) > 1 and points[0][0] < size < 2 * points[-1][0]
        return list(interpolate(points, size))[-1] if is_near else None

    def _is_known(self, size: int) -> bool:
        return any(size in curve and curve[size].is_known for curve in self._curves.values())

    def _usual(self, size: int, octave: int) -> float:
        """From the nearest context length at which this size was measured."""
        level = self._curves.get(octave, {}).get(size)
        if level is not None and len(level) >= TRUSTED:
            return level.median * self._factor(size)
        octaves = [o for o, curve in self._curves.items() if size in curve]
        nearest = min(octaves, key=lambda o: (len(self._curves[o][size]) < TRUSTED, abs(o - octave)))
        seconds = self._curves[nearest][size].median * self._factor(size)
        here, there = self._curves.get(octave, {}).get(1), self._curves[nearest].get(1)
        return seconds * here.median / there.median if nearest != octave and here and there else seconds

    def _trusted(self, curve: Curve) -> dict[str, float]:
        return {str(n): level.median * self._factor(n) for n, level in curve.items() if len(level) >= TRUSTED}


class _SourceCosts:
    """What a guess of a source takes, by octave."""

    def __init__(self, known: Mapping[int, float] | None = None) -> None:
        self.levels = {octave: _known_level(seconds) for octave, seconds in (known or {}).items()}
        self.factor = SpeedFactor()

    def scale(self, factor: float) -> None:
        self.levels = {octave: _known_level(factor * level.median) for octave, level in self.levels.items()}
        self.factor = SpeedFactor()

    def usual(self, octave: int) -> float:
        """Uses the nearest octave, preferring those with enough measurements."""
        levels = self.levels
        nearest = min(levels, key=lambda other: (len(levels[other]) < TRUSTED, abs(other - octave)))
        return levels[nearest].median * self.factor.value


def _first_guess(usual: float, switch: float, expected: float | None) -> float:
    """Of what a pass usually takes."""
    if expected is not None and not 1 / _FAR < usual / expected < _FAR:
        return expected
    return _without_switch(usual, switch)


def _without_switch(usual: float, switch: float) -> float:
    return max(usual - switch, 0.5 * usual)


def _require_time(known: Iterable[Mapping[str, float]]) -> None:
    if any(seconds <= 0 for each in known for seconds in each.values()):
        raise ValueError("nothing takes no time")


def _known_level(seconds: float) -> TypicalTime:
    return TypicalTime([seconds] * KNOWN)


def _octave(n_past: int) -> int:
    return max(_SHORTEST_OCTAVE, n_past.bit_length())
