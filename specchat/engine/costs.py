"""What passes and guesses take here, learned while answering: medians, because machines stall.

A pass takes the machine's pace times what a pass of its size usually takes at this length of the context. The pace
tells of all sizes what only those in use show: that the machine is slower at present. What passes of one size usually
take is only learned beside passes of others: many in a row tell of the machine, not of their size.
"""

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_WINDOW = 31
_RECENT = 15
_BEFORE = 3
"""Passes at the usual pace that are taken to have been before the first."""
_BESIDE = 8
"""The latest passes, with which one is compared; at least `_FEWEST_BESIDE` of them of another size."""
_FEWEST_BESIDE = 3
_AT_ONCE = 3
"""The latest passes, which tell at which pace a guess was made."""
_KNOWN = 5
"""So many make a level a measure for the pace."""
_NEAR = 1.3
"""Times: one measurement says no more than that a level is so much off, as the pace is followed with a delay."""
DEAREST = 1.2
"""Times as long as so many plain passes: no batch takes longer, however busy the computer was when it was measured."""
_FAR = 2.0
"""Times as long as expected: that is the machine, not the size."""
_TRUSTED = 2
"""Measurements; a single one may be a stall."""
_FIRST_SLOPE = 0.2
"""Of a pass: what each further token is taken to add until that is measured."""
_SHORTEST_OCTAVE = 8
_BULK = 8
"""From so many tokens on, what a draft missed is a batch and no step."""

Curve = dict[int, "_Level"]
_Kind = tuple[int, int]
"""Octave and size."""


