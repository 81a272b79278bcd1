"""Converts the tokens of an answer to text, and a text to the tokens that a model usually writes."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

_AMID_CHARACTER = range(0x80, 0xC0)


class AnswerTokens:
    def __init__(
        self, piece: Callable[[int], bytes], tokenize: Callable[[str], Sequence[int]], markers: Mapping[int, bytes]
    ) -> None:
        """`tokenize`: tokenizes a continuation of other text. `markers`: the texts of control tokens."""
        self._piece = piece
        self._tokenize = tokenize
        self._markers = markers
        self._by_text = {text: token for token, text in markers.items()}
        self._cut = re.compile(b"(" + b"|".join(map(re.escape, self._by_text)) + b")") if markers else None

    def text(self, token: int) -> bytes:
        return self._markers.get(token) or self._piece(token)

    def written(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Yields the text's tokens, each with its end position, without an incomplete character at the end."""
        if not text or text[0] in _AMID_CHARACTER:
            return
        end = 0
        for part in self._cut.split(text) if self._cut else [text]:
            for token in self._tokens(part):
                piece = self.text(token)
                if not text.startswith(piece, end):
                    return
                end += len(piece)
                yield token, end

    def _tokens(self, part: bytes) -> Sequence[int]:
        if part in self._by_text:
            return (self._by_text[part],)
        known = part.decode("utf-8", "ignore")
        return self._tokenize(known) if known else ()
