"""A drafter of one's own: a trie of common phrases. When the text begins one of them, the rest is the guess."""

from collections.abc import Iterable, Sequence

from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.proposal import Proposal
from specchat.drafters import DrafterSetup

PHRASES = [
    "for example, ",
    "on the other hand, ",
    "as soon as possible",
    "Thank you for your message.",
    "Let me know if you have any questions.",
]
_BEGINNING = 2
"""Tokens of a phrase that must stand there before the rest is guessed."""


class Trie:
    def __init__(self) -> None:
        self.next: dict[int, Trie] = {}

    def add(self, tokens: Sequence[int]) -> None:
        node = self
        for token in tokens:
            node = node.next.setdefault(token, Trie())

    def after(self, tokens: Iterable[int]) -> "Trie | None":
        node: Trie | None = self
        for token in tokens:
            node = node.next.get(token) if node else None
        return node


class Phrases:
    name = "phrases"

    def __init__(self, phrases: Iterable[Sequence[int]]) -> None:
        self._trie = Trie()
        self._longest = 0
        for tokens in phrases:
            self._trie.add(tokens)
            self._longest = max(self._longest, len(tokens))

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        recent = context.tokens[-self._longest :].tolist()
        for start in range(len(recent) - _BEGINNING + 1):
            node = self._trie.after(recent[start:])
            if node is not None and node.next:
                return self._rest(node, budget)
        return Proposal()

    def observe(self, accepted: int, proposal: Proposal) -> None:
        """A drafter that learns would note here which guesses held."""

    def _rest(self, node: Trie, budget: int) -> Proposal:
        tokens: list[int] = []
        while node.next and len(tokens) < budget:
            token, node = next(iter(node.next.items()))
            tokens.append(token)
        return Proposal(tuple(tokens), (self.name,) * len(tokens), (0.5,) * len(tokens))


def make_drafter(setup: DrafterSetup) -> Drafter:
    return Phrases([setup.tokenize(phrase) for phrase in PHRASES])
