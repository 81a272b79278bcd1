"""Estimates the memory use of a model when only its size is known."""

from collections.abc import Sequence
from math import sqrt

from specchat.domain.types import Device

_BESIDES = 2**28
"""Bytes beside a model's weights, for its cache of 4096 tokens and for computing, with 10^9 parameters."""


def free_memory(devices: Sequence[Device]) -> int:
    """llama.cpp spreads a model over all; a graphics card without memory of its own adds none."""
    return sum(device.free for device in devices if device.kind in ("cpu", "gpu"))


def estimate_needed(size: int, parameters: int) -> int:
    return size + round(_BESIDES * sqrt(parameters / 1e9))
