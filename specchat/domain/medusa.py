"""The parts of the heads in a Medusa file, and their positions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.types import Device, ModelSettings

F32, F16, Q8_0, BF16 = 0, 1, 8, 30
"""Numbers of ggml's types."""


@dataclass(frozen=True, slots=True)
class StoredMatrix:
    """A matrix in a file, stored by row."""

    path: Path
    offset: int
    type: int
    """As ggml numbers them."""
    n_columns: int
    n_rows: int
    size: int
    """In bytes."""
    loaded_type: int
    loaded_size: int


@dataclass(frozen=True, slots=True)
class StoredBlock:
    """Adds to a state what a square matrix makes of it."""

    weight: StoredMatrix
    bias: StoredMatrix | None


@dataclass(frozen=True, slots=True)
class StoredHead:
    """Guesses one token: each one further ahead than the head before."""

    blocks: tuple[StoredBlock, ...]
    output: StoredMatrix
    """Its own, or its target's."""


@dataclass(frozen=True, slots=True)
class StoredHeads:
    heads: tuple[StoredHead, ...]

    @property
    def matrices(self) -> Iterator[StoredMatrix]:
        """Each once, whoever shares it."""
        found = [each for head in self.heads for block in head.blocks for each in (block.weight, block.bias)]
        yield from dict.fromkeys(each for each in (*found, *(head.output for head in self.heads)) if each is not None)

    @property
    def loaded_size(self) -> int:
        return sum(matrix.loaded_size for matrix in self.matrices)


def place_of_heads(settings: ModelSettings, devices: Sequence[Device]) -> Device:
    """All of them on a GPU, unless the settings leave none of the draft there."""
    if settings.gpu_layers == 0:
        return _first(devices, "cpu")
    chosen = (settings.device or "").lower()
    named = (device for device in devices if device.name.lower() == chosen)
    return next(named, None) or _first(devices, "gpu", "igpu", "cpu")


def _first(devices: Sequence[Device], *kinds: str) -> Device:
    return next(device for kind in kinds for device in devices if device.kind == kind)
