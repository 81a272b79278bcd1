import pytest

from specchat.engine.costs import GuessFact, PassCosts


def costs(*sizes: int, plain: float = 1.0, per_token: float = 0.5) -> PassCosts:
    known = PassCosts()
    for size in sizes or (1, 2, 3):
        for _ in range(8):
            known.observe_pass(size, plain + per_token * (size - 1))
    return known


def test_medians_and_lines_between_and_beyond() -> None:
    known = costs()
    known.observe_pass(2, 99.0)
    known.observe_pass(7, 4.0)
    known.observe_pass(7, 4.0)
    assert known.passes(9)[:3] == pytest.approx([1.0, 1.5, 2.0], rel=0.02)
    assert known.passes(9)[4] == pytest.approx(3.0)
    assert known.passes(9)[8] == pytest.approx(5.0)


def test_until_sizes_are_measured_more_tokens_are_taken_to_add_little() -> None:
    known = PassCosts()
    assert not known.knows_plain
    for _ in range(2):
        known.observe_pass(1, 1.0)
    assert known.passes(3) == [1.0, 1.2, 1.4]


def test_a_larger_pass_never_takes_less() -> None:
    known = costs()
    for _ in range(8):
        known.observe_pass(4, 1.9)
    passes = known.passes(4)
    assert passes == sorted(passes)
    assert passes[2] == passes[3] == pytest.approx(1.95)


def test_a_plain_pass_after_another_size_says_nothing_about_plain_decoding() -> None:
    known = PassCosts()
    known.observe_pass(4, 1.0)
    known.observe_pass(1, 9.0)
    assert not known.knows_plain
    known.observe_pass(1, 1.0)
    assert known.passes(1) == [1.0]


def test_a_slower_machine_is_seen_at_sizes_that_are_not_in_use() -> None:
    known = costs()
    for _ in range(16):
        known.observe_pass(3, 6.0)
    assert known.pace == pytest.approx(3.0, rel=0.1)
    assert known.passes(1)[0] == pytest.approx(3.0, rel=0.1)
    for _ in range(16):
        known.observe_pass(3, 2.0)
    assert known.passes(1)[0] == pytest.approx(1.0, rel=0.1)


def test_a_stall_changes_nothing() -> None:
    known = costs()
    known.observe_pass(3, 600.0)
    assert (known.pace, known.passes(1)[0]) == (1.0, 1.0)


def test_a_new_size_that_is_first_seen_on_a_slow_machine_is_not_taken_for_slow() -> None:
    known = costs(1, 2, 3, 7, 8)
    for _ in range(30):
        known.observe_pass(5, 7 * 3.0)
    assert known.usual(5) == pytest.approx(3.0, rel=0.1)
    assert known.pace == pytest.approx(7.0, rel=0.1)


def test_a_new_size_may_take_longer_than_its_neighbours_suggest() -> None:
    known = costs(1, 2, 3, 7, 8)
    for _ in range(12):
        known.observe_pass(5, 3.4)
        known.observe_pass(3, 2.0)
    assert known.usual(5) == pytest.approx(3.4, rel=0.05)


def test_each_length_of_the_context_has_its_own_figures() -> None:
    known = costs()
    for _ in range(8):
        known.observe_pass(1, 1.0)
    for n_past, seconds in ((5000, 2.0), (100, 1.0), (5000, 2.0)):
        for _ in range(40):
            known.observe_pass(1, seconds, n_past)
    assert known.passes(1, 5000)[0] == pytest.approx(2.0, rel=0.1)
    assert known.passes(3, 5000)[2] == pytest.approx(4.0, rel=0.1), "in proportion, until it is measured there"
    for _ in range(40):
        known.observe_pass(1, 1.0, 100)
    assert known.passes(1, 100)[0] == pytest.approx(1.0, rel=0.1)


def test_changing_the_size_costs_extra() -> None:
    known = costs(1, 2)
    for _ in range(60):
        for size, seconds in ((1, 1.25), (1, 1.0), (2, 1.75), (2, 1.5)):
            known.observe_pass(size, seconds)
    assert known.passes(2) == pytest.approx([1.0, 1.5], rel=0.05)
    assert 0.1 <= known.pass_fact().switching <= 0.3


