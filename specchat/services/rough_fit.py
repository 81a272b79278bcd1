"""Whether a model would fit, while nothing but its size is known."""

from collections.abc import Sequence

from specchat.domain.types import Device
from specchat.services.pair_memory import TIGHT
from specchat.services.pair_values import Fit

_BITS = 4.8
"""Of each weight in the usual quantisation, Q4_K_M."""
_SHARE, _LEAST = 0.05, 500_000_000
"""What the context and computing take besides the weights."""


def free_memory(devices: Sequence[Device]) -> int:
    """llama.cpp spreads a model over all; a graphics card without memory of its own adds none."""
    return sum(device.free for device in devices if device.kind in ("cpu", "gpu"))


def usual_size(parameters: int) -> int:
    return round(parameters * _BITS / 8)


def rough_fit(size: int, free: int) -> Fit:
    needed = size * (1 + _SHARE) + _LEAST
    return Fit.DOES_NOT_FIT if needed > free else Fit.TIGHT if needed > TIGHT * free else Fit.FITS