@dataclass(frozen=True, slots=True)
class PassFact:
    """Of a target, with whatever draft. Medians, by what they are of; keys are text as in JSON."""

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
        self._switching = _Window()
        """What a pass takes longer for having another size than the one before."""
        self._guesses: dict[str, dict[int, _Level]] = {}
        """By source, then by octave: a small draft feels the context's length more than its target does."""
        self._catching_up: dict[str, _Level] = {}
        """For each token of a batch."""
        self._last_size = 0

    def observe_pass(self, n_tokens: int, seconds: float, n_past: int = 0) -> None:
        same_size, self._last_size = n_tokens == self._last_size, n_tokens
        octave = _octave(n_past)
        level = self._curves.get(octave, {}).get(n_tokens, _Level())
        if not level and n_tokens == 1 and not same_size:
            return
        switch = 0.0 if same_size else self._switch
        kind = octave, n_tokens
        beside = self._pace_beside(kind)
        expected = level.median + switch if level.is_known else self._expected(n_tokens, n_past)
        if expected is not None:
            self._follow(kind, seconds / expected)
        if not level.is_known:
            self._curves.setdefault(octave, {})[n_tokens] = level
            level.observe(_first_guess(seconds, beside or self.pace, switch, expected))
        elif beside is not None:
            self._learn(level, seconds / beside, switch, is_plain=n_tokens == 1, same_size=same_size)

    def _learn(self, level: "_Level", usual: float, switch: float, *, is_plain: bool, same_size: bool) -> None:
        """What switching takes is told by plain passes alone, whose level it leaves alone: both could not be told."""
        if is_plain and not same_size:
            self._switching.add(usual - level.median)
        else:
            level.observe(_without_switch(usual, switch))

    def _follow(self, kind: _Kind, pace: float) -> None:
        self._latest.append((kind, pace))
        paces = [pace for _, pace in self._latest]
        self._pace_at_once = _median(paces[-_AT_ONCE:])
        self.pace = _median([1.0] * min(_BEFORE, _RECENT - len(paces)) + paces)

    def _pace_beside(self, kind: _Kind) -> float | None:
        """Of passes of other kinds just before. None: there were too few."""
        others = [pace for other, pace in list(self._latest)[-_BESIDE:] if other != kind]
        return _median(others) if len(others) >= _FEWEST_BESIDE else None

    def measured(self, n_tokens: int, seconds: float, times: int) -> None:
        """Before the first answer."""
        self._curves.setdefault(_octave(0), {})[n_tokens] = _Level([seconds] * times)

    def observe_guess(self, source: str, seconds: float, n_past: int = 0) -> None:
        self._learn_beside_passes(self._guesses.setdefault(source, {}).setdefault(_octave(n_past), _Level()), seconds)

    def observe_catch_up(self, source: str, n_tokens: int, seconds: float) -> None:
        if n_tokens >= _BULK:
            self._learn_beside_passes(self._catching_up.setdefault(source, _Level()), seconds / n_tokens)

    def _learn_beside_passes(self, level: "_Level", seconds: float) -> None:
        if self._latest or not level.is_known:
            level.observe(seconds / self._pace_at_once)

    @property
    def knows_plain(self) -> bool:
        return any(1 in curve for curve in self._curves.values())

    @property
    def sizes(self) -> set[int]:
        """Measured ones."""
        return {size for curve in self._curves.values() for size in curve}

    def passes(self, longest: int, n_past: int = 0) -> list[float]:
        """Of 1 to `longest` tokens, after a pass of the same size; a larger one never takes less."""
        return [self.pace * seconds for seconds in self._usual_passes(longest, n_past)]

    def usual(self, size: int, n_past: int = 0) -> float:
        """Of one size, whatever the pace is; never less than a plain one takes."""
        octave = _octave(n_past)
        plain = self._usual(1, octave)
        this = self._usual(size, octave) if self._is_known(size) else self._usual_passes(size, n_past)[-1]
        return max(plain, min(this, DEAREST * size * plain))

    def _usual_passes(self, longest: int, n_past: int) -> list[float]:
        points = self._points(_octave(n_past))
        if len(points) == 1:
            points.append((2 * points[0][0], (1 + _FIRST_SLOPE) * points[0][1]))
        passes = list(_along(points, longest)) if points else [0.0] * longest
        return [min(seconds, DEAREST * size * passes[0]) for size, seconds in enumerate(passes, 1)]

    def _points(self, octave: int) -> list[tuple[int, float]]:
        """What is measured often enough not to be a stall; plain passes in any case."""
        counts = dict[int, int]()
        for curve in self._curves.values():
            for size, level in curve.items():
                counts[size] = max(counts.get(size, 0), len(level))
        sizes = sorted(size for size, count in counts.items() if count >= _TRUSTED or size == 1)
        return _rising([(size, self._usual(size, octave), counts[size]) for size in sizes])

    def guess(self, source: str, n_past: int = 0) -> float | None:
        octaves = self._guesses.get(source)
        if not octaves:
            return None
        octave = _octave(n_past)
        nearest = min(octaves, key=lambda o: (len(octaves[o]) < _TRUSTED, abs(o - octave)))
        return octaves[nearest].median * self.pace

    def catch_up(self, source: str, n_tokens: int) -> float | None:
        """Until it is known: as many guesses, which is more than a batch takes."""
        known = self._catching_up.get(source)
        each = known.median * self.pace if known else self.guess(source)
        return each * n_tokens if each is not None else None

    def pass_fact(self) -> PassFact:
        """Nothing where plain passes are not known well, which the others are compared with."""
        curves = self._curves if self._is_known(1) else {}
        return PassFact({str(o): _trusted(curve) for o, curve in curves.items()}, self._switch)

    def guess_fact(self) -> GuessFact:
        guesses = {name: {str(o): window for o, window in each.items()} for name, each in self._guesses.items()}
        return GuessFact({name: _medians(each) for name, each in guesses.items()}, _medians(self._catching_up))

    def learn_passes(self, fact: PassFact) -> None:
        """What was known when this target was last in use. Raises ValueError where that cannot be."""
        _require_time(fact.passes.values())
        self._curves = {
            int(octave): {int(size): _known_level(seconds) for size, seconds in curve.items()}
            for octave, curve in fact.passes.items()
        }
        self._switching = _Window([fact.switching] * _KNOWN)

    def learn_guesses(self, fact: GuessFact) -> None:
        """The same of the drafter, which only means something beside the passes."""
        _require_time([*fact.guesses.values(), fact.catching_up])
        self._guesses = {
            name: {int(octave): _known_level(seconds) for octave, seconds in each.items()}
            for name, each in fact.guesses.items()
        }
        self._catching_up = {name: _known_level(seconds) for name, seconds in fact.catching_up.items()}

    @property
    def _switch(self) -> float:
        return max(0.0, self._switching.median) if len(self._switching) >= _KNOWN else 0.0

    def _expected(self, size: int, n_past: int) -> float | None:
        """Of a size that is not known yet, but lies between others, or not far beyond."""
        if self._is_known(size):
            return None
        points = self._points(_octave(n_past))
        is_near = len(points) > 1 and points[0][0] < size < 2 * points[-1][0]
        return list(_along(points, size))[-1] if is_near else None

    def _is_known(self, size: int) -> bool:
        return any(size in curve and curve[size].is_known for curve in self._curves.values())

    def _usual(self, size: int, octave: int) -> float:
        """From the nearest context length at which this size was measured."""
        octaves = [o for o, curve in self._curves.items() if size in curve]
        nearest = min(octaves, key=lambda o: (len(self._curves[o][size]) < _TRUSTED, abs(o - octave)))
        seconds = self._curves[nearest][size].median
        here, there = self._curves.get(octave, {}).get(1), self._curves[nearest].get(1)
        return seconds * here.median / there.median if nearest != octave and here and there else seconds


