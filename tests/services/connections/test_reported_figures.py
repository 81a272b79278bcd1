import json

import pytest

from specchat.services.connections.guess_steps import GuessSteps
from specchat.services.connections.reported_figures import GuessReport, read_count, read_guesses

LIES: list[object] = [-1, 1.5, True, None, "3", [], {}, 1e400, float("nan"), 1 << 60, 10**400]


@pytest.mark.parametrize("value", LIES, ids=lambda value: str(value)[:20])
def test_what_is_no_count(value: object) -> None:
    assert read_count(value) is None
    assert read_guesses(value, 0) is None
    assert read_guesses(5, value) is None


def test_counts() -> None:
    assert (read_count(0), read_count(7), read_count(3.0)) == (0, 7, 3)
    assert read_count(json.loads("NaN")) is None


def test_no_more_is_accepted_than_drafted() -> None:
    assert read_guesses(3, 4) is None
    assert read_guesses(3, 3) == GuessReport(3, 3)


def steps(*reports: tuple[int, int] | None) -> list[tuple[int, int, int] | None]:
    told = GuessSteps()
    found: list[tuple[int, int, int] | None] = []
    for report in reports:
        told.note(None if report is None else GuessReport(*report))
        step = told.add_token()
        found.append(None if step is None else (step.drafted, step.accepted, step.emitted))
    return found


def test_a_step_ends_with_its_last_token() -> None:
    assert steps(None, (4, 2), (4, 2), (4, 2), (8, 2), (8, 2)) == [
        (0, 0, 1),
        None,
        None,
        (4, 2, 3),
        (4, 0, 1),
        (0, 0, 1),
    ]


def test_counts_that_go_backwards_are_not_believed() -> None:
    told = GuessSteps()
    for drafted, accepted in ((4, 2), (3, 2)):
        told.note(GuessReport(drafted, accepted))
        told.add_token()
    assert told.report is None
    told.note(GuessReport(8, 8))
    assert told.report is None
