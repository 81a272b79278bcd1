"""The guesses of one step while they are made."""

from specchat.domain.proposal import Proposal
from specchat.domain.types import SampledToken


class GuessList:
    def __init__(self, origin: str) -> None:
        self._origin = origin
        self.tokens: list[int] = []
        self._scores: list[float] = []
        self._seconds: list[int | None] = []

    def __len__(self) -> int:
        return len(self.tokens)

    def add(self, choice: SampledToken) -> float:
        """Adds a guess and returns its score."""
        self.tokens.append(choice.token)
        self._scores.append(choice.probability or 0.0)
        self._seconds.append(choice.second)
        return self._scores[-1]

    def proposal(self) -> Proposal:
        return Proposal(
            tuple(self.tokens), (self._origin,) * len(self), tuple(self._scores), seconds=tuple(self._seconds)
        )
