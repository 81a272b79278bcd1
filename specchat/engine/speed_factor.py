"""A factor shared by many measurements, which adapts faster the less is known about it.

It is a Kalman filter of the factor's logarithm: an observation counts more the more uncertain the factor has become
since the last one. After a long time a single observation is trusted; among many, one counts little.
"""

from math import exp, log, sqrt

_UNKNOWN = 0.25
"""The variance of the logarithm before the first observation, and after a long time without any."""
_DRIFT = 0.0005
"""The variance that each pass adds."""
_NOISE = 0.04
"""The variance of one observation."""
_STALL, _QUICK = 2.5, 10.0
"""Ratios are limited to these, because longer or shorter times have other causes."""


class SpeedFactor:
    def __init__(self) -> None:
        self._log = 0.0
        self._variance = _UNKNOWN
        self._at = 0

    @property
    def value(self) -> float:
        return exp(self._log)

    def deviation(self, n_passes: int) -> float:
        """Returns the standard deviation of the factor's logarithm."""
        return sqrt(self._variance_at(n_passes))

    def observe(self, ratio: float, n_passes: int) -> None:
        """`ratio`: measured time by expected time, including the factor. `n_passes`: passes made so far, as a clock."""
        before = self._variance_at(n_passes)
        gain = before / (before + _NOISE)
        self._log += gain * log(ratio)
        self._variance, self._at = (1 - gain) * before, n_passes

    def confirm(self, n_passes: int) -> None:
        """Records that the factor is as well known as before."""
        self._at = n_passes

    def _variance_at(self, n_passes: int) -> float:
        return min(self._variance + _DRIFT * (n_passes - self._at), _UNKNOWN)


def without_stall(ratio: float) -> float:
    return max(1 / _QUICK, min(ratio, _STALL))
