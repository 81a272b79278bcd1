"""Plans how far to guess: the value of one more guess at every point of a step.

All values are in tokens: the expected gain, minus the time it takes times the rate at which tokens come anyway. If all
of the j guesses so far are right with probability S, the value of going on is

    go(j, S) = -rate x guess + sum over chances p of: max(S p + best(j + 1, S p), stop(j))
    best(j, S) = max(stop(j), go(j, S)),    stop(j) = -rate x pass(j)

and a guess that turns out to be doubtful need not be verified. S is represented on a logarithmic grid.
"""

from collections.abc import Callable, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from specchat.engine.confidence import Outlook

_STEP = 0.12
_CELLS = 36
_LAST = _CELLS - 1
_ALL = np.arange(_CELLS)
_GRID = np.exp(-_STEP * _ALL)
_FALLEN = np.where(_ALL[:, None] >= _ALL, _ALL[:, None] - _ALL, _CELLS)
"""The number of cells from one cell down to another. `_CELLS` stands for upward moves, which don't exist."""
_NEVER = 2.0
"""A threshold that no probability reaches."""
_FIRST_APPROXIMATIONS = 3

_Floats = NDArray[np.float64]


class Horizon:
    def __init__(
        self, passes: Sequence[float], guess_s: float, outlook: Outlook, rate: float, *, is_block: bool = False
    ) -> None:
        """`passes[k]`: seconds to verify k guesses. `is_block`: all guesses together take `guess_s`."""
        self._longest = longest = len(passes) - 1
        drawn, moved, worth_in_tokens = np.array([_GRID, 0 * _GRID]), _moves(outlook), np.array([1.0, -rate])
        stopping = np.zeros((longest + 1, 2, 1))
        stopping[:, 1, 0] = passes
        stop = [-rate * seconds for seconds in passes]
        first, others = np.array([[0.0], [guess_s]]), np.array([[0.0], [0.0 if is_block else guess_s]])
        best = np.broadcast_to(stopping[longest], (2, _CELLS))
        """Expected tokens and seconds of the best decision, by cell."""
        self._gains = gains = np.zeros((longest + 1, _CELLS))
        for j in range(longest - 1, -1, -1):
            then = best + drawn
            verified = worth_in_tokens @ then > stop[j]
            going = np.where(verified, then, stopping[j]) @ moved + (others if j else first)
            np.subtract(worth_in_tokens @ going, stop[j], out=gains[j])
            best = np.where(gains[j] > 0, going, stopping[j])
        worth = gains > 0
        self._needed = np.where(worth[:, 0], _needed(worth), _NEVER).tolist()
        self.depth = int(max(np.flatnonzero(worth[:, 0]), default=-1)) + 1
        """The largest number of guesses that may be worth making."""
        self.pays = bool(worth[0, 0])
        """Whether guessing pays off at all, if the draft has nothing to read first."""
        tokens, seconds = best[:, 0]
        self.rate = float((1.0 + tokens) / seconds)
        """Tokens per second with this plan: the rate for the next plan."""

    def gain(self, n_guessed: int = 0, all_right: float = 1.0) -> float:
        """The value of one more guess, in tokens."""
        if n_guessed >= self._longest:
            return 0.0
        return float(self._gains[n_guessed, min(int(-log(max(all_right, 1e-9)) / _STEP), _LAST)])

    def worth_another(self, n_guessed: int, all_right: float) -> bool:
        return n_guessed < self._longest and all_right >= self._needed[n_guessed]


def solve_horizon(plan: Callable[[float], Horizon], rate: float = 0.0) -> Horizon:
    """Makes a plan with the rate that it reaches itself, by iteration. With an earlier plan's rate, one iteration is
    enough.
    """
    for _ in range(1 if rate else _FIRST_APPROXIMATIONS):
        horizon = plan(rate)
        rate = horizon.rate
    return horizon


def _moves(outlook: Outlook) -> _Floats:
    """The probability that a guess leads from one cell to another, for each pair of cells."""
    falls = [0.0] * (_CELLS + 1)
    for weight, chance in outlook:
        chance = min(max(chance, 1e-3), 0.999)
        falls[min(round(-log(chance) / _STEP), _LAST)] += weight
    moves: _Floats = np.array(falls)[_FALLEN]
    moves[_LAST] = np.cumsum(falls[_LAST::-1])
    return moves


def _needed(worth: NDArray[np.bool_]) -> _Floats:
    """The minimum probability at which another guess is worthwhile, by the number of guesses so far."""
    return np.where(worth.all(axis=1), 0.0, _GRID[worth.argmin(axis=1) - 1])


def best_prefix(chances: Sequence[float], passes: Sequence[float], rate: float) -> int:
    """Returns how many of these guesses to verify if tokens come at this rate anyway."""
    all_right, tokens, best, most = 1.0, 0.0, 0, -rate * passes[0]
    for k, chance in enumerate(chances[: len(passes) - 1], 1):
        all_right *= chance
        tokens += all_right
        here = tokens - rate * passes[k]
        if here > most:
            best, most = k, here
    return best


def fastest_prefix(chances: Sequence[float], passes: Sequence[float]) -> tuple[int, float]:
    """Returns how many of these guesses to verify, and the resulting rate if such guesses keep coming."""
    all_right, tokens, best, fastest = 1.0, 1.0, 0, 1.0 / passes[0]
    for k, chance in enumerate(chances[: len(passes) - 1], 1):
        all_right *= chance
        tokens += all_right
        if tokens > fastest * passes[k]:
            best, fastest = k, tokens / passes[k]
    return best, fastest