class _Window:
    __slots__ = ("_ordered", "_values")

    def __init__(self, values: Iterable[float] = ()) -> None:
        self._values = deque(values)
        self._ordered = sorted(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def add(self, value: float) -> None:
        if len(self._values) == _WINDOW:
            del self._ordered[bisect_left(self._ordered, self._values.popleft())]
        self._values.append(value)
        insort(self._ordered, value)

    @property
    def median(self) -> float:
        return self._ordered[len(self._ordered) // 2]


class _Level(_Window):
    """What a pass of one size, or a guess, usually takes."""

    __slots__ = ()

    @property
    def is_known(self) -> bool:
        return len(self) >= _KNOWN

    def observe(self, seconds: float) -> None:
        self.add(max(self.median / _NEAR, min(seconds, self.median * _NEAR)) if self.is_known else seconds)


def _first_guess(seconds: float, pace: float, switch: float, expected: float | None) -> float:
    """Of what a pass usually takes."""
    usual = seconds / pace
    if expected is not None and not 1 / _FAR < usual / expected < _FAR:
        return expected
    return _without_switch(usual, switch)


def _without_switch(usual: float, switch: float) -> float:
    return max(usual - switch, 0.5 * usual)


def _medians(windows: Mapping[str, _Window]) -> dict[str, float]:
    return {name: window.median for name, window in windows.items()}


def _trusted(curve: Curve) -> dict[str, float]:
    return {str(size): level.median for size, level in curve.items() if len(level) >= _TRUSTED}


def _require_time(known: Iterable[Mapping[str, float]]) -> None:
    if any(seconds <= 0 for each in known for seconds in each.values()):
        raise ValueError("nothing takes no time")


def _known_level(seconds: float) -> _Level:
    return _Level([seconds] * _KNOWN)


def _median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def _octave(n_past: int) -> int:
    return max(_SHORTEST_OCTAVE, n_past.bit_length())


def _rising(points: list[tuple[int, float, int]]) -> list[tuple[int, float]]:
    """The nearest curve that never falls: neighbours that do share their mean."""
    blocks: list[tuple[list[int], float, int]] = []
    for size, seconds, weight in points:
        sizes = [size]
        while blocks and blocks[-1][1] >= seconds:
            before, mean, count = blocks.pop()
            seconds = (mean * count + seconds * weight) / (count + weight)
            sizes, weight = before + sizes, count + weight
        blocks.append((sizes, seconds, weight))
    return [(size, seconds) for sizes, seconds, _ in blocks for size in sizes]


def _along(points: list[tuple[int, float]], longest: int) -> Iterator[float]:
    """For 1 to `longest`: on the line between the nearest measured sizes, or on through the last two."""
    at = 1
    for size in range(1, longest + 1):
        while points[at][0] < size and at < len(points) - 1:
            at += 1
        (left, low), (right, high) = points[at - 1], points[at]
        yield max(0.0, low + (high - low) * (size - left) / (right - left))
