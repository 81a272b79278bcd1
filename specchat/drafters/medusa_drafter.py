"""The drafter for Medusa heads, each of which guesses one token from the latest state."""

import numpy as np

from specchat.domain.head_ports import ParallelHeads
from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.drafters.guess_list import GuessList
from specchat.drafters.head_drafter import HeadDrafter, Rehearsed
from specchat.engine.state_history import States


class MedusaDrafter(HeadDrafter):
    """Reads only the state of the second-latest token, from which the target chose the latest one."""

    _head: ParallelHeads

    def __init__(self, name: str, head: ParallelHeads, columns: slice) -> None:
        super().__init__(name, head, last_is_read=False, columns=columns)

    def _guess(self, context: DraftContext, budget: int) -> Proposal:
        end = len(context.tokens) - 1
        state = self._known_states(context, end - 1, end)
        guesses = GuessList(self.name)
        for ahead in range(min(budget, self._head.n_guesses) if len(state) else 0):
            choice = context.guess(self._head.logits(ahead, state, context.cancel)[0], guesses.tokens)
            if not context.worth_another(guesses.add(choice)):
                break
        return guesses.proposal()

    def _can_follow(self, context: DraftContext) -> bool:
        """Whether the target has this state; its cache doesn't matter."""
        states = context.target.states
        return states is not None and states.has(len(context.tokens) - 2)

    def _rehearse(self, context: DraftContext, count: int) -> Rehearsed:
        """Compares what the first head would have guessed. The guess after the last state is only timed."""
        end = len(context.tokens) - 1
        states = self._known_states(context, max(0, end - 1 - count), end)
        if len(states) < 2:
            return []
        first = len(context.tokens) - (len(states) - 1)
        logits = self._head.logits(0, states[:-1], context.cancel)
        choices = [context.guess_earlier(row, first + i) for i, row in enumerate(logits)]
        context.worth_another(choices[-1].probability or 0.0)
        choice = context.guess(self._head.logits(0, states[-1:], context.cancel)[0], ())
        context.worth_another(choice.probability or 0.0)
        following = context.tokens[first:].tolist()
        return [
            (choice.probability or 0.0, choice.token == token) for choice, token in zip(choices, following, strict=True)
        ]

    def _known_states(self, context: DraftContext, begin: int, end: int) -> States:
        """Returns the latest states without a gap; most tokens of a prompt have no states."""
        assert context.target.states is not None
        states = self._states(context, max(begin, context.target.states.first), end)
        unknown = np.flatnonzero(~states.any(axis=1))
        return states[unknown[-1] + 1 :] if len(unknown) else states

    def _read(self, context: DraftContext, end: int) -> None:
        return
