"""The n-gram drafter: repeats what followed the same words in this text or in earlier answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.types import NGRAM
from specchat.drafters.suffix_index import SuffixIndex
from specchat.engine.tokens import BETWEEN, Tokens

_LONGEST_MATCH = 24
_LOOKED_AT = 32
"""Places where the last words stood before, the latest first."""
_MOST_VOTES = 8
_TELLING = 32
"""Another text that has these tokens at this very place is the same text."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the last words stood before: what followed begins at `next`."""

    text: SuffixIndex
    next: int


class SuffixDrafter:
    name = NGRAM

    def __init__(self, past: SuffixIndex | None = None, min_ngram_size: int = 2, num_pred_tokens: int = 64) -> None:
        """`past`: earlier answers."""
        self._text = SuffixIndex()
        self._texts = (self._text,) if past is None else (self._text, past)
        self._least = min_ngram_size
        self._most = num_pred_tokens

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        return self.guess(context.text_tokens, budget)

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass

    def guess(self, text: Tokens, budget: int) -> Proposal:
        self._follow(text)
        matched, places = self._longest_matches(text[-_LONGEST_MATCH:].tolist())
        guesses, scores = list[int](), list[float]()
        for ahead in range(min(budget, self._most)):
            following = [self._token_at(place, guesses) for place in places]
            known = [token for token in following if token is not None]
            if not known:
                break
            guess = max(known, key=known.count)  # of equally common ones the first, whose place is the latest
            guesses.append(guess)
            scores.append(_score(matched + ahead, known.count(guess), len(places)))
            places = [place for place, token in zip(places, following, strict=True) if token == guess]
        return Proposal(tuple(guesses), (self.name,) * len(guesses), tuple(scores))

    def _follow(self, tokens: Tokens) -> None:
        text = self._text
        known = len(text) if self._goes_on(tokens) else text.common_prefix(tokens)
        if known < len(text):
            text.truncate(known)
        if known < len(tokens):
            text.extend(tokens[known:])

    def _goes_on(self, tokens: Tokens) -> bool:
        """Told by the end alone: comparing a long text at each step would cost more than guessing from it."""
        known = len(self._text)
        end = max(0, known - _TELLING)
        return known <= len(tokens) and tokens[end:known].tolist() == self._text.tokens[end:].tolist()

    def _longest_matches(self, recent: Sequence[int]) -> tuple[int, list[_Place]]:
        longest, places = self._least, list[_Place]()
        for text in self._texts:
            for end, length in _matches(text, recent):
                if length > longest:
                    longest, places = length, []
                if length == longest and len(places) < _MOST_VOTES:
                    places.append(_Place(text, end + 1))
        return longest, places

    def _token_at(self, place: _Place, guesses: Sequence[int]) -> int | None:
        """What follows there after as many tokens. Beyond its end this text goes on with the guesses themselves."""
        tokens, at = place.text.tokens, place.next + len(guesses)
        beyond = at - len(tokens)
        if beyond < 0:
            return None if tokens[at] == BETWEEN else tokens[at]
        return guesses[beyond] if place.text is self._text else None


def _matches(text: SuffixIndex, recent: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where tokens like the last of `recent` end, and how many are alike."""
    tokens, backwards = text.tokens, recent[::-1]
    for end in islice(text.match_ends(recent), _LOOKED_AT):
        length = 0
        for token, place in zip(backwards, range(end, -1, -1), strict=False):
            if tokens[place] != token:
                break
            length += 1
        yield end, length


def _score(matched: int, votes: int, of: int) -> float:
    """About how likely it is in a text that is new; how likely in this one is counted elsewhere."""
    evidence = matched + votes - 1
    share: float = evidence / (evidence + 1 + 2 * (of - votes))
    return share**3
