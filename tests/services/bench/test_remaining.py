"""How long it will still take."""

from support.benches import AUTO, EIGHT, PLAIN

from specchat.services.bench.remaining import Remaining


def test_from_what_answers_took() -> None:
    left = Remaining((PLAIN, AUTO, EIGHT) * 2)
    assert (left.done, left.total, left.seconds()) == (0, 6, None)
    left.ended(PLAIN, 10)
    assert left.seconds() == 10 * 5
    left.ended(AUTO, 4)
    left.ended(EIGHT, None)
    assert (left.done, left.seconds()) == (3, 10 + 4 + 7)
    for way in (PLAIN, AUTO, EIGHT):
        left.ended(way, 1)
    assert (left.done, left.seconds()) == (6, 0)
