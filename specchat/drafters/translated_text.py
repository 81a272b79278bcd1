"""Translates the text so far into the tokens of a draft with a different vocabulary."""

from bisect import bisect_right
from codecs import getincrementaldecoder
from itertools import accumulate

from specchat.drafters.token_map import TokenMap
from specchat.engine.tokens import TokenBuffer, Tokens, common_prefix

_FURTHEST_BACK = 8
"""A word that has grown is read again from at most so many tokens back."""


class TranslatedText:
    """Follows the target's text. Tokenizes only new text, from the beginning of its first word."""

    def __init__(self, token_map: TokenMap) -> None:
        self._map = token_map
        self._read = TokenBuffer()
        """The target's tokens that were translated."""
        self._tokens = TokenBuffer(token_map.draft.added_before())
        self._n_before = len(self._tokens)
        self._ends: list[int] = []
        """For each token of the target, the number of the draft's tokens that end at or before its end."""
        self._is_even: list[bool] = []
        """For each token of the target, whether a token of the draft ends at the same place."""

    @property
    def tokens(self) -> Tokens:
        return self._tokens.view

    @property
    def is_whole(self) -> bool:
        """Whether all of the text could be translated: it doesn't end within a character."""
        return not self._is_even or self._is_even[-1]

    def is_even_at(self, length: int) -> bool:
        return length == 0 or self._is_even[length - 1]

    def n_tokens_at(self, length: int) -> int:
        """Returns the number of the draft's tokens within the first `length` tokens of the target."""
        return self._ends[length - 1] if length else self._n_before

    def n_tokens_covering(self, length: int) -> int:
        """Returns the number of the draft's tokens that cover the first `length` tokens of the target."""
        return self.n_tokens_at(length) + (not self.is_even_at(length))

    def n_known(self, n_tokens: int) -> int:
        """Returns the number of the target's tokens within the first `n_tokens` tokens of the draft."""
        return bisect_right(self._ends, n_tokens)

    def follow(self, tokens: Tokens) -> None:
        same = common_prefix(tokens, self._read.view)
        if same == len(tokens) == len(self._read):
            return
        start = self._start_of_word(tokens, same)
        self._forget_from(start)
        for token in tokens[start:].tolist():
            self._read.append(token)
        self._translate(tokens, start)

    def _start_of_word(self, tokens: Tokens, length: int) -> int:
        """Returns where to start reading: a word that has grown may be another token in the draft's vocabulary."""
        places = [at for at in range(length, max(-1, length - _FURTHEST_BACK - 1), -1) if self._may_begin(tokens, at)]
        words = (at for at in places if self._begins_word(tokens, at))
        further = (at for at in range(length, -1, -1) if self._may_begin(tokens, at))
        return next(words, places[0] if places else next(further))

    def _may_begin(self, tokens: Tokens, at: int) -> bool:
        """Whether reading may start here: not within a character."""
        if at == 0:
            return True
        following = self._map.target_pieces[tokens[at]][:1] if at < len(tokens) else b""
        return self._is_even[at - 1] and not b"\x80" <= following < b"\xc0"

    def _begins_word(self, tokens: Tokens, at: int) -> bool:
        pieces = self._map.target_pieces
        before = pieces[tokens[at - 1]] if at else b""
        if not before:
            return True
        return at < len(tokens) and pieces[tokens[at]][:1].isspace() and not before[-1:].isspace()

    def _forget_from(self, length: int) -> None:
        self._tokens.truncate(self.n_tokens_at(length))
        self._read.truncate(length)
        del self._ends[length:], self._is_even[length:]

    def _translate(self, tokens: Tokens, start: int) -> None:
        """Translates the text between two control tokens at once."""
        pieces = self._map.target_pieces
        run: list[bytes] = []
        for token in tokens[start:].tolist():
            piece = pieces[token]
            if piece:
                run.append(piece)
                continue
            if run:
                self._add_text(run)
                run = []
            self._add(self._map.marker_in_draft(token))
            self._mark_end(1, 0)
        if run:
            self._add_text(run)

    def _add_text(self, pieces: list[bytes]) -> None:
        """Adds the text up to the last whole character, and the remaining bytes if the draft has tokens for them."""
        text, incomplete = split_incomplete(b"".join(pieces))
        translated = self._map.draft.tokenize_on(text) if text else []
        begin, lengths = len(self._tokens), [len(self._map.draft_pieces[token]) for token in translated]
        is_same = sum(lengths) + len(incomplete) == sum(map(len, pieces))
        for byte in incomplete:
            if byte not in self._map.draft_bytes:
                break
            translated.append(self._map.draft_bytes[byte])
            lengths.append(1)
        self._add(translated)
        if is_same:
            self._mark_ends(pieces, begin, [0, *accumulate(lengths)])
        else:
            self._mark_end(len(pieces), begin)

    def _mark_ends(self, pieces: list[bytes], begin: int, draft_ends: list[int]) -> None:
        for end in accumulate(map(len, pieces)):
            count = bisect_right(draft_ends, end) - 1
            self._ends.append(begin + count)
            self._is_even.append(draft_ends[count] == end)

    def _mark_end(self, n_tokens: int, begin: int) -> None:
        """Adds one common end for tokens that the draft reads as other characters, so that they can't be aligned."""
        self._ends += [*[begin] * (n_tokens - 1), len(self._tokens)]
        self._is_even += [*[False] * (n_tokens - 1), True]

    def _add(self, tokens: list[int]) -> None:
        for token in tokens:
            self._tokens.append(token)


def split_incomplete(text: bytes) -> tuple[str, bytes]:
    """Returns the whole characters, and the bytes of an incomplete one at the end."""
    decoder = getincrementaldecoder("utf-8")("replace")
    return decoder.decode(text), decoder.getstate()[0]
