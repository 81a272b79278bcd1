"""How much of a prompt is read between the steps of other answers."""

import pytest

from specchat.engine.prompt_pace import PromptPace

STEP_S, ROW_S, PIECE_ROW_S = 0.010, 0.003, 0.005
"""A step of one row, a prompt row in a large pass, and one in a small piece."""


@pytest.fixture
def pace() -> PromptPace:
    found = PromptPace(lambda n_rows: 1.0 + 0.4 * (n_rows - 1))
    found.observe(1, 0, STEP_S, is_draft=False, holds_up=False)
    found.observe(0, 64, 64 * ROW_S, is_draft=False, holds_up=False)
    return found


def rows(pace: PromptPace, *prompts: int, least: int = 1) -> int:
    return pace.most_rows(1, prompts, least, is_draft=False, is_mixed=True)


def read(pace: PromptPace, n_prompt: int, row_s: float) -> None:
    pace.observe(1, n_prompt, STEP_S + n_prompt * row_s, is_draft=False, holds_up=True)


def test_short_prompt_is_read_at_once(pace: PromptPace) -> None:
    assert rows(pace, 70) == 70


def test_as_many_of_the_shortest_are_read_at_once_as_a_short_pause_allows(pace: PromptPace) -> None:
    assert rows(pace, 100, 40, 30, 3000, 40) == 110


def test_prompts_that_follow_are_read_at_once_as_long_as_the_pause_is_short(pace: PromptPace) -> None:
    assert rows(pace, 80) == 80
    read(pace, 80, ROW_S)
    assert rows(pace, 80) == 80
    read(pace, 80, ROW_S)
    assert rows(pace, 80) < 80


def test_next_prompt_is_read_at_once_after_as_many_steps(pace: PromptPace) -> None:
    assert rows(pace, 160) == 160
    read(pace, 160, ROW_S)
    assert rows(pace, 160) < 160
    for _ in range(round(160 * ROW_S / STEP_S)):
        pace.observe(1, 0, STEP_S, is_draft=False, holds_up=False)
    assert rows(pace, 160) == 160


def test_long_prompt_holds_no_step_up_for_longer_than_three_steps(pace: PromptPace) -> None:
    left = 3000
    while left > 0:
        piece = rows(pace, 3000)
        assert STEP_S + piece * PIECE_ROW_S <= 3 * STEP_S
        read(pace, piece, PIECE_ROW_S)
        pace.observe(1, 0, STEP_S, is_draft=False, holds_up=False)
        left -= piece


def test_pieces_are_multiples_of_the_least(pace: PromptPace) -> None:
    read(pace, 1, PIECE_ROW_S)
    assert rows(pace, 3000, least=2) % 2 == 0
