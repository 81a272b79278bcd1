"""What a guess costs an answer beside others: what it adds to the common pass."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from specchat.domain.cancel_token import CancelToken
from specchat.engine.costs import PassCosts
from specchat.engine.slot_scheduler import PassPart, SlotScheduler
from specchat.engine.step_costs import SlotCosts

FIXED, EACH = 10.0, 2.0


@dataclass(eq=False)
class Text:
    cached: Sequence[int] = ()


class TimedContext:
    """A pass takes a fixed time and some for each row."""

    is_draft = False
    max_outputs, max_rows = 32, 512
    shares_passes = mixes_prompts = True
    least_piece = 1

    def __init__(self) -> None:
        self.now = 0.0
        self.passes: list[list[int]] = []

    def clock(self) -> float:
        return self.now

    def admit(self, parts: Sequence[PassPart[Text]]) -> list[PassPart[Text]]:
        return list(parts)

    def compute(self, parts: Sequence[PassPart[Text]]) -> None:
        self.passes.append([len(part.tokens) for part in parts])
        self.now += FIXED + EACH * sum(self.passes[-1])


def known_costs() -> PassCosts:
    costs = PassCosts()
    for n in range(1, 17):
        costs.record_measurement(n, FIXED + EACH * n, 5)
    return costs


@pytest.mark.parametrize("n_others", [1, 3])
def test_the_pass_is_paid_by_all_and_a_guess_by_who_makes_it(n_others: int) -> None:
    context = TimedContext()
    scheduler, told = SlotScheduler(context.clock), list[list[float]]()
    costs = known_costs()
    scheduler.relative_s = costs.relative

    def write(n_rows: int, tells: bool) -> None:
        slot_costs = SlotCosts(costs, scheduler)
        for _ in range(4):
            started = scheduler.clock()
            rows = np.zeros(n_rows, dtype=np.int32)
            scheduler.wait_for(context, PassPart(Text(), rows, n_rows), CancelToken())
            took = scheduler.clock() - started
            if tells:
                told.append([took, *slot_costs.passes(4), slot_costs.usual(1), slot_costs.usual(3)])
            slot_costs.observe_pass(n_rows, took)

    scheduler.start(lambda: write(3, True))
    for _ in range(n_others):
        scheduler.start(lambda: write(1, False))
    scheduler.run()
    n = n_others + 1
    plain = (FIXED + EACH * n) / n
    assert [sum(rows) for rows in context.passes] == [n + 2] * 4
    for took, *passes, usual_plain, usual_three in told:
        assert took == pytest.approx(plain + 2 * EACH)
        assert passes == pytest.approx([plain + EACH * k for k in range(4)])
        assert [usual_plain, usual_three] == pytest.approx([plain, plain + 2 * EACH])


def test_alone_all_is_as_without_slots() -> None:
    scheduler, costs = SlotScheduler(), known_costs()
    assert SlotCosts(costs, scheduler).passes(6) == costs.passes(6)
    assert SlotCosts(costs, scheduler).load == costs.load


def test_common_passes_teach_what_so_many_rows_cost() -> None:
    context = TimedContext()
    scheduler, costs = SlotScheduler(context.clock), PassCosts()

    def write() -> None:
        for _ in range(6):
            scheduler.wait_for(context, PassPart(Text(), np.zeros(1, dtype=np.int32), 1), CancelToken())
            SlotCosts(costs, scheduler).observe_pass(1, 0.0)

    for _ in range(3):
        scheduler.start(write)
    scheduler.run()
    assert costs.sizes == {3}


def test_drafters_are_chosen_without_what_several_answers_need() -> None:
    script = "import sys, specchat.services.generation.drafter_choice; print('greenlet' in sys.modules)"
    asked = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert asked.stdout == "False\n"
