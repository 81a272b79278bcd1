"""Against looking at every place, and against an index that was built at once."""

import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specchat.drafters.suffix_index import FOUR, PAIR, SuffixIndex
from specchat.engine.tokens import BETWEEN, Tokens

MIB = 2**20
Change = tuple[str, int, list[int]]


def tokens(*values: int) -> Tokens:
    return np.array(values, dtype=np.int32)


def built(text: Sequence[int]) -> SuffixIndex:
    index = SuffixIndex()
    index.extend(tokens(*text))
    return index


def everywhere(text: Sequence[int], recent: Sequence[int]) -> list[int]:
    for order in (FOUR, PAIR):
        wanted = list(recent[-order:])
        ends = [
            end
            for end in range(len(text) - 2, order - 2, -1)
            if list(text[end + 1 - order : end + 1]) == wanted and text[end + 1] != BETWEEN
        ]
        if ends and len(recent) >= order:
            return ends
    return []


def texts(letters: int, most: int = 200) -> st.SearchStrategy[list[int]]:
    """Few letters, so that everything repeats; some are as large as tokens get."""
    alphabet = [BETWEEN, 0, 1, 2, 151_643, 2**31 - 1][: letters + 1]
    return st.lists(st.sampled_from(alphabet), max_size=most)


any_text = st.integers(1, 5).flatmap(texts)
changes = st.lists(
    st.tuples(st.sampled_from(["extend", "one by one", "truncate", "forget"]), st.integers(0, 250), any_text),
    max_size=12,
)


def change(index: SuffixIndex, text: list[int], how: str, count: int, added: list[int]) -> list[int]:
    count = min(count, len(text))
    match how:
        case "truncate":
            index.truncate(count)
            return text[:count]
        case "forget":
            index.drop_first(count)
            return text[count:]
        case "extend":
            index.extend(tokens(*added))
        case _:
            for token in added:
                index.extend(tokens(token))
    return text + added


def ends_of_everything(index: SuffixIndex, text: Sequence[int]) -> list[list[int]]:
    return [list(index.match_ends(text[max(end - FOUR, 0) : end])) for end in range(len(text) + 1)]


@given(text=any_text, recent=st.integers(1, 5).flatmap(lambda letters: texts(letters, 6)))
def test_every_place_is_found_the_latest_first(text: list[int], recent: list[int]) -> None:
    index = built(text)
    assert list(index.match_ends(recent)) == everywhere(text, recent)
    for n in range(7):
        assert list(index.match_ends(text[len(text) - n :])) == everywhere(text, text[len(text) - n :])


@given(changes)
@settings(max_examples=200)
def test_however_it_came_about_it_is_as_if_built_at_once(made: list[Change]) -> None:
    index, text = SuffixIndex(), list[int]()
    for each in made:
        text = change(index, text, *each)
        assert index.tokens.tolist() == text
    assert ends_of_everything(index, text) == ends_of_everything(built(text), text)


def test_growing_beyond_its_table_it_finds_the_first_places_again() -> None:
    rng = np.random.default_rng(1)
    text = rng.integers(0, 2**31 - 1, 5000, dtype=np.int32)
    index = SuffixIndex()
    for start in range(0, len(text), 7):
        index.extend(text[start : start + 7])
    for end in range(FOUR - 1, len(text) - 1, 97):
        assert list(index.match_ends(text[end + 1 - FOUR : end + 1].tolist())) == [end]


def test_with_room_it_is_the_same() -> None:
    text = np.random.default_rng(2).integers(0, 9, 3000, dtype=np.int32)
    roomy = SuffixIndex(room=100_000)
    for start in range(0, len(text), 10):
        roomy.extend(text[start : start + 10])
    assert ends_of_everything(roomy, text.tolist()) == ends_of_everything(built(text.tolist()), text.tolist())


@pytest.mark.parametrize("recent", [[], [7], [1, 7], [7, 7, 7, 7]])
def test_what_never_stood_there_is_nowhere(recent: list[int]) -> None:
    assert list(built([1, 2, 3, 1, 2, 3]).match_ends(recent)) == []


def test_what_has_no_beginning_in_the_text_is_not_there() -> None:
    """Nothing stands before the first token, not even zeros."""
    assert list(built([5, 6, 7]).match_ends([0, 5])) == []
    assert list(built([5, 6, 7]).match_ends([0, 0, 5, 6])) == [1]


@given(text=any_text, other=any_text)
def test_common_prefix(text: list[int], other: list[int]) -> None:
    same = next((i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    assert built(text).common_prefix(tokens(*other)) == same


def test_a_million_tokens_take_at_most_60_mb() -> None:
    text = np.random.default_rng(3).zipf(1.3, 1_000_000).clip(max=150_000).astype(np.int32)
    tracemalloc.start()
    try:
        index = SuffixIndex()
        index.extend(text)
        at_once, _ = tracemalloc.get_traced_memory()
        index.extend(text[:9])
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(index) == 1_000_009
    assert max(at_once, after) < 60 * MIB
