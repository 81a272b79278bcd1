from collections.abc import Callable

from support.pairs import random_prompts

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal

PROMPT = random_prompts(1000, 1)[0]


class Told:
    """Guesses what it is told."""

    name = "told"

    def __init__(self, guess: Callable[[DraftContext, int], list[int]]) -> None:
        self._guess = guess
        self.seen: list[tuple[int, int]] = []

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        tokens = tuple(self._guess(context, budget))
        return Proposal(tokens, (self.name,) * len(tokens), (1.0,) * len(tokens))

    def observe(self, accepted: int, proposal: Proposal) -> None:
        self.seen.append((accepted, len(proposal.tokens)))


def oracle(answer: list[int], start: int) -> Told:
    """Knows the answer, as far as the budget goes."""
    return Told(lambda context, budget: answer[len(context.tokens) - start :][:budget])
