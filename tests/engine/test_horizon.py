from itertools import product

import pytest

from specchat.engine.horizon import Horizon, best_prefix, fastest_prefix

FLAT = [1.0 + 0.02 * k for k in range(9)]
STEEP = [1.0 + 0.9 * k for k in range(9)]
STEPPED = [1.0, 2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7]
"""The second token is dear, the others are cheap: what a CPU does."""


def far(horizon: Horizon, chance: float, longest: int = 8) -> int:
    n, all_right = 0, 1.0
    while n < longest and horizon.worth_another(n, all_right):
        n, all_right = n + 1, all_right * chance
    return n


def test_cheap_and_sure_guesses_go_to_the_end() -> None:
    assert far(Horizon(FLAT, 0.02, [(1.0, 0.98)], rate=1.0), 0.98) == 8


def test_dear_passes_are_not_worth_it() -> None:
    horizon = Horizon(STEEP, 0.05, [(1.0, 0.8)], rate=1.0)
    assert far(horizon, 0.8) == 0
    assert horizon.gain() < 0


def test_looks_beyond_the_dear_second_token() -> None:
    assert Horizon(STEPPED[:2], 0.02, [(1.0, 0.9)], rate=1.0).gain() < 0
    assert Horizon(STEPPED, 0.02, [(1.0, 0.9)], rate=1.0).gain() > 1


def test_stops_after_a_doubtful_guess() -> None:
    outlook = [(0.5, 0.98), (0.5, 0.3)]
    horizon = Horizon([1.0 + 0.2 * k for k in range(9)], 0.1, outlook, rate=1.0)
    assert horizon.worth_another(0, 1.0)
    assert horizon.worth_another(3, 0.94)
    assert not horizon.worth_another(1, 0.1)


def test_the_better_tokens_come_anyway_the_less_is_worth_a_guess() -> None:
    gains = [Horizon(FLAT, 0.1, [(1.0, 0.7)], rate).gain() for rate in (1.0, 1.5, 2.0)]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize("passes", [FLAT, STEEP, STEPPED])
@pytest.mark.parametrize("rate", [0.5, 1.0, 2.0])
def test_the_best_prefix_is_the_best_of_all(passes: list[float], rate: float) -> None:
    for chances in product((0.3, 0.8, 0.99), repeat=4):
        values = []
        for k in range(5):
            tokens, all_right = 0.0, 1.0
            for chance in chances[:k]:
                all_right *= chance
                tokens += all_right
            values.append(tokens - rate * (passes[k] - passes[0]))
        assert values[best_prefix(chances, passes, rate)] == pytest.approx(max(values))


@pytest.mark.parametrize("passes", [FLAT, STEEP, STEPPED])
def test_the_fastest_prefix_is_the_fastest_of_all(passes: list[float]) -> None:
    for chances in product((0.3, 0.8, 0.99), repeat=4):
        rates = []
        for k in range(5):
            tokens, all_right = 1.0, 1.0
            for chance in chances[:k]:
                all_right *= chance
                tokens += all_right
            rates.append(tokens / passes[k])
        count, rate = fastest_prefix(chances, passes)
        assert rate == pytest.approx(max(rates))
        assert rates[count] == pytest.approx(max(rates))


def test_no_more_guesses_than_the_pass_has_room_for() -> None:
    assert best_prefix([0.99] * 8, FLAT[:3], 1.0) == fastest_prefix([0.99] * 8, FLAT[:3])[0] == 2
    assert best_prefix([0.99], [1.0], 1.0) == 0
    assert not Horizon([1.0], 0.1, [(1.0, 0.9)], 1.0).worth_another(0, 1.0)


def test_planning_with_the_rate_that_is_planned_finds_the_one_that_can_be_reached() -> None:
    rates, rate = [], 1.0
    for _ in range(5):
        rate = Horizon(FLAT, 0.05, [(0.5, 0.95), (0.5, 0.5)], rate).rate
        rates.append(rate)
    assert rates == sorted(rates)
    assert 1.5 < rates[-1] < 2.5
    assert rates[-1] == pytest.approx(rates[-2], rel=1e-3)
