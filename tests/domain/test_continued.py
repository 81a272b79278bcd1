from dataclasses import replace

import pytest
from support.chats import ANSWER, MARKS, STATS

from specchat.domain.answer_merging import merge_answers
from specchat.domain.conversations import Answer
from specchat.domain.speculation_status import SpeculationOff, speculation_text
from specchat.domain.types import FinishReason, GenerationStats

LATER = GenerationStats(
    n_prompt=900,
    n_generated=12,
    n_drafted=9,
    n_accepted=8,
    n_checked=9,
    n_verify_steps=2,
    acceptance_rate=8 / 9,
    mean_accepted_length=6.0,
    accepted_per_position=(0.5, 0.5, 1.0),
    drafted_per_source={"draft": 9},
    accepted_per_source={"draft": 8},
    ttft_s=9.0,
    tokens_per_s=120.0,
    saved_s=0.25,
)


def test_the_figures_are_those_of_both() -> None:
    stats = merge_answers(ANSWER, replace(ANSWER, stats=LATER)).stats
    assert (stats.n_prompt, stats.n_prompt_reused, stats.ttft_s) == (20, 4, 0.5)
    assert (stats.n_generated, stats.n_drafted, stats.n_accepted, stats.n_checked) == (16, 12, 10, 12)
    assert stats.acceptance_rate == 10 / 12
    assert stats.mean_accepted_length == 4.0
    assert stats.accepted_per_position == (0.75, 0.5, 1.0)
    assert stats.drafted_per_source == {"draft": 11, "ngram": 1}
    assert stats.accepted_per_source == {"draft": 9, "ngram": 1}
    assert stats.tokens_per_s == pytest.approx(16 / (4 / 40 + 12 / 120))
    assert stats.saved_s == pytest.approx(0.3)
    assert stats.speculation == "on"


def test_how_it_ended_is_how_the_last_part_ended() -> None:
    later = Answer(target="other.gguf", finish=FinishReason.STOP, thought_s=2.0, marks=MARKS)
    whole = merge_answers(ANSWER, later)
    assert (whole.target, whole.finish, whole.thought_s, whole.marks) == ("other.gguf", FinishReason.STOP, 3.5, MARKS)


def test_what_had_only_begun_adds_nothing() -> None:
    begun = Answer(target="target.gguf", finish=FinishReason.CANCELLED)
    assert merge_answers(begun, ANSWER) == ANSWER
    assert merge_answers(begun, begun) == begun
    assert merge_answers(ANSWER, replace(ANSWER, thought_s=None, stats=GenerationStats())).stats == replace(
        STATS, speculation="on"
    )


@pytest.mark.parametrize("off", [SpeculationOff.ENDED_FIRST, SpeculationOff.COSTS_MORE])
def test_why_the_rest_has_no_guesses_says_nothing_of_the_whole(off: SpeculationOff) -> None:
    guessed = replace(ANSWER, stats=replace(LATER, speculation="on"))
    rest = replace(ANSWER, stats=GenerationStats(n_generated=1, n_verify_steps=1, speculation=speculation_text(off)))
    assert merge_answers(guessed, rest).stats.speculation == (
        "on" if off is SpeculationOff.ENDED_FIRST else speculation_text(off)
    )
    assert merge_answers(rest, rest).stats.speculation == speculation_text(off)
