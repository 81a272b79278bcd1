"""Against looking at every place for each guess."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specchat.domain.proposal import Proposal
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.drafters.suffix_index import SuffixIndex
from specchat.engine.tokens import BETWEEN
from specchat.services.generation.answer_history import AnswerHistory

LONGEST_MATCH, LOOKED_AT, MOST_VOTES = 24, 32, 8


def guessed(drafter: SuffixDrafter, text: Sequence[int], budget: int = 8) -> Proposal:
    return drafter.guess(np.array(text, dtype=np.int32), budget)


def guesses(text: Sequence[int], budget: int = 8, past: Sequence[Sequence[int]] = (), least: int = 2) -> list[int]:
    return list(guessed(SuffixDrafter(answered(past), least), text, budget).tokens)


def answered(answers: Sequence[Sequence[int]]) -> SuffixIndex:
    past = AnswerHistory()
    for answer in answers:
        past.add(answer)
    return past.index


def alike(text: Sequence[int], end: int, recent: Sequence[int]) -> int:
    n = 0
    while n < min(len(recent), LONGEST_MATCH, end + 1) and text[end - n] == recent[-1 - n]:
        n += 1
    return n


def looked_up(text: list[int], past: list[int], budget: int, least: int) -> list[int]:
    """Where the most of the last tokens stood before, the most frequent continuation, token by token."""
    found: list[tuple[int, bool, int]] = []
    for other in (text, past):
        lengths = [(alike(other, end, text), end) for end in range(len(other) - 2, -1, -1)]
        usable = [(length, end) for length, end in lengths if length >= 2 and other[end + 1] != BETWEEN]
        if any(length >= 4 for length, _ in usable):
            usable = [(length, end) for length, end in usable if length >= 4]
        found += [(length, other is text, end) for length, end in usable[:LOOKED_AT] if length >= least]
    longest = max((length for length, _, _ in found), default=0)
    places = [(own, end) for length, own, end in found if length == longest][:MOST_VOTES]
    said = list(text)
    while len(said) < len(text) + budget:
        ahead = len(said) - len(text) + 1
        here = [
            (said if own else [*past, BETWEEN])[min(end + ahead, len(said if own else past))] for own, end in places
        ]
        known = [token for token in here if token != BETWEEN]
        if not known:
            break
        said.append(max(known, key=known.count))
        places = [place for place, token in zip(places, here, strict=True) if token == said[-1]]
    return said[len(text) :]


def texts(letters: int, most: int = 120) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, letters), max_size=most)


any_text = st.integers(0, 6).flatmap(texts)


@given(text=any_text, answers=st.lists(any_text, max_size=3), budget=st.integers(0, 20), least=st.integers(2, 6))
def test_as_looking_at_every_place(text: list[int], answers: list[list[int]], budget: int, least: int) -> None:
    past = answered(answers)
    proposal = guessed(SuffixDrafter(past, least), text, budget)
    assert list(proposal.tokens) == looked_up(text, past.tokens.tolist(), budget, least)
    assert len(proposal.tokens) == len(proposal.confidences) == len(proposal.origins) <= budget
    assert all(0 < score <= 1 for score in proposal.confidences)
    assert BETWEEN not in proposal.tokens


@given(
    conversations=st.lists(st.tuples(any_text, st.integers(0, 120), any_text), max_size=5), answers=st.lists(any_text)
)
def test_whatever_text_comes_after_another(
    conversations: list[tuple[list[int], int, list[int]]], answers: list[list[int]]
) -> None:
    """Grown, taken back, edited or replaced: it guesses as a new one does."""
    past, text = answered(answers), list[int]()
    kept = SuffixDrafter(past)
    for another, length, added in conversations:
        for following in (another, text[:length], [*text[:length], *added]):
            assert guessed(kept, following) == guessed(SuffixDrafter(past), following)
            text = following


def test_the_longest_match_counts() -> None:
    text = [1, 2, 3, 4, 5, 60, 9, 9, 3, 4, 5, 70, 8, 8, 4, 5, 80, 1, 2, 3, 4, 5]
    assert guesses(text, 1) == [60]


def test_a_short_match_in_this_text_counts() -> None:
    assert guesses([1, 2, 30, 31, 8, 9, 1, 2], 2) == [30, 31]
    assert guesses([7, 1, 2, 30, 31, 8, 7, 1, 2], 2) == [30, 31]


def test_of_matches_alike_the_most_frequent_continuation_counts() -> None:
    assert guesses([1, 2, 50, 7, 1, 2, 50, 8, 1, 2, 60, 9, 1, 2], 1) == [50]


def test_of_two_as_frequent_the_latest_counts() -> None:
    assert guesses([1, 2, 50, 7, 1, 2, 60, 8, 1, 2], 1) == [60]


def test_what_others_deny_is_worth_less() -> None:
    text = [1, 2, 50, 7, 1, 2, 50, 8, 1, 2]
    agreed = guessed(SuffixDrafter(), text, 1)
    denied = guessed(SuffixDrafter(), [1, 2, 60, 6, *text], 1)
    assert agreed.tokens == denied.tokens == (50,)
    assert denied.confidences < agreed.confidences


def test_a_longer_match_is_worth_more() -> None:
    assert (
        guessed(SuffixDrafter(), [1, 2, 3, 4, 5, 1, 2, 3, 4]).confidences
        > guessed(SuffixDrafter(), [3, 4, 5, 3, 4]).confidences
    )


@pytest.mark.parametrize("period", [1, 2, 3])
@pytest.mark.parametrize("past", [(), [[5, 5, 5]]], ids=["alone", "with a past"])
def test_a_repetition_goes_on(period: int, past: Sequence[Sequence[int]]) -> None:
    unit = [10, 20, 30][:period]
    for n in range(3 * period, 6 * period):
        text = [1, 2, *(unit * 10)[:n]]
        assert guesses(text, 16, past) == (unit * 40)[n : n + 16]


@pytest.mark.parametrize("least", range(2, 7))
def test_matches_shorter_than_wanted_do_not_count(least: int) -> None:
    for length in range(1, 9):
        repeated = list(range(100, 100 + length))
        found = guesses([1, *repeated, 50, 2, *repeated], 1, least=least)
        assert found == ([50] if length >= least else [])


def test_no_more_than_it_was_told_to() -> None:
    text = np.array([1, 2, 3, 4, 5, 6, 7, 8, 1, 2], dtype=np.int32)
    assert SuffixDrafter(num_pred_tokens=3).guess(text, 9).tokens == (3, 4, 5)
    assert SuffixDrafter().guess(text, 2).tokens == (3, 4)
    assert SuffixDrafter().guess(text, 0).tokens == SuffixDrafter().guess(text, -1).tokens == ()


def test_earlier_answers_are_guessed_from_to_their_end() -> None:
    past = [[1, 2, 3, 4, 5], [6, 7, 8]]
    assert guesses([9, 3, 4], past=past) == [5]
    assert guesses([9, 4, 5], past=past) == []
    assert guesses([9, 5, 6], past=past) == []
    assert guesses([9, 6, 7], past=past) == [8]


def test_this_text_and_earlier_answers_vote_together() -> None:
    assert guesses([1, 2, 50, 9, 1, 2], 1, past=[[1, 2, 60], [7, 1, 2, 60]]) == [60]
    assert guesses([1, 2, 50, 9, 1, 2], 1, past=[[1, 2, 60]]) == [50]


def test_an_answer_that_ends_does_not_hide_another() -> None:
    assert guesses([9, 1, 2, 3, 4], past=[[1, 2, 3, 4, 5], [1, 2, 3, 4]]) == [5]
