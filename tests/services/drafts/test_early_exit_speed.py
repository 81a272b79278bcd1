"""What a draft would bring, from its guesses of known answers."""

import pytest

from specchat.services.drafts.early_exit_speed import replay

PASSES = [1.0, 1.05, 1.1, 1.15, 1.2]
RIGHT, WRONG, DOUBTFUL = (0.999, True), (0.999, False), (0.05, False)


def test_right_guesses_that_cost_little_pay() -> None:
    found = replay([[RIGHT] * 200], PASSES, 0.1)
    assert found.acceptance == 1
    assert found.speedup == pytest.approx(200 / (40 * (1.2 + 4 * 0.1)), rel=0.01)


def test_guesses_as_dear_as_passes_never_pay() -> None:
    assert replay([[RIGHT] * 200], PASSES, 1.0).speedup < 1


def test_wrong_guesses_never_pay() -> None:
    found = replay([[WRONG] * 200], PASSES, 0.1)
    assert found.acceptance == 0
    assert found.speedup == pytest.approx(1 / 1.15, rel=0.01)


def test_doubtful_guesses_are_not_verified() -> None:
    answer = [RIGHT, RIGHT, RIGHT, DOUBTFUL] * 50
    steep = [1.0, 1.3, 1.6, 1.9, 2.2]
    alike = [(0.75, held) for _, held in answer]
    assert replay([answer], steep, 0.05).speedup > replay([alike], steep, 0.05).speedup > 1


def test_without_answers_nothing_is_known() -> None:
    assert replay([], PASSES, 0.1).speedup == 1
