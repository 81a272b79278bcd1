"""Which guesses get another one beside them, and what that gains."""

from itertools import combinations, product

import numpy as np
import pytest
from support.timed_pair import GPU, LONGEST, Lab

from specchat.domain.proposal import Proposal
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.tree_planner import SecondChances, TreePlan, TreePlanner, add_all_branches, plan_tree

FLAT = [1.0, 1.02, 1.04, 1.06, 1.08, 1.1, 1.12, 1.14, 1.16]
STEP = [1.0, 1.05, 1.05, 1.05, 2.0, 2.0, 2.0, 2.0, 2.0]
STEEP = [1.0, 2.0, 2.3, 2.6, 2.9, 3.2, 3.5, 3.8, 4.1]


def value(plan: TreePlan, chances: list[float], seconds: list[float], passes: list[float], rate: float) -> float:
    again = 1 - rate * (passes[-1] - passes[0]) / (len(passes) - 1)
    before = [float(np.prod(chances[:place])) for place in range(len(chances) + 1)]
    tokens = sum(before[1 : plan.n_main + 1])
    tokens += sum(again * (before[place] - before[place + 1]) * seconds[place] for place in plan.places)
    return tokens - rate * passes[plan.n_main + len(plan.places)]


@pytest.mark.parametrize("passes", [FLAT, STEP, STEEP], ids=["flat", "step", "steep"])
@pytest.mark.parametrize("rate", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("max_branches", [1, 3, 8])
def test_no_other_tree_is_worth_more(passes: list[float], rate: float, max_branches: int) -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        chances, seconds = rng.uniform(0.3, 0.98, 4).tolist(), rng.uniform(0.05, 0.6, 4).tolist()
        found = plan_tree(chances, seconds, passes, rate, max_branches)
        others = [
            TreePlan(n_main, places)
            for n_main, n_beside in product(range(5), range(max_branches))
            for places in combinations(range(n_main), n_beside)
            if n_main + n_beside < len(passes)
        ]
        best = max(value(other, chances, seconds, passes, rate) for other in others)
        assert value(found, chances, seconds, passes, rate) == pytest.approx(best, abs=0.03)


def test_without_a_second_best_it_is_a_chain() -> None:
    assert plan_tree([0.9, 0.8, 0.7], [0.0] * 3, FLAT, 1.0, 8) == TreePlan(3)


def test_doubt_is_where_the_branches_are() -> None:
    assert plan_tree([0.99, 0.5, 0.99], [0.4] * 3, FLAT[:5], 1.0, 8) == TreePlan(3, (1,))


def test_second_chances_are_learned_by_score() -> None:
    learned = SecondChances()
    for _ in range(200):
        learned.observe(0.52, held=True)
        learned.observe(0.97, held=False)
    assert learned.chance(0.51) > 0.9
    assert learned.chance(0.99) < 0.1


def test_the_first_miss_tells_of_its_second_best() -> None:
    planner = TreePlanner()
    proposal = Proposal((1, 2, 3), ("draft",) * 3, (0.6,) * 3, seconds=(7, 8, 9))
    for _ in range(50):
        planner.observe("draft", proposal, [1, 8])
    assert planner._sources["draft"].chance(0.6) > 0.9
    planner.observe("draft", proposal, [1, 2, 3, 4])
    planner.observe("draft", proposal, [1, 2])


def test_as_many_branches_as_there_is_room_for() -> None:
    chain = Proposal((1, 2, 3), ("draft",) * 3, (0.6,) * 3, seconds=(7, None, 9))
    assert add_all_branches(chain, 8, 8).tokens == (1, 2, 3, 7, 9)
    assert add_all_branches(chain, 8, 8).parents == (-1, 0, 1, -1, 1)
    assert add_all_branches(chain, 4, 8).tokens == add_all_branches(chain, 8, 2).tokens == (1, 2, 3, 7)
    assert add_all_branches(chain, 8, 1) is chain


@pytest.mark.parametrize("second_chance", [0.0, 0.6])
def test_auto_gains_where_second_guesses_hold_and_loses_nothing_elsewhere(second_chance: float) -> None:
    rates = []
    for branches in (False, True):
        lab = Lab(GPU, 0.6, second_chance=second_chance)
        lab.target.max_branches = 8
        auto = AutoStrategy(lab.costs, LONGEST, None, [lab.source()], lab.clock, branches=branches)
        rates.append(lab.rate(auto))
    chain, tree = rates
    assert tree > (1.1 if second_chance else 0.97) * chain
