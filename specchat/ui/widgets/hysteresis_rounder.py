"""Rounds a value that changes all the time so that its last digit does not flicker."""


class HysteresisRounder:
    def __init__(self) -> None:
        self._shown: float | None = None

    def round_to(self, value: float, unit: float) -> float:
        """Half a unit would round; a quarter more must be passed before another value is shown."""
        if self._shown is None or abs(value - self._shown) > 0.75 * unit:
            self._shown = round(value / unit) * unit
        return self._shown
