"""What the tokens of an answer say, and which of them a text is usually written in."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

_AMID_CHARACTER = range(0x80, 0xC0)


class AnswerTokens:
    def __init__(
        self, piece: Callable[[int], bytes], tokenize: Callable[[str], Sequence[int]], markers: Mapping[int, bytes]
    ) -> None:
        """`tokenize`: a text that stands behind another. `markers`: what control tokens say."""
        self._piece = piece
        self._tokenize = tokenize
        self._markers = markers
        self._by_text = {text: token for token, text in markers.items()}
        self._cut = re.compile(b"(" + b"|".join(map(re.escape, self._by_text)) + b")") if markers else None

    def text(self, token: int) -> bytes:
        return self._markers.get(token) or self._piece(token)

    def written(self, text: bytes) -> Iterator[tuple[int, int]]:
        """Its tokens, each with the place where it ends; without a character that is cut off at the end."""
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
