"""The memory that a model takes on one device, by purpose."""

from dataclasses import dataclass

CPU = "CPU"
"""The device whose memory is the computer's own."""


@dataclass(frozen=True, slots=True)
class MemoryBreakdown:
    """Bytes of one model on one device."""

    weights: int = 0
    kv: int = 0
    compute: int = 0
    output: int = 0

    @property
    def total(self) -> int:
        return self.weights + self.kv + self.compute + self.output

    def __add__(self, other: "MemoryBreakdown") -> "MemoryBreakdown":
        return MemoryBreakdown(
            self.weights + other.weights,
            self.kv + other.kv,
            self.compute + other.compute,
            self.output + other.output,
        )
