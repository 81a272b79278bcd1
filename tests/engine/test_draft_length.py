from specchat.engine.costs import PassCosts
from specchat.engine.draft_length import AdaptiveLength, FixedLength


def costs(plain: float, per_token: float, guess: float, sizes: int = 9) -> PassCosts:
    known = PassCosts()
    for size in range(1, sizes + 1):
        for _ in range(4):
            known.observe_pass(size, plain + per_token * (size - 1))
    known.observe_draft(4, 4 * guess)
    return known


def settled(length: AdaptiveLength, acceptance: list[bool], steps: int = 200) -> list[int]:
    """Budgets after a while; `acceptance[i]` tells whether guess i holds."""
    budgets = []
    for _ in range(steps):
        budget = length.budget()
        held = 0
        while held < budget and acceptance[held]:
            held += 1
        if budget:
            length.observe(budget, held)
        budgets.append(budget)
    return budgets[steps // 2 :]


def test_fixed_is_fixed_but_for_measuring() -> None:
    length = FixedLength(4, costs(1, 0.1, 0.1))
    budgets = []
    for _ in range(128):
        budgets.append(length.budget())
        length.observe(4, 2)
    assert set(budgets) == {0, 4}
    assert budgets.count(0) <= 2
    assert length.off_reason is None
    assert FixedLength(0, PassCosts()).off_reason == "draft length is 0"


def test_fixed_first_measures_plain_passes() -> None:
    known = PassCosts()
    length = FixedLength(4, known)
    assert length.budget() == 0
    for _ in range(3):
        known.observe_pass(1, 0.01)
    assert length.budget() == 4


def test_cheap_verification_and_right_guesses_draft_far() -> None:
    budgets = settled(AdaptiveLength(costs(1, 0.01, 0.01), 8), [True] * 8)
    assert max(budgets) == 8


def test_only_positions_that_hold_are_drafted() -> None:
    budgets = settled(AdaptiveLength(costs(1, 0.05, 0.05), 8), [True, True, False, False, False, False, False, False])
    assert set(budgets) <= {0, 2, 3}
    assert budgets.count(2) > len(budgets) // 2


def test_guesses_that_never_hold_turn_drafting_off_but_for_a_rare_try() -> None:
    length = AdaptiveLength(costs(1, 0.3, 0.3), 8)
    budgets = settled(length, [False] * 8)
    assert sum(budget > 0 for budget in budgets) <= 3
    assert length.off_reason is not None


def test_costs_are_medians_and_lines_between() -> None:
    known = costs(1.0, 0.5, 0.1, sizes=3)
    known.observe_pass(2, 99.0)
    assert known.of_pass(2) == 1.5
    known.observe_pass(7, 4.0)
    assert known.of_pass(5) == 3.0
    assert known.of_pass(14) == 8.0


def test_a_plain_pass_after_another_size_says_nothing_about_plain_decoding() -> None:
    known = PassCosts()
    known.observe_pass(4, 1.0)
    known.observe_pass(1, 9.0)
    assert known.plain is None
    known.observe_pass(1, 1.0)
    assert known.plain == 1.0
