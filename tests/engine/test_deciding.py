"""What deciding itself costs: with a tiny target it would take longer than what is decided about."""

from collections.abc import Callable

import numpy as np
import pytest
from support.timed_pair import CPU, Lab

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import SpeculationOff
from specchat.drafters.model_drafter import ModelDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.draft_sources import DraftSource
from specchat.engine.speculative import NoSpeculation

DECIDING = 0.4
"""Plain passes."""


class SlowAuto(AutoStrategy):
    """As on a computer where Python is slow and the target tiny."""

    asked = 0
    seconds = 0.0
    advance: Callable[[float], None]

    def _decide(self, context: DraftContext, room: int) -> Proposal:
        self.asked += 1
        self.advance(self.seconds)
        return super()._decide(context, room)


def slow_auto(lab: Lab, seconds: float) -> SlowAuto:
    def advance(more: float) -> None:
        lab.clock.now += more

    auto = SlowAuto(lab.costs, 16, None, [DraftSource(ModelDrafter(lab.draft))], lab.clock)
    auto.advance, auto.seconds = advance, seconds
    return auto


def test_where_deciding_is_dear_it_is_done_rarely() -> None:
    lab, other = Lab(CPU, 0.0), Lab(CPU, 0.0)
    auto = slow_auto(lab, DECIDING)
    answers = list(lab.answers(auto, 160, 8))
    plain = [1 / stats.tokens_per_s for stats in other.answers(NoSpeculation(SpeculationOff.NO_DRAFT), 160, 8)]
    assert auto.asked < 0.05 * sum(stats.n_verify_steps for stats in answers)
    assert np.mean([1 / stats.tokens_per_s for stats in answers]) <= np.mean(plain) / 0.97
    assert answers[-1].speculation == f"off: {SpeculationOff.COSTS_MORE}"


def test_where_it_is_cheap_every_step_is_decided() -> None:
    lab = Lab(CPU, 0.0)
    auto = slow_auto(lab, 0.002)
    answers = list(lab.answers(auto, 160, 4))
    assert auto.asked > 0.95 * sum(stats.n_verify_steps - 1 for stats in answers)


@pytest.mark.parametrize(("seconds", "does_guess"), [(0.0, True), (5.0, False)])
def test_guesses_must_pay_for_the_decision_too(seconds: float, does_guess: bool) -> None:
    lab = Lab(CPU, 0.9)
    auto = slow_auto(lab, seconds)
    *_, last = lab.answers(auto, 160, 6)
    assert (last.n_drafted > 0) == does_guess


def test_an_answer_without_room_for_a_guess_spends_nothing() -> None:
    lab = Lab(CPU, 0.9)
    auto = slow_auto(lab, 0.002)
    list(lab.answer_after(20, auto, 2))
    *_, last = lab.answers(auto, 160, 6)
    assert last.n_drafted > 0


def test_a_computer_that_is_suspended_amid_a_decision_pauses_nothing_for_long() -> None:
    lab = Lab(CPU, 0.9)
    auto = slow_auto(lab, 0.002)
    list(lab.answers(auto, 160, 4))
    auto.seconds = 1e6
    list(lab.answer_after(900, auto, 4))
    auto.seconds = 0.002
    *_, last = lab.answers(auto, 160, 4)
    assert last.n_drafted > 0
