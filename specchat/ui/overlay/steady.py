"""Rounds what is measured so that no last digit flickers between two values."""

from dataclasses import replace

from specchat.services.generation.live_figures import Figures


class SteadyFigures:
    """Of one answer: remembers what is on show."""

    def __init__(self) -> None:
        self._saved_s = _Steady()
        self._speedup = _Steady()
        self._acceptance_rate = _Steady()
        self._tokens_per_s = _Steady()
        self._mean_accepted_length = _Steady()

    def of(self, figures: Figures) -> Figures:
        if figures.final:
            return figures
        return replace(
            figures,
            saved_s=self._saved_s.show(figures.saved_s, 0.1 if abs(figures.saved_s) >= 0.1 else 0.01),
            speedup=None if figures.speedup is None else self._speedup.show(figures.speedup, 0.1),
            acceptance_rate=self._acceptance_rate.show(figures.acceptance_rate, 0.01),
            tokens_per_s=self._tokens_per_s.show(figures.tokens_per_s, _speed_unit(figures.tokens_per_s)),
            mean_accepted_length=self._mean_accepted_length.show(figures.mean_accepted_length, 0.1),
        )


class _Steady:
    def __init__(self) -> None:
        self._shown: float | None = None

    def show(self, value: float, unit: float) -> float:
        """Half a unit would round; a quarter more must be passed before another value is shown."""
        if self._shown is None or abs(value - self._shown) > 0.75 * unit:
            self._shown = round(value / unit) * unit
        return self._shown


def _speed_unit(tokens_per_s: float) -> float:
    if tokens_per_s < 10:
        return 0.1
    return 1 if tokens_per_s < 200 else 5
