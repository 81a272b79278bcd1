import pytest

from specchat.domain.guessing import Failed, Off, WhyOff, as_text, why_off

TEXTS = {
    "off: draft type is none",
    "off: no draft chosen",
    "off: draft length is 0",
    "off: guessing costs more time than it saves here",
    "off: still measuring whether guessing saves time here",
    "off: the answer ended before anything was guessed",
    "off: the text offered nothing worth repeating",
    "off: no guess was found that the target can check",
    "off: the target cannot take back tokens",
    "off: the target is a recurrent model, which cannot take back tokens",
    "off: the draft is a recurrent model, which cannot take back tokens",
}


def test_the_texts_that_programs_and_kept_answers_know_stay() -> None:
    assert {as_text(off) for off in Off} == TEXTS
    assert as_text(None) == "on"
    assert as_text(Failed("out of memory")) == "off: the draft failed: out of memory"
    assert as_text(Failed("lost", "phrases")) == "off: the drafter phrases failed: lost"


@pytest.mark.parametrize(
    "why",
    [None, *Off, Failed("out of memory"), Failed(""), Failed("two\nlines", "an oracle"), Failed("failed: {x}", "p")],
)
def test_a_kept_text_gives_the_reason_back(why: WhyOff | None) -> None:
    assert why_off(as_text(why)) == why
    assert type(why_off(as_text(why))) is type(why)


def test_a_reason_of_another_version_stays_a_text() -> None:
    assert why_off("off: it does not pay") == "it does not pay"
