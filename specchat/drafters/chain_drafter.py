"""The drafter for EAGLE-3 and MTP heads, which guess one token after another."""

import numpy as np

from specchat.domain.head_ports import Head
from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.drafters.guess_list import GuessList
from specchat.drafters.head_drafter import HeadDrafter, Rehearsed
from specchat.engine.sampling import Logits
from specchat.engine.state_history import States
from specchat.engine.tokens import Tokens


class ChainDrafter(HeadDrafter):
    """A row of the head consists of a token and the target's state before it."""

    _head: Head

    def __init__(self, name: str, head: Head, columns: slice, *, encodes: bool) -> None:
        """`encodes`: the head's encoder processes states first, and rows have the places of their states."""
        super().__init__(name, head, last_is_read=True, columns=columns)
        self._encodes = encodes

    @property
    def _offset(self) -> int:
        return 0 if self._encodes else 1

    def _guess(self, context: DraftContext, budget: int) -> Proposal:
        if self._head.shares_cache:
            return self._guess_in_place(context, budget)
        if self._head.n_layers > 1:
            return self._guess_by_layers(context, min(budget, self._head.n_layers))
        logits = self._read_all(context, 1)
        end = len(context.tokens) - 1 + self._offset
        return self._guesses(context, budget, logits, end)

    def _guesses(self, context: DraftContext, budget: int, logits: Logits, place: int, step: int = 1) -> Proposal:
        """Makes guesses, the first one from `logits`. The next row of the head has the position `place`."""
        head, latest = self._head, np.empty(1, dtype=np.int32)
        guesses = GuessList(self.name)
        while True:
            choice = context.guess(logits[0], guesses.tokens)
            score = guesses.add(choice)
            if len(guesses) == budget or not context.worth_another(score):
                break
            latest[0] = choice.token
            logits = head.guess(place, latest, head.states().copy(), 1, context.cancel)
            place += step
        if len(guesses) > 1 and not head.shares_cache:
            head.keep(self._n_read + self._offset)
        return guesses.proposal()

    def _read_all(self, context: DraftContext, n_logits: int) -> Logits:
        """Reads all states that the target has, each with the token after it."""
        tokens = context.tokens
        place, rows = self._rows(context, len(tokens) - 1)
        following = tokens[len(tokens) - len(rows) :]
        logits = self._head.guess(place, following, rows, min(n_logits, len(rows)), context.cancel)
        self._has_read(tokens, len(tokens) - 1)
        return logits

    def _read(self, context: DraftContext, end: int) -> None:
        place, rows = self._rows(context, end)
        self._each_layer(context, place, context.tokens[end + 1 - len(rows) : end + 1], rows)
        self._has_read(context.tokens, end)

    def _each_layer(self, context: DraftContext, place: int, tokens: Tokens, rows: States) -> None:
        head = self._head
        if head.n_layers == 1:
            head.read(place, tokens, rows, context.cancel)
            return
        for layer in range(head.n_layers):
            head.keep(place)
            head.choose_layer(layer)
            head.read(place, tokens, rows, context.cancel)
        head.choose_layer(0)

    def _rows(self, context: DraftContext, end: int) -> tuple[int, States]:
        """Returns the position in the head's cache, and the rows of the first `end` tokens that it has not read."""
        begin = min(self._n_read, end - 1)
        if begin < self._n_read:  # the latest row again, because guessing needs its state
            self._head.keep(begin + self._offset)
        rows = self._states(context, begin, end)
        if self._encodes:
            return begin, self._head.encode(rows, context.cancel)
        if begin == 0:
            return 0, np.concatenate([np.zeros((1, rows.shape[1]), dtype=np.float32), rows])
        return begin + 1, rows

    def _rehearse(self, context: DraftContext, count: int) -> Rehearsed:
        """Rehearses only with rows that the head has not read yet."""
        if self._head.shares_cache or self._head.n_layers > 1:
            return []
        tokens = context.tokens
        count = min(count, len(tokens) - 2 - self._n_read)
        if count < 1:
            return []
        logits = self._read_all(context, count + 1)
        first = len(tokens) - (len(logits) - 1)
        choices = [context.guess_earlier(logits[i], first + i) for i in range(len(logits) - 1)]
        if not choices:
            return []
        self._time_a_guess(context, logits[-1:], choices[-1].probability or 0.0)
        return [(choice.probability or 0.0, choice.token == tokens[first + i]) for i, choice in enumerate(choices)]

    def _time_a_guess(self, context: DraftContext, logits: Logits, score: float) -> None:
        head, token = self._head, np.array([context.guess(logits[0], ()).token], dtype=np.int32)
        state = head.states()[-1:].copy()
        context.worth_another(score)
        choice = context.guess(
            head.guess(len(context.tokens) - 1 + self._offset, token, state, 1, context.cancel)[0], ()
        )
        head.keep(self._n_read + self._offset)
        context.worth_another(choice.probability or 0.0)

    # Other kinds of MTP

    def _guess_in_place(self, context: DraftContext, budget: int) -> Proposal:
        """Guesses with Gemma's assistant, which reads its target's cache, always at the place of the latest token."""
        tokens = context.tokens
        place = len(tokens) - 1
        state = self._states(context, place - 1, place)
        logits = self._head.guess(place, tokens[-1:], state, 1, context.cancel)
        return self._guesses(context, budget, logits, place, step=0)

    def _guess_by_layers(self, context: DraftContext, budget: int) -> Proposal:
        """Guesses with one layer per guess. A layer's cache doesn't contain the rows of the others."""
        tokens = context.tokens
        end = len(tokens) - 1
        if self._n_read < end - 1:
            self._read(context, end - 1)
        self._has_read(tokens, end - 1)  # if it had read more, the last row is written again
        state = self._states(context, end - 1, end)
        try:
            return self._chained(context, budget, end, tokens[-1:], state).proposal()
        finally:
            self._head.choose_layer(0)
            self._head.keep(end)

    def _chained(self, context: DraftContext, budget: int, place: int, tokens: Tokens, rows: States) -> GuessList:
        head, guesses = self._head, GuessList(self.name)
        while True:
            head.keep(place)
            head.choose_layer(len(guesses))
            logits = head.guess(place, tokens, rows, 1, context.cancel)
            choice = context.guess(logits[0], guesses.tokens)
            score = guesses.add(choice)
            if len(guesses) == budget or not context.worth_another(score):
                return guesses
            tokens = np.append(tokens, np.int32(choice.token))
            rows = np.concatenate([rows, head.states()])