def test_sizes_that_always_change_are_still_known_beside_one_another() -> None:
    """Whether that, or the machine, makes them slower cannot be told then."""
    known = costs(1, 2)
    for _ in range(60):
        known.observe_pass(1, 1.25)
        known.observe_pass(2, 1.75)
    plain, of_two = known.passes(2)
    assert 1.4 <= of_two / plain <= 1.5


def test_one_stall_early_on_is_no_slower_machine() -> None:
    known = costs()
    again = PassCosts()
    again.learn_passes(known.pass_fact())
    for seconds in (1.0, 5.0):
        again.observe_pass(1, seconds)
        again.observe_pass(3, 2.0)
    assert again.pace == pytest.approx(1.0, rel=0.05)


def test_guesses_and_catching_up() -> None:
    known = PassCosts()
    assert known.guess("draft") is None
    assert known.catch_up("draft", 10) is None
    known.observe_guess("draft", 0.1)
    assert known.catch_up("draft", 10) == 1.0
    known.observe_catch_up("draft", 3, 9.0)
    known.observe_catch_up("draft", 20, 0.4)
    assert known.catch_up("draft", 10) == 0.2


def test_what_was_learned_comes_back() -> None:
    known = costs()
    known.observe_guess("draft", 0.1)
    again = PassCosts()
    again.learn_passes(known.pass_fact())
    again.learn_guesses(known.guess_fact())
    assert again.passes(5) == known.passes(5)
    assert again.guess("draft") == 0.1
    assert (again.pass_fact(), again.guess_fact()) == (known.pass_fact(), known.guess_fact())


def test_no_batch_is_dearer_than_as_many_plain_passes() -> None:
    """One of them was measured while the computer was busy."""
    known = costs(1, 2, 4, plain=1.0, per_token=20.0)
    assert known.passes(4) == pytest.approx([1.0, 2.0, 3.0, 4.0])
    assert known.usual(4) == pytest.approx(4.0)


def test_levels_that_do_not_go_together_are_mended_by_use() -> None:
    """As after plain passes were measured on a busy computer, and larger ones on a quiet one."""
    known = PassCosts()
    known.record_measurement(1, 0.5, 5)
    known.record_measurement(4, 0.6, 5)
    for _ in range(40):
        for size, seconds in ((1, 0.1), (1, 0.1), (4, 0.2), (4, 0.2)):
            known.observe_pass(size, seconds)
    assert known.usual(4) / known.usual(1) == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize("size", [1, 4])
def test_passes_of_one_size_on_a_busy_computer_say_nothing_about_that_size(size: int) -> None:
    """Not even in program after program, each of which begins as if the computer were not busy."""
    fact = costs(1, 4).pass_fact()
    for _ in range(20):
        known = PassCosts()
        known.learn_passes(fact)
        for _ in range(40):
            known.observe_pass(size, 6 * known.usual(size))
        fact = known.pass_fact()
    known = PassCosts()
    known.learn_passes(fact)
    assert known.usual(4) / known.usual(1) == pytest.approx(2.5)


def test_guesses_are_as_dear_as_passes_at_the_same_time() -> None:
    known = PassCosts()
    known.learn_passes(costs().pass_fact())
    known.learn_guesses(GuessFact({"draft": {"8": 0.1}}, {}))
    for busy in (6.0, 6.0, 6.0, 1.0):
        for _ in range(40):
            for _ in range(5):
                known.observe_guess("draft", busy * 0.1)
            known.observe_pass(3, busy * 2.0)
        assert known.guess("draft") == pytest.approx(busy * 0.1, rel=0.1)


def test_a_computer_that_is_busy_now_and_then_leaves_levels_as_they_are() -> None:
    known = costs(1, 4)
    before = known.usual(4) / known.usual(1)
    for _ in range(6):
        for slower, size, seconds in ((1.0, 1, 1.0), (7.0, 4, 2.5), (1.0, 4, 2.5), (7.0, 1, 1.0)):
            for _ in range(20):
                known.observe_pass(size, slower * seconds)
    assert known.usual(4) / known.usual(1) == pytest.approx(before, rel=0.35)
