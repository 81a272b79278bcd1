"""Texts in which ids stand for the rows of pictures."""

import numpy as np

from specchat.engine.draft_texts import DraftTexts
from specchat.engine.tokens import (
    BETWEEN,
    FIRST_PICTURE,
    TokenBuffer,
    Tokens,
    cut,
    picture_rows,
    without_part_of_picture,
)


def rows(first: int, count: int) -> list[int]:
    return list(range(FIRST_PICTURE - first, FIRST_PICTURE - first - count, -1))


def array(*tokens: int) -> Tokens:
    return np.array(tokens, dtype=np.int32)


TEXT = array(1, 2, 3, *rows(0, 4), *rows(5, 2), 7, *rows(0, 4), 8, 9)


def test_where_pictures_are() -> None:
    assert picture_rows(TEXT) == [(3, 7), (7, 9), (10, 14)]
    assert picture_rows(array(*rows(0, 3), *rows(0, 3))) == [(0, 3), (3, 6)]
    assert picture_rows(array(5, -1, 6)) == []
    assert picture_rows(array()) == []


def test_pieces_of_a_text() -> None:
    assert list(cut(TEXT, 2)) == [(0, 2), (2, 3), (3, 7), (7, 9), (9, 10), (10, 14), (14, 16)]
    assert list(cut(array(1, 2, 3), 2)) == [(0, 2), (2, 3)]
    assert list(cut(array(), 2)) == []


def test_no_part_of_a_picture_is_left() -> None:
    whole = [0, 1, 2, 3, 3, 3, 3, 7, 7, 9, 10, 10, 10, 10, 14, 15, 16]
    assert [without_part_of_picture(TEXT, length) for length in range(len(TEXT) + 1)] == whole


def test_what_drafters_see() -> None:
    texts = DraftTexts(TokenBuffer(TEXT.tolist()), None)
    texts.append(4)
    assert len(texts.whole) == len(TEXT) + 1
    assert texts.whole.view.min() >= 0
    assert texts.read.view.tolist() == [1, 2, 3, 7, 8, 9, 4]
    assert texts.text.view.tolist() == [1, 2, 3, BETWEEN, BETWEEN, 7, BETWEEN, 8, 9, 4]


def test_without_pictures_there_is_one_text() -> None:
    history = TokenBuffer([1, 2])
    texts = DraftTexts(history, None)
    assert texts.whole is texts.read is texts.text is history
    texts.append(3)
    assert len(history) == 2
    reordered = DraftTexts(history, [*rows(0, 2), 5, BETWEEN, 6])
    reordered.append(3)
    assert reordered.text.view.tolist() == [BETWEEN, 5, BETWEEN, 6, 3]
    assert len(history) == 2
