"""The drafter for DFlash and DSpark heads, which guess a whole block in one pass."""

from dataclasses import replace

import numpy as np

from specchat.domain.head_ports import Head
from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.types import SampledToken
from specchat.drafters.guess_list import GuessList
from specchat.drafters.head_drafter import HeadDrafter, Rehearsed
from specchat.engine.sampling import invalid_values_error
from specchat.engine.tokens import Tokens


class BlockDrafter(HeadDrafter):
    is_block = True

    _head: Head

    def __init__(self, name: str, head: Head, columns: slice) -> None:
        super().__init__(name, head, last_is_read=False, columns=columns)
        self._longest = head.block_size if head.guesses_anchor else head.block_size - 1
        self._skipped = 0 if head.guesses_anchor else 1
        """The number of rows before the first guess."""
        self._tokens = np.full(head.block_size, head.mask_token, dtype=np.int32)

    def _guess(self, context: DraftContext, budget: int) -> Proposal:
        tokens = context.tokens
        self._read(context, len(tokens) - 1)
        proposal = self._block(context, tokens, min(budget, self._longest))
        if proposal.tokens:
            context.worth_another(proposal.confidences[0])
        return proposal

    def _read(self, context: DraftContext, end: int) -> None:
        begin = self._n_read
        if begin < end:
            self._head.read(begin, None, self._states(context, begin, end), context.cancel)
            self._has_read(context.tokens, end)

    def _block(self, context: DraftContext, tokens: Tokens, count: int) -> Proposal:
        """Guesses a block after `tokens`. The head must have read the states of all of them except the last one."""
        head, place = self._head, len(tokens) - 1
        self._tokens[0] = tokens[-1]
        head.guess_block(place, self._tokens[: count + self._skipped], context.cancel)
        guesses, last = GuessList(self.name), 0
        for row in range(self._skipped, count + self._skipped):
            if head.selector_width:
                last, choice = self._selected(row, last)
            else:
                choice = self._chosen(context, tokens, guesses.tokens, row)
            guesses.add(choice)
        head.keep(place)
        return guesses.proposal()

    def _chosen(self, context: DraftContext, tokens: Tokens, drafted: list[int], row: int) -> SampledToken:
        logits = self._head.logits_of(row)
        if len(tokens) < len(context.tokens):
            choice = context.guess_earlier(logits, len(tokens) + len(drafted))
        else:
            choice = context.guess(logits, drafted)
        if not self._head.has_confidence:
            return choice
        return replace(choice, probability=float(self._head.states()[row, 0]))

    def _selected(self, row: int, before: int) -> tuple[int, SampledToken]:
        """Chooses a token with DFlash2's scores of how well each candidate follows each one at the previous place."""
        width = self._head.selector_width
        lattice = self._head.states()[row]
        scores = lattice[width * (before + 1) : width * (before + 2)]
        best = int(scores.argmax()) if len(scores) == width else 0
        if len(scores) < width or not np.isfinite((scores[best], lattice[best])).all():
            raise invalid_values_error()
        return best, SampledToken(int(lattice[best]), float(1 / np.exp(scores - scores[best]).sum()))

    def _rehearse(self, context: DraftContext, count: int) -> Rehearsed:
        """Guesses the latest tokens as one block. Guesses after the first mistake tell nothing."""
        count = min(count, self._longest)
        end = len(context.tokens) - 1 - count
        if count < 1 or end < max(1, self._n_read):
            return []
        self._read(context, end)
        context.worth_another(0.0)
        past = context.tokens[: end + 1]
        proposal = self._block(context, past, count)
        context.worth_another(proposal.confidences[0])
        rehearsed = list[tuple[float, bool]]()
        for guess, token, score in zip(
            proposal.tokens, context.tokens[end + 1 :].tolist(), proposal.confidences, strict=False
        ):
            rehearsed.append((score, guess == token))
            if guess != token:
                break
        return rehearsed
