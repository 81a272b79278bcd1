"""Is another guess worth its time? Worked out for every place in a step before it begins.

All values are in tokens: what is gained, less the time it takes at the rate at which tokens come anyway. With the
guesses drawn so far all right with probability S, going on after j of them brings

    go(j, S) = -rate x guess + sum over chances p of: max(S p + best(j + 1, S p), stop(j))
    best(j, S) = max(stop(j), go(j, S)),    stop(j) = -rate x pass(j)

and a guess that turned out doubtful need not be verified. S lives on a logarithmic grid.
"""

from collections.abc import Sequence
from math import log

import numpy as np

from specchat.engine.confidence import Outlook

_STEP = 0.12
_CELLS = 36
_GRID = np.exp(-_STEP * np.arange(_CELLS))
_ALL = np.arange(_CELLS)
_NEVER = 2.0
"""No probability is as large."""


class Horizon:
    def __init__(self, passes: Sequence[float], guess_s: float, outlook: Outlook, rate: float) -> None:
        """`passes[k]`: verifying k guesses."""
        self._longest = longest = len(passes) - 1
        self.depth = 0
        """After so many guesses another may still be worth its time."""
        weights = np.array([weight for weight, _ in outlook])
        chances = np.clip([chance for _, chance in outlook], 1e-3, 0.999)
        shifts = np.rint(-np.log(chances) / _STEP).astype(np.intp)
        places = np.minimum(_ALL[None, :] + shifts[:, None], _CELLS - 1)
        drawn = chances[:, None] * _GRID[None, :]
        self._needed = [_NEVER] * (longest + 1)
        self._gains = [np.zeros(_CELLS)] * (longest + 1)
        best = np.zeros((2, _CELLS))
        """Tokens and seconds."""
        best[1] = passes[longest]
        stopping = np.zeros((2, 1))
        for j in range(longest - 1, -1, -1):
            stopping[1] = passes[j]
            stop = -rate * passes[j]
            then = best[:, places]
            then[0] += drawn
            verified = then[0] - rate * then[1] > stop
            going = weights @ np.where(verified, then, stopping[:, :, None])
            going[1] += guess_s
            gains = going[0] - rate * going[1] - stop
            worth = gains > 0
            if worth[0]:
                self.depth = max(self.depth, j + 1)
                self._needed[j] = float(_GRID[worth.argmin() - 1] if not worth.all() else 0.0)
            self._gains[j] = gains
            best = np.where(worth, going, stopping)
        tokens, seconds = best[:, 0]
        self.rate = float((1.0 + tokens) / seconds)
        """Tokens per second of steps as they are planned here: the rate to plan with next."""

    def gain(self, n_guessed: int = 0, all_right: float = 1.0) -> float:
        """Tokens that going on is worth."""
        if n_guessed >= self._longest:
            return 0.0
        return float(self._gains[n_guessed][min(int(-log(max(all_right, 1e-9)) / _STEP), _CELLS - 1)])

    def worth_another(self, n_guessed: int, all_right: float) -> bool:
        return n_guessed < self._longest and all_right >= self._needed[n_guessed]


def best_prefix(chances: Sequence[float], passes: Sequence[float], rate: float) -> int:
    """How many of these guesses to verify where tokens come at this rate anyway."""
    all_right, tokens, best, most = 1.0, 0.0, 0, -rate * passes[0]
    for k, chance in enumerate(chances[: len(passes) - 1], 1):
        all_right *= chance
        tokens += all_right
        here = tokens - rate * passes[k]
        if here > most:
            best, most = k, here
    return best


def fastest_prefix(chances: Sequence[float], passes: Sequence[float]) -> tuple[int, float]:
    """How many of these guesses to verify, and the rate that gives, where such guesses go on coming."""
    all_right, tokens, best, fastest = 1.0, 1.0, 0, 1.0 / passes[0]
    for k, chance in enumerate(chances[: len(passes) - 1], 1):
        all_right *= chance
        tokens += all_right
        if tokens > fastest * passes[k]:
            best, fastest = k, tokens / passes[k]
    return best, fastest
