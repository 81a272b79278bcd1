"""Noise that is a function of seed, position and token alone.

Target and draft pick the best of log p + noise with the same noise, so what is emitted depends on the target's
logits and the seed only: any draft, or none, gives the same text (Daliri, Musco, Suresh 2024, arXiv 2408.07978).
"""

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _mix(x: int) -> int:
    """The finalizer of splitmix64."""
    x &= _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def _mix_array(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def uniform(seed: int, position: int, tokens: NDArray[np.integer]) -> NDArray[np.float64]:
    """Returns numbers strictly between 0 and 1."""
    key = _mix(_mix(seed + _GOLDEN) + position * _GOLDEN)
    mixed = _mix_array((tokens.astype(np.uint64) + np.uint64(1)) * np.uint64(_GOLDEN) ^ np.uint64(key))
    result: NDArray[np.float64] = ((mixed >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return result


def gumbel(seed: int, position: int, tokens: NDArray[np.integer]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = -np.log(-np.log(uniform(seed, position, tokens)))
    return result
