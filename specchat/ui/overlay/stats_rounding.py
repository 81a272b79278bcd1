"""Rounds live stats with hysteresis so that the last digit does not flicker."""

from dataclasses import replace

from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.widgets.hysteresis_rounder import HysteresisRounder


class StatsRounder:
    """Rounds the stats of one answer, and remembers the shown values."""

    def __init__(self) -> None:
        self._saved_s = HysteresisRounder()
        self._speedup = HysteresisRounder()
        self._acceptance_rate = HysteresisRounder()
        self._tokens_per_s = HysteresisRounder()
        self._mean_accepted_length = HysteresisRounder()

    def round_stats(self, figures: StatsSnapshot) -> StatsSnapshot:
        if figures.final:
            return figures
        return replace(
            figures,
            saved_s=self._saved_s.round_to(figures.saved_s, 0.1 if abs(figures.saved_s) >= 0.1 else 0.01),
            speedup=None if figures.speedup is None else self._speedup.round_to(figures.speedup, 0.1),
            acceptance_rate=self._acceptance_rate.round_to(figures.acceptance_rate, 0.01),
            tokens_per_s=self._tokens_per_s.round_to(figures.tokens_per_s, _speed_unit(figures.tokens_per_s)),
            mean_accepted_length=self._mean_accepted_length.round_to(figures.mean_accepted_length, 0.1),
        )


def _speed_unit(tokens_per_s: float) -> float:
    if tokens_per_s < 10:
        return 0.1
    return 1 if tokens_per_s < 200 else 5
