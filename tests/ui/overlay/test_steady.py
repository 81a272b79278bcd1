from dataclasses import replace

import pytest

from specchat.domain.speculation_status import SpeculationOff
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.overlay.readout import make_readout
from specchat.ui.overlay.stats_rounding import StatsRounder

FIGURES = StatsSnapshot(n_generated=100, drafted=100, accepted=70, acceptance_rate=0.7, mean_accepted_length=2.8)


def test_noise_does_not_change_what_is_shown() -> None:
    steady, shown = StatsRounder(), set()
    for noise in (0.0, 0.4, 0.6, 0.45, 0.7, 0.5):
        live = replace(
            FIGURES,
            tokens_per_s=41 + noise,
            saved_s=2.3 + noise / 10,
            acceptance_rate=0.7 + noise / 100,
            mean_accepted_length=2.8 + noise / 10,
            speedup=1.4 + noise / 10,
        )
        shown.add(make_readout(steady.round_stats(live), None))
    assert len(shown) == 1


def test_a_real_change_shows() -> None:
    steady = StatsRounder()
    speeds = [
        make_readout(steady.round_stats(replace(FIGURES, tokens_per_s=speed)), None).speed
        for speed in (41.0, 41.9, 37.2, 4.33)
    ]
    assert speeds == ["41", "42", "37", "4.3"]


def test_final_figures_are_shown_as_they_are() -> None:
    steady = StatsRounder()
    steady.round_stats(replace(FIGURES, tokens_per_s=41.0))
    final = replace(FIGURES, tokens_per_s=41.2, final=True)
    assert make_readout(steady.round_stats(final), None).speed == "41.2"


def test_nothing_guessed_claims_nothing() -> None:
    shown = make_readout(StatsSnapshot(n_generated=5, mean_accepted_length=1.0, tokens_per_s=9.0), None)
    assert (shown.accepted, shown.saved, shown.pill[0]) == ("\u2013", "\u2013", "No guesses yet")
    assert shown.who == "No guesses yet"
    figures = StatsSnapshot(n_generated=5, mean_accepted_length=1.0, why_off=SpeculationOff.ENDED_FIRST, final=True)
    ended = make_readout(figures, None)
    assert (ended.why_not, ended.pill[0]) == (f"No guesses: {SpeculationOff.ENDED_FIRST}", "No speculation")


@pytest.mark.parametrize(
    ("saved_s", "shown"), [(2.31, ("2.3 s", False)), (-0.72, ("0.7 s", True)), (-0.01, ("0.0 s", False))]
)
def test_what_is_lost_has_no_sign(saved_s: float, shown: tuple[str, bool]) -> None:
    read = make_readout(replace(FIGURES, saved_s=saved_s, final=True), None)
    assert (read.saved.replace("\u00a0", " "), read.loses) == shown


def test_no_time_saved_is_not_slower_either() -> None:
    short = replace(FIGURES, speedup=0.9, final=True)
    assert [make_readout(replace(short, saved_s=saved), None).times_as_fast for saved in (-0.01, -0.1)] == ["", "0.9×"]
