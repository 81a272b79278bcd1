"""The lookahead drafter: the target itself makes the guesses, in additional rows of its passes (Jacobi windows).

In addition to the text, the target gets a window of tokens that may follow, with its predictions from earlier passes.
Its new predictions complete n-grams, which become guesses after their first token.
"""

from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass, replace

import numpy as np

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Probes, Proposal
from specchat.domain.types import LOOKAHEAD
from specchat.engine.sampling import Logits

_SCORE = 0.5
_SIZES = ((47, 5), (23, 4), (7, 3))
"""The length of n-grams by the number of rows."""
_MOST_KNOWN = 8
"""The maximum number of n-grams that begin with the same token."""
MOST_FIRST = 4096
"""The maximum number of different first tokens of n-grams; the oldest ones are dropped."""


@dataclass(frozen=True, slots=True)
class Window:
    width: int
    """The number of places in the window, and of n-grams to verify."""
    n_gram: int

    @property
    def n_levels(self) -> int:
        return self.n_gram - 1


def window_for(n_rows: int) -> Window | None:
    """Returns the window that uses `n_rows` rows together with its guesses. None if they are too few."""
    n_gram = next((n_gram for least, n_gram in _SIZES if n_rows >= least), None)
    return Window((n_rows + 1) // (2 * n_gram - 2), n_gram) if n_gram else None


class LookaheadDrafter:
    name = LOOKAHEAD

    def __init__(self) -> None:
        self._window = Window(0, 0)
        self._levels: list[list[int]] = []
        """The tokens of each level. The first token of the first level is the last token of the text."""
        self._known: OrderedDict[int, deque[tuple[int, ...]]] = OrderedDict()
        """The n-grams by their first token, the latest last."""
        self._rng = np.random.default_rng(0)
        self._text = np.empty(0, dtype=np.int32)

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        window = window_for(budget)
        if window is None:
            return Proposal()
        self._follow(context, window)
        guesses = self._guesses(int(context.tokens[-1]))
        return replace(guesses, probes=self._probes(len(guesses.tokens)))

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass

    def learn(self, logits: Logits) -> None:
        """Learns from the target's predictions for the latest probes."""
        width = self._window.width
        said = [int(row.argmax()) for row in logits[-width:]]
        for place in range(width):
            first, *following = (level[place] for level in self._levels)
            self._remember(first, (*following, said[place]))
        self._levels = [*self._levels[1:], said]

    def _remember(self, first: int, following: tuple[int, ...]) -> None:
        known = self._known.setdefault(first, deque(maxlen=_MOST_KNOWN))
        self._known.move_to_end(first)
        if len(self._known) > MOST_FIRST:
            self._known.popitem(last=False)
        if following in known:
            known.remove(following)
        known.append(following)

    def _follow(self, context: DraftContext, window: Window) -> None:
        """Moves the window with the text, or starts again for another text. Gaps are filled with tokens of the text."""
        tokens, width = context.tokens, window.width
        n_new = len(tokens) - len(self._text)
        goes_on = n_new > 0 and np.array_equal(tokens[: len(self._text)], self._text)
        kept = self._levels[-window.n_levels :] if goes_on else []
        self._levels = [[] for _ in range(window.n_levels - len(kept))]
        self._levels += [level[n_new - 1 : n_new - 1 + width] for level in kept]
        self._window, self._text = window, tokens.copy()
        for level in self._levels:
            level += self._rng.choice(tokens, width - len(level)).tolist()
        self._levels[0][0] = int(tokens[-1])

    def _guesses(self, last: int) -> Proposal:
        """Guesses the known n-grams that begin with this token. The latest one is the main branch."""
        tokens, parents = list[int](), list[int]()
        children: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for following in list(reversed(self._known.get(last, ())))[: self._window.width]:
            parent = -1
            for token in following[: self._window.n_levels]:
                if token not in children[parent]:
                    children[parent][token] = len(tokens)
                    tokens.append(token)
                    parents.append(parent)
                parent = children[parent][token]
        n = len(tokens)
        return Proposal(tuple(tokens), (self.name,) * n, (_SCORE,) * n, tuple(parents))

    def _probes(self, n_guesses: int) -> Probes:
        """Each token follows the one at its place in the previous level; those of the first level follow each other."""
        width, first, *others = self._window.width, *self._levels
        tokens, parents = first[1:], [-1, *range(n_guesses, n_guesses + width - 2)]
        above = [-1, *range(n_guesses, n_guesses + width - 1)]
        for level in others:
            begin = n_guesses + len(tokens)
            tokens, parents = tokens + level, parents + above
            above = list(range(begin, begin + width))
        return Probes(tuple(tokens), tuple(parents[: len(tokens)]))
