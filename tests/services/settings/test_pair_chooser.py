"""Whether models fit beside each other."""

import pytest

from specchat.domain.memory import MemoryBreakdown
from specchat.services.models.pair_fit import DeviceFit, Fit, PairFit
from specchat.services.settings.pair_chooser import fits_beside

NOTHING = MemoryBreakdown()


def needs(weights: int, cache: int, free: int = 100, name: str = "CPU") -> PairFit:
    return PairFit((DeviceFit(name, 100, free, MemoryBreakdown(weights=weights, kv=cache), NOTHING, Fit.FITS),))


@pytest.mark.parametrize(
    ("new", "loaded", "fits"),
    [
        (needs(30, 10), [], True),
        (needs(30, 10), [needs(30, 10)], True),
        (needs(50, 10), [needs(30, 10)], False),
        (needs(20, 10), [needs(30, 10), needs(20, 10)], False),
        (needs(30, 10, free=80), [needs(30, 10)], False),
        (needs(50, 10), [needs(80, 10, name="GPU")], True),
        (None, [needs(1, 1)], False),
        (needs(1, 1), [None], False),
    ],
)
def test_room_beside_others(new: PairFit | None, loaded: list[PairFit | None], fits: bool) -> None:
    """`free`: without the others. Of the remaining memory a tenth is left."""
    assert fits_beside(new, loaded) is fits
