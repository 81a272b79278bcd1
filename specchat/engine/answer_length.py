"""How long the answer is, and how long answers usually become."""

_USUAL, _KEPT = 100.0, 0.8
"""Tokens, until some answers were seen."""


class AnswerLength:
    def __init__(self) -> None:
        self.n_tokens = self._n_seen = 0
        """Of this answer, and since the pair was loaded."""
        self.usual = _USUAL

    def begin(self) -> None:
        if self.n_tokens:
            self.usual = _KEPT * self.usual + (1 - _KEPT) * self.n_tokens
        self.n_tokens = 0

    def add(self, n_tokens: int) -> None:
        self.n_tokens += n_tokens
        self._n_seen += n_tokens

    @property
    def n_answers_seen(self) -> float:
        """As if all were of the same length."""
        return self._n_seen / _USUAL
