"""What grammars allow, and what one of their texts may be."""

from random import Random

from specchat.engine.grammar.gbnf import read_grammar
from specchat.engine.grammar.matcher import Matcher, MatchState
from specchat.engine.grammar.rules import CharSet

LONGEST = 5000


class Texts:
    def __init__(self, grammar: str) -> None:
        self._matcher = Matcher(read_grammar(grammar))

    def __contains__(self, text: str) -> bool:
        state = self._matcher.after(self._matcher.start(), text)
        return state is not None and state.ends

    def may_begin(self, text: str) -> bool:
        return self._matcher.after(self._matcher.start(), text) is not None

    def some(self, random: Random) -> str:
        """One that ends soon."""
        while True:
            text = self._walk(random)
            if len(text) < LONGEST:
                return text

    def _walk(self, random: Random) -> str:
        state, text = self._matcher.start(), ""
        while len(text) < LONGEST and not (state.ends and (not state.places or random.random() < 0.3)):
            text += _next_char(state, random)
            state = self._matcher.after(self._matcher.start(), text) or state
        return text


def _next_char(state: MatchState, random: Random) -> str:
    _, chars = random.choice(state.places)
    assert isinstance(chars, CharSet)
    low, high = random.choice(chars.ranges)
    return chr(random.choice((low, high, random.randint(low, min(high, low + 90)))))
