"""How long it will still take."""

from support.benches import AUTO, EIGHT, PLAIN

from specchat.services.bench.remaining_time import RemainingTime


def test_from_what_answers_took() -> None:
    left = RemainingTime((PLAIN, AUTO, EIGHT) * 2)
    assert (left.done, left.total, left.seconds()) == (0, 6, None)
    left.record_turn(PLAIN, 10)
    assert left.seconds() == 10 * 5
    left.record_turn(AUTO, 4)
    left.record_turn(EIGHT, None)
    assert (left.done, left.seconds()) == (3, 10 + 4 + 7)
    for method in (PLAIN, AUTO, EIGHT):
        left.record_turn(method, 1)
    assert (left.done, left.seconds()) == (6, 0)
