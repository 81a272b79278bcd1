import pytest

from specchat.domain.speculation_status import (
    DrafterFailure,
    OffReason,
    SpeculationOff,
    parse_speculation,
    speculation_text,
)

TEXTS = {
    "off: draft type is none",
    "off: no draft is selected",
    "off: the number of guesses is 0",
    "off: speculation would cost more time than it saves",
    "off: still measuring whether speculation saves time",
    "off: the answer ended before the first guess",
    "off: nothing in the earlier text was worth repeating",
    "off: no guess could be verified by the target",
    "off: the target can't roll back tokens",
    "off: the target is a recurrent model and can't roll back tokens",
    "off: the target can't verify several branches in one pass",
    "off: the draft is a recurrent model and can't roll back tokens",
    "off: other answers are written at the same time",
    "not reported",
}


def test_the_texts_that_programs_and_kept_answers_know_stay() -> None:
    assert {speculation_text(off) for off in SpeculationOff} == TEXTS
    assert speculation_text(None) == "on"
    assert speculation_text(DrafterFailure("out of memory")) == "off: the draft failed: out of memory"
    assert speculation_text(DrafterFailure("lost", "phrases")) == "off: the drafter phrases failed: lost"


@pytest.mark.parametrize(
    "why",
    [
        None,
        *SpeculationOff,
        DrafterFailure("out of memory"),
        DrafterFailure(""),
        DrafterFailure("two\nlines", "an oracle"),
        DrafterFailure("failed: {x}", "p"),
    ],
)
def test_a_kept_text_gives_the_reason_back(why: OffReason | None) -> None:
    assert parse_speculation(speculation_text(why)) == why
    assert type(parse_speculation(speculation_text(why))) is type(why)


def test_a_reason_of_another_version_stays_a_text() -> None:
    assert parse_speculation("off: it does not pay") == "it does not pay"
