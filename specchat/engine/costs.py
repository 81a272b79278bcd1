"""Learns what passes and guesses cost while answering, as medians, which ignore stalls.

The time of a pass is the machine's current pace times the usual time of a pass of its size at this context length. The
pace is observed on the sizes in use, but applies to all sizes. The usual time of a size is learned only if there were
passes of other sizes just before; many passes of one size in a row tell about the machine, not about the size.

Passes of several tokens share a factor relative to plain passes, and so do the guesses of a source. This factor adapts
quickly, so a few passes of any size correct what was measured while the computer was busy.
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
"""The number of passes at the usual pace that are assumed before the first one."""
_BESIDE = 8
"""A pass is compared with so many passes before it, of which at least `_FEWEST_BESIDE` must have another size."""
_FEWEST_BESIDE = 3
_FEWEST_COMPARED = 2
"""The minimum number of plain passes to compare a larger pass with, or the other way round."""
_AT_ONCE = 3
"""The number of latest passes that determine the pace of a guess."""
_TELLING, _OTHER_MACHINE = 3, 1.5
"""After loading, so many plain passes tell whether the machine is still as fast as measured, within this factor."""
DEAREST = 1.0
"""A batch of n tokens takes at most this times n plain passes, even if it was measured on a busy computer."""
_FAR = 2.0
"""If a pass takes more than this times the expected time, the machine is the cause, not the size."""
_OTHER_PACE, _UNSURE = 1.3, 0.3
"""Plain passes are needed for a new comparison if the pace has changed by this factor since the last one, or if the
deviation of the larger passes' factor exceeds this."""
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
        """Usual times by the octave of the context's length, then by size."""
        self.pace = 1.0
        """The current time of a pass relative to the usual one; above 1, the machine is slower."""
        self._pace_at_once = 1.0
        self._latest = deque[tuple[_Kind, float]](maxlen=_RECENT)
        self._larger = SpeedFactor()
        """The factor of passes of several tokens: their current time relative to their levels and to plain passes."""
        self._compared_at_pace = 1.0
        self._n_uncompared = 0
        """Passes since the last comparison of larger passes with plain ones."""
        self._first_plain: list[float] | None = []
        """Times of the first plain passes after loading, relative to the known time. None once there were enough."""
        self._before: PassFact | None = None
        """The costs from the last use of this target."""
        self._switching = MedianWindow()
        """The additional time of a pass whose size differs from the previous one."""
        self._guesses: dict[str, _SourceCosts] = {}
        """Costs of guesses by source, then octave: the context's length affects a small draft more than its target."""
        self._catching_up: dict[str, _SourceCosts] = {}
        """Costs of reading missed tokens by source: seconds per token of a batch, at any context length."""
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
        """Checks whether earlier measurements still apply: they don't if the machine is now faster or slower."""
        assert self._first_plain is not None
        self._first_plain.append(pace)
        if len(self._first_plain) == _TELLING:
            pace, self._first_plain = median(self._first_plain), None
            if not 1 / _OTHER_MACHINE < pace < _OTHER_MACHINE:
                self._begin_anew(pace)

    def _begin_anew(self, pace: float) -> None:
        """Keeps only the costs of plain passes and guesses, scaled to the new pace."""
        plain = {octave: curve[1].median for octave, curve in self._curves.items() if 1 in curve}
        self._curves = {octave: {1: _known_level(pace * seconds)} for octave, seconds in plain.items()}
        self._larger, self._switching = SpeedFactor(), MedianWindow()
        self._latest.clear()
        for source in (*self._guesses.values(), *self._catching_up.values()):
            source.scale(pace)

    def _learn(self, level: TypicalTime, usual: float, switch: float, *, is_plain: bool, same_size: bool) -> None:
        """A plain pass after a larger one teaches only the cost of switching; it can't teach its level as well."""
        if is_plain and not same_size:
            self._switching.add(usual - level.median)
        else:
            level.observe(_without_switch(usual, switch))

    def _least(self, kind: _Kind) -> float:
        """The least plausible level: a plain pass takes as long as with a shorter context. 0 for larger passes."""
        octave, size = kind
        shorter = [o for o, curve in self._curves.items() if o < octave and curve.get(1)]
        return self._curves[max(shorter)][1].median / NEAR if shorter and size == 1 else 0.0

    def _follow(self, kind: _Kind, pace: float) -> None:
        self._latest.append((kind, pace))
        paces = [pace for _, pace in self._latest]
        self._pace_at_once = median(paces[-_AT_ONCE:])
        self.pace = median([1.0] * min(_BEFORE, _RECENT - len(paces)) + paces)

    def _pace_beside(self, kind: _Kind) -> float | None:
        """The pace of passes of other kinds just before. None if there were too few."""
        others = [pace for other, pace in list(self._latest)[-_BESIDE:] if other != kind]
        return median(others) if len(others) >= _FEWEST_BESIDE else None

    def record_measurement(self, n_tokens: int, seconds: float, times: int) -> None:
        """Records a measurement made before the first answer, with the weight of `times` passes."""
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
        """The first measurement after a long time scales all levels of the source; later ones change single levels."""
        if source.factor.deviation(self._n_passes) > _UNSURE:
            source.factor.observe(without_stall(ratio), self._n_passes)
        else:
            source.factor.confirm(self._n_passes)

    def _compare(self, size: int, pace: float) -> None:
        """Compares a larger pass with the plain passes just before, or vice versa. Each pass is used only once."""
        recent = list(self._latest)[-min(_BESIDE, self._n_uncompared) :] if self._n_uncompared else []
        others = [other for (_, n), other in recent if (n == 1) != (size == 1)]
        if len(others) < _FEWEST_COMPARED or pace <= 0:
            return
        ratio = without_stall(pace / sorted(others)[(len(others) - 1) // 2])  # one of two may be a stall
        self._larger.observe(1 / ratio if size == 1 else ratio, self._n_passes)
        self._compared_at_pace = self.pace
        self._n_uncompared = 0

    @property
    def wants_plain(self) -> bool:
        """Whether plain passes are needed: larger passes alone can't show whether the whole machine is slow."""
        same_pace = 1 / _OTHER_PACE < self.pace / self._compared_at_pace < _OTHER_PACE
        return not same_pace or self._larger.deviation(self._n_passes) > _UNSURE

    @property
    def larger_factor(self) -> float:
        return self._larger.value

    def _factor(self, size: int) -> float:
        return self._larger.value if size > 1 else 1.0

    # Reporting

    @property
    def load(self) -> tuple[int, int]:
        """The load of a single answer."""
        return 1, 0

    @property
    def knows_plain(self) -> bool:
        return any(1 in curve for curve in self._curves.values())

    @property
    def sizes(self) -> set[int]:
        """The sizes that were measured."""
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
        """The usual time of a pass over `size` tokens, relative to a plain pass."""
        return self.usual(size) / self.usual(1) if self.knows_plain else 1 + FIRST_SLOPE * (size - 1)

    def _usual_passes(self, longest: int, n_past: int) -> list[float]:
        points = self._points(_octave(n_past))
        if len(points) == 1:
            points.append((2 * points[0][0], (1 + FIRST_SLOPE) * points[0][1]))
        passes = list(interpolate(points, longest)) if points else [0.0] * longest
        return [min(seconds, DEAREST * size * passes[0]) for size, seconds in enumerate(passes, 1)]

    def _points(self, octave: int) -> list[tuple[int, float]]:
        """Usual times of sizes that were measured often enough to exclude stalls, and of plain passes in any case."""
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
        """Until it has been measured, assumes the time of `n_tokens` guesses, which is more than a batch takes."""
        known = self._catching_up.get(source)
        each = known.usual(0) * self.pace if known else self.guess(source)
        return each * n_tokens if each is not None else None

    def pass_fact(self) -> PassFact:
        """The costs to remember. Empty if plain passes are not known well, because other costs are relative to them. If
        only plain passes were measured, the costs from the last use are kept.
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
        """Restores the costs of guesses, which are meaningful only together with the costs of passes."""
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
        """The interpolated time of a size that is not known yet. None if it is known, or too far from known ones."""
        if self._is_known(size):
            return None
        points = self._points(_octave(n_past))
        is_near = len(points) > 1 and points[0][0] < size < 2 * points[-1][0]
        return list(interpolate(points, size))[-1] if is_near else None

    def _is_known(self, size: int) -> bool:
        return any(size in curve and curve[size].is_known for curve in self._curves.values())

    def _usual(self, size: int, octave: int) -> float:
        """The usual time, from the nearest context length at which this size was measured."""
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
    """The usual time of a guess of one source, by octave."""

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
    """The first estimate of what a pass usually takes."""
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
