from itertools import pairwise

import numpy as np
import pytest

from specchat.engine.confidence import Calibration


def test_until_it_is_counted_a_score_is_nearly_its_own_probability() -> None:
    fresh = Calibration()
    for score in (0.05, 0.45, 0.85, 0.999):
        assert 0.8 * score - 0.05 <= fresh.chance(score) <= score
    assert sum(weight for weight, _ in fresh.outlook()) == pytest.approx(1)


@pytest.mark.parametrize("truth", [lambda s: s**3, lambda s: 1 - s, lambda s: 0.6], ids=["cubic", "inverse", "flat"])
def test_predicted_and_actual_acceptance_agree(truth: object) -> None:
    """The calibration error over what follows 500 guesses."""
    assert callable(truth)
    rng = np.random.default_rng(3)
    calibration = Calibration()
    predicted, actual = [], []
    for i, score in enumerate(rng.uniform(0.5, 1.0, 3000)):
        held = bool(rng.random() < truth(score))
        if i >= 500:
            predicted.append(calibration.chance(score))
            actual.append(held)
        calibration.observe([score], held)
    of = np.array(predicted)
    bins = np.clip((of * 10).astype(int), 0, 9)
    gaps = [abs(of[bins == b].mean() - np.array(actual)[bins == b].mean()) * (bins == b).mean() for b in set(bins)]
    assert sum(gaps) <= 0.05


def test_what_changed_is_learned_anew() -> None:
    calibration = Calibration()
    for held in (True, False):
        for _ in range(600):
            calibration.observe([0.9], held)
        assert calibration.chance(0.9) == pytest.approx(float(held), abs=0.01)


def test_the_outlook_is_what_was_seen_lately() -> None:
    calibration = Calibration()
    for _ in range(1000):
        calibration.observe([0.95], True)
    ((weight, chance),) = calibration.outlook()
    assert weight == pytest.approx(1, abs=0.01)
    assert chance > 0.97


def test_what_was_learned_comes_back() -> None:
    calibration = Calibration()
    for held in (True, False, True):
        calibration.observe([0.7], held)
    assert Calibration.from_fact(calibration.fact()).fact() == calibration.fact()


def test_a_text_that_changes_is_noticed_within_a_dozen_guesses() -> None:
    calibration = Calibration()
    for _ in range(100):
        calibration.observe([0.9], 1)
    misses = 0
    while calibration.chance(0.9) > 0.3:
        calibration.observe([0.9], 0)
        misses += 1
    assert misses <= 12


@pytest.mark.parametrize("acceptance", [0.0, 0.15, 0.5, 0.8, 0.93, 0.99, 1.0])
def test_it_begins_with_what_is_known_from_elsewhere(acceptance: float) -> None:
    calibration = Calibration()
    calibration.expect(acceptance)
    expected = sum(share * chance for share, chance in calibration.outlook(0.0))
    assert expected == pytest.approx(acceptance, abs=0.06)
    chances = [calibration.chance(score / 100) for score in range(101)]
    assert all(later >= 0.85 * before for before, later in pairwise(chances))


def test_what_is_seen_outweighs_what_was_expected() -> None:
    calibration = Calibration()
    calibration.expect(0.99)
    for _ in range(40):
        calibration.observe([0.95], 0)
    assert calibration.chance(0.95) < 0.1
