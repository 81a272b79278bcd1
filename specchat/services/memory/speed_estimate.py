"""Roughly estimates how fast a model answers, to rank models and predict times."""

from specchat.backends.cores import physical_cores

_READ_BY_A_CORE = 6e9
"""Bytes a second, of weights: each token needs all that a model reads for one."""
_MOST_READ = 40e9
"""However many cores there are: the memory of a usual computer gives no more."""
DEFAULT_CORES = 4
_SLOWEST, _FASTEST = 0.1, 200.0


def estimate_speed(read: float, cores: int = DEFAULT_CORES) -> float:
    """Tokens per second on a processor, without guesses. `read`: bytes for each token."""
    return min(_FASTEST, max(_SLOWEST, min(_MOST_READ, cores * _READ_BY_A_CORE) / max(1.0, read)))


def estimate_speed_here(read: float) -> float:
    return estimate_speed(read, physical_cores())
