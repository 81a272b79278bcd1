"""Maps tokens of two vocabularies that stand for the same bytes."""

from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from specchat.engine.sampling import Logits

DIRECT_FROM = 0.9
"""The overlap from which guesses are translated token by token; below, they are translated as text."""


class TextVocabulary(Protocol):
    @property
    def size(self) -> int: ...
    @property
    def markers(self) -> Mapping[int, str]:
        """Control tokens, and other tokens that mark turns or calls, with their texts."""

    def is_byte(self, token: int) -> bool:
        """Whether the token stands for a byte of a character that has no token of its own."""

    def text_pieces(self) -> list[bytes]:
        """Returns the bytes that each token adds to a text; markers add none."""

    def added_before(self) -> list[int]:
        """Returns the tokens that start each text."""

    def tokenize_on(self, text: str) -> list[int]:
        """Tokenizes the text as a continuation, without control tokens."""


class TokenMap:
    """Maps the tokens of target and draft to each other. Control tokens are not mapped, so they are never guessed."""

    def __init__(self, target: TextVocabulary, draft: TextVocabulary, overlap: float) -> None:
        """`overlap`: the share of the larger vocabulary that both models have."""
        self.target, self.draft = target, draft
        self.is_direct = overlap >= DIRECT_FROM
        self.target_pieces, self.draft_pieces = target.text_pieces(), draft.text_pieces()
        self.to_draft = _counterparts(self.target_pieces, self.draft_pieces, draft)
        to_target = _counterparts(self.draft_pieces, self.target_pieces, target)
        is_mutual = self.to_draft[to_target] == np.arange(len(to_target))
        self.to_target = np.where((to_target >= 0) & is_mutual, to_target, -1)
        self._draft_ids = np.flatnonzero(self.to_target >= 0)
        self._target_ids = self.to_target[self._draft_ids]
        self._target_logits = np.full(target.size, -np.inf, dtype=np.float32)
        self._mapped_logits = np.empty(len(self._draft_ids), dtype=np.float32)
        self.draft_bytes = {piece[0]: token for token, piece in enumerate(self.draft_pieces) if len(piece) == 1}
        self._markers = _same_markers(target.markers, draft.markers)

    def target_logits(self, logits: Logits) -> Logits:
        """Returns the draft's logits for the target's tokens that both have. The next call overwrites them."""
        logits.take(self._draft_ids, out=self._mapped_logits, mode="clip")
        self._target_logits[self._target_ids] = self._mapped_logits
        return self._target_logits

    def draft_tokens_beginning_with(self, piece: bytes) -> NDArray[np.int64]:
        pieces, ids = self._sorted_draft_pieces
        return ids[bisect_left(pieces, piece) : bisect_left(pieces, _after_all_with(piece))]

    @cached_property
    def _sorted_draft_pieces(self) -> tuple[list[bytes], NDArray[np.int64]]:
        order = sorted(range(len(self.draft_pieces)), key=self.draft_pieces.__getitem__)
        return [self.draft_pieces[token] for token in order], np.array(order)

    def marker_in_draft(self, token: int) -> list[int]:
        """Returns the draft's token for a control token of the target. Empty if it has none with this text."""
        found = self._markers.get(token)
        return [] if found is None else [found]


def _after_all_with(piece: bytes) -> bytes:
    """Returns the first bytes in sort order after all that begin with `piece`."""
    stem = piece.rstrip(b"\xff")
    return stem[:-1] + bytes([stem[-1] + 1]) if stem else piece + b"\xff"


def _counterparts(pieces: list[bytes], others: list[bytes], other: TextVocabulary) -> NDArray[np.int32]:
    """Maps each piece to a token of the other vocabulary, or to -1. Byte tokens count only if there is no other."""
    by_piece = {piece: token for token, piece in enumerate(others) if piece and other.is_byte(token)}
    by_piece |= {piece: token for token, piece in enumerate(others) if piece and not other.is_byte(token)}
    return np.array([by_piece.get(piece, -1) for piece in pieces], dtype=np.int32)


def _same_markers(target: Mapping[int, str], draft: Mapping[int, str]) -> dict[int, int]:
    by_text = {text: token for token, text in draft.items()}
    return {token: by_text[text] for token, text in target.items() if text in by_text}
