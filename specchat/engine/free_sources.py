"""Sources that guess at next to no cost: earlier text, and the grammar of an answer. They are asked at each step."""

from collections.abc import Sequence
from typing import NamedTuple

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.engine.confidence import WORSE_CASE
from specchat.engine.draft_sources import DraftSource, SourceProposal
from specchat.engine.horizon import fastest_prefix

LEAST_SPEEDUP = 1.03
"""The speed-up that guessing must promise at least."""
_LEAST_OF_TEXT = 1.2
"""The speed-up that guessing from earlier text must promise; its chances are known less well."""
_FIRST_OF_TEXT, _FEW_HELD = 3, 2
"""Earlier text makes at most `_FIRST_OF_TEXT` guesses at once until `_FEW_HELD` of them were right in this answer."""
_SURE = 0.8
"""From this chance on, guesses from the grammar are so good that a draft alone would hardly do better."""


class FreeGuesses(NamedTuple):
    """The guesses of one free source that are worth verifying."""

    asked: SourceProposal | None = None
    guesses: Proposal = Proposal()
    chances: Sequence[float] = ()
    rate: float = 0.0
    """The rate in tokens per second if such guesses keep coming."""
    is_forced: bool = False

    @property
    def is_sure(self) -> bool:
        return self.is_forced and min(self.chances) >= _SURE


class FreeSources:
    def __init__(self, text: DraftSource | None, grammar: DraftSource | None) -> None:
        self._text, self._grammar = text, grammar
        self.all = [source for source in (grammar, text) if source is not None]
        self._text_held = False

    def has(self, source: DraftSource) -> bool:
        return any(source is each for each in self.all)

    def begin(self) -> None:
        self._text_held = False

    def ask(self, context: DraftContext, room: int) -> list[SourceProposal]:
        """Returns the proposals of the sources that guess now; at most steps, most of them don't."""
        said = [(source, source.drafter.propose(context, room)) for source in self.all]
        return [SourceProposal(source, proposal) for source, proposal in said if proposal.tokens]

    def fastest(self, asked: Sequence[SourceProposal], passes: Sequence[float]) -> FreeGuesses:
        """Returns the guesses with the highest rate. They are empty if no source promises enough."""
        return max((self._worth(each, passes) for each in asked), key=lambda free: free.rate, default=FreeGuesses())

    def _worth(self, asked: SourceProposal, passes: Sequence[float]) -> FreeGuesses:
        is_forced = asked.source is self._grammar
        if not (is_forced or self._text_held):
            passes = passes[: _FIRST_OF_TEXT + 1]
        chances = _chances(asked)
        count, rate = fastest_prefix(chances, passes)
        if not count or rate * passes[0] < (LEAST_SPEEDUP if is_forced else _LEAST_OF_TEXT):
            return FreeGuesses()
        return FreeGuesses(asked, asked.proposal.first(count), chances[:count], rate, is_forced)

    def hoped_rate(self, asked: Sequence[SourceProposal], passes: Sequence[float]) -> float:
        """`passes`: the lowest plausible costs."""
        return max((fastest_prefix(_chances(each), passes)[1] for each in asked), default=0.0)

    def observe(self, asked: SourceProposal, n_held: int) -> None:
        self._text_held = self._text_held or (asked.source is self._text and n_held >= _FEW_HELD)


def _chances(asked: SourceProposal) -> list[float]:
    return asked.source.calibration.chances(asked.proposal.confidences, WORSE_CASE)
