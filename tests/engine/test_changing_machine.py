"""What auto makes of a machine that is busy for a while: before the first answer, between two, and after them."""

import numpy as np
import pytest
from support.timed_pair import Curve, Lab

from specchat.domain.cancel_token import CancelToken
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import GenerationStats
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.cost_measurement import measure_costs
from specchat.engine.costs import GuessFact, PassCosts
from specchat.engine.speculative import NoSpeculation

SLOWER, LARGER_SLOWER, DRAFT_SLOWER = 1.25, 7.0, 5.0
"""As measured beside four programs that compute without end."""
N_TOKENS = 128
SEEDS = range(5)
MEASURED: Curve = {1: 0.018, 2: 0.022, 4: 0.031, 8: 0.059, 16: 0.11, 33: 0.21}
"""Two cores that know AVX2 only."""


def be_busy(lab: Lab, busy: bool) -> None:
    lab.target.held_up, lab.target.larger_held_up = (SLOWER, LARGER_SLOWER) if busy else (1.0, 1.0)
    lab.draft.held_up = DRAFT_SLOWER if busy else 1.0


def measured_anew(lab: Lab) -> PassCosts:
    costs = PassCosts()
    measure_costs(lab.target, [lab.draft_passes], costs, CancelToken(), lab.clock)
    return costs


def restarted(lab: Lab) -> AutoStrategy:
    """With what was kept."""
    again = PassCosts()
    again.learn_passes(lab.costs.pass_fact())
    again.learn_guesses(lab.costs.guess_fact())
    lab.costs = again
    return lab.auto()


def seconds_a_token(stats: GenerationStats) -> float:
    return 1 / stats.tokens_per_s


def answers(lab: Lab, auto: AutoStrategy | NoSpeculation, count: int) -> list[float]:
    return [seconds_a_token(stats) for stats in lab.answers(auto, N_TOKENS, count)]


def busy_then_quiet(seed: int) -> tuple[Lab, Lab]:
    """A pair whose costs were measured on a quiet machine, and one that was loaded while it was busy."""
    fresh, lab = Lab(MEASURED, 0.85, seed=seed), Lab(MEASURED, 0.85, seed=seed)
    be_busy(lab, True)
    lab.costs = measured_anew(lab)
    return fresh, lab


def slower(found: list[float], expected: list[float]) -> float:
    """Times: the third answer and the fourth."""
    return float(np.mean(found[2:4]) / np.mean(expected[2:4]))


@pytest.mark.parametrize("text", [False, True])
def test_what_a_busy_minute_taught_is_put_right(text: bool) -> None:
    times = []
    for seed in SEEDS:
        fresh, lab = busy_then_quiet(seed)
        be_busy(lab, False)
        times.append(slower(answers(lab, lab.auto(text=text), 4), answers(fresh, fresh.auto(text=text), 4)))
    assert np.mean(times) <= 1.05
    assert max(times) <= 1.1


BUSY_AT_LOAD = (0.094, 2), (0.149, 2), (0.352, 2), (0.162, 5), (0.213, 5)
"""Of 1, 2, 3, 4 and 8 tokens: not even which of them takes longer was measured right."""


def test_a_curve_of_the_wrong_shape_is_put_right() -> None:
    times = []
    for seed in SEEDS:
        fresh, lab = Lab(MEASURED, 0.85, seed=seed), Lab(MEASURED, 0.85, seed=seed)
        draft = lab.costs.guess_fact()
        lab.costs = PassCosts()
        for size, (seconds, count) in zip((1, 2, 3, 4, 8), BUSY_AT_LOAD, strict=True):
            lab.costs.record_measurement(size, seconds, count)
        lab.costs.learn_guesses(draft)
        times.append(slower(answers(lab, lab.auto(), 4), answers(fresh, fresh.auto(), 4)))
    assert np.mean(times) <= 1.05
    assert max(times) <= 1.1


def test_and_after_a_restart() -> None:
    times = []
    for seed in SEEDS:
        fresh, lab = busy_then_quiet(seed)
        answers(lab, lab.auto(), 1)
        be_busy(lab, False)
        times.append(slower(answers(lab, restarted(lab), 4), answers(fresh, fresh.auto(), 4)))
    assert np.mean(times) <= 1.05
    assert max(times) <= 1.1


def test_a_guess_alone_that_was_measured_on_a_busy_machine() -> None:
    """Its target's passes were known."""
    times = []
    for seed in SEEDS:
        fresh, lab = Lab(MEASURED, 0.85, seed=seed), Lab(MEASURED, 0.85, seed=seed)
        lab.costs.learn_guesses(GuessFact({"draft": {"8": 0.02}}, {"draft": 0.008}))
        times.append(slower(answers(lab, lab.auto(), 6)[2:], answers(fresh, fresh.auto(), 6)[2:]))
    assert np.mean(times) <= 1.05


@pytest.mark.parametrize("seed", SEEDS)
def test_where_larger_passes_become_dear_guessing_ends_soon(seed: int) -> None:
    lab, other = Lab(MEASURED, 0.85, seed=seed), Lab(MEASURED, 0.85, seed=seed)
    auto = lab.auto()
    answers(lab, auto, 2)
    be_busy(lab, True)
    be_busy(other, True)
    plain = np.mean(answers(other, NoSpeculation(SpeculationOff.NO_DRAFT), 4))
    found = answers(lab, auto, 4)
    assert np.mean(found[2:]) <= plain / 0.95, "after two answers"


def test_where_all_passes_become_slower_guessing_goes_on() -> None:
    lab = Lab(MEASURED, 0.85)
    auto = lab.auto()
    usual = np.mean(answers(lab, auto, 3))
    lab.target.held_up = lab.draft.held_up = 4.0
    assert np.mean(answers(lab, auto, 3)) <= 4.4 * usual


def test_where_guesses_never_pay_trials_take_next_to_nothing() -> None:
    lab, other = Lab(MEASURED, 0.5, draft_cost=0.6), Lab(MEASURED, 0.5, draft_cost=0.6)
    plain = np.mean(answers(other, NoSpeculation(SpeculationOff.NO_DRAFT), 8))
    assert np.mean(answers(lab, lab.auto(), 8)) <= plain / 0.98
