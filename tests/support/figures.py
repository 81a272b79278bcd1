"""What a benchmark found, and whether it is good enough."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    name: str
    value: float
    unit: str = "ms"
    goal: float | None = None
    least: bool = False
    """The goal is reached at or above it."""

    @property
    def reached(self) -> bool:
        if self.goal is None:
            return True
        return self.value >= self.goal if self.least else self.value <= self.goal


def table(results: Mapping[str, Sequence[Figure]]) -> Iterator[str]:
    for part, figures in results.items():
        yield part
        for figure in figures:
            goal = "" if figure.goal is None else f"{'at least' if figure.least else 'at most'} {figure.goal:g}"
            missed = "" if figure.reached else "  MISSED"
            yield f"  {figure.name:<52}{figure.value:>10.3f} {figure.unit:<10}{goal}{missed}".rstrip()
