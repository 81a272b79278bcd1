"""Indexes earlier answers, because new answers often repeat parts of them."""

import logging
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from specchat.domain.errors import UserError
from specchat.drafters.suffix_index import SuffixIndex
from specchat.engine.tokens import BETWEEN

log = logging.getLogger(__name__)

MAX_TOKENS = 200_000
_MOST_CHARACTERS = 400_000
"""The most characters from other chats."""
_PIECE = 4_000
"""Characters that take a few milliseconds."""

ReadAnswers = Callable[[int], Sequence[str]]
"""So many characters of what was answered in all chats, the newest last."""


class AnswerHistory:
    """Keeps earlier answers; when there are too many, it drops the older half."""

    def __init__(self, most: int = MAX_TOKENS) -> None:
        self.index = SuffixIndex(room=most)
        self._most = most

    def add(self, tokens: Sequence[int]) -> None:
        if not tokens:
            return
        half = self._most // 2
        added = np.array([*tokens[1 - half :], BETWEEN], dtype=np.int32)
        if len(self.index) + len(added) > self._most:
            self.index.drop_first(len(self.index) - half)
        self.index.extend(added)


def index_stored_answers(
    past: AnswerHistory, read: ReadAnswers, tokenize: Callable[[str], Sequence[int]]
) -> Iterator[None]:
    """Piece by piece, so that whoever iterates decides when there is time for it."""
    try:
        answers = read(_MOST_CHARACTERS)
    except UserError as error:
        log.warning("Couldn't read earlier answers: %s", error)
        return
    for answer in answers:
        for begin in range(0, len(answer), _PIECE):
            past.add(tokenize(answer[begin : begin + _PIECE]))
            yield
