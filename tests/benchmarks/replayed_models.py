"""A target and a draft that say what was recorded, on a clock that only their passes and guesses move."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from benchmarks.recorded_guesses import Guess, Recording

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.types import DRAFT
from specchat.engine.sampling import Logits
from specchat.engine.tokens import Tokens

PLAIN_S = 0.02
REMINDER = 2
"""Times what is rehearsed: so much text leads to it."""


@dataclass(frozen=True)
class Hardware:
    """What passes and guesses take, in plain passes."""

    passes: Mapping[int, float]
    """By the number of tokens; on the line between them."""
    guess: float
    read: float
    """For each token that the draft has missed."""
    noise: float = 0.03
    """Standard deviation of the logarithm of what each of them takes."""
    mistaken: float = 1.0
    """Times: what passes of several tokens were measured to take before the first answer."""
    stalls: float = 0.0
    """How often one takes four times as long."""
    rehearsal: float = 0.0
    """Beside what it reads: for the logits of many places, say."""

    def pass_s(self, n_tokens: int) -> float:
        return float(np.interp(n_tokens, list(self.passes), list(self.passes.values())))


HARDWARE = {
    "cpu": Hardware({1: 1.0, 2: 1.12, 3: 1.25, 4: 1.4, 5: 1.65, 8: 2.3, 13: 3.5, 17: 4.5}, 0.03, 0.008, 0.05),
    "slow draft": Hardware({1: 1.0, 2: 1.12, 3: 1.25, 4: 1.4, 5: 1.65, 8: 2.3, 13: 3.5, 17: 4.5}, 0.15, 0.04, 0.05),
    "gpu": Hardware({1: 1.0, 2: 1.03, 4: 1.06, 8: 1.12, 9: 1.6, 13: 1.7, 17: 1.8}, 0.12, 0.002, 0.03),
    "fast gpu": Hardware({1: 1.0, 2: 1.1, 4: 1.26, 8: 1.5, 9: 2.0, 13: 2.2, 17: 2.4}, 0.31, 0.01, 0.03, rehearsal=3.4),
    "flat": Hardware({1: 1.0, 4: 1.01, 8: 1.03, 17: 1.08}, 0.04, 0.001, 0.02),
    "mistaken": Hardware({1: 1.0, 2: 1.12, 3: 1.25, 4: 1.4, 5: 1.65, 8: 2.3, 13: 3.5, 17: 4.5}, 0.03, 0.008, 0.05, 1.6),
    "busy": Hardware({1: 1.0, 2: 1.12, 3: 1.25, 4: 1.4, 5: 1.65, 8: 2.3, 13: 3.5, 17: 4.5}, 0.05, 0.01, 0.2, 1.2, 0.03),
    "two cores": Hardware({1: 1.0, 2: 1.54, 4: 2.25, 8: 3.6, 9: 3.96, 17: 6.6}, 0.11, 0.032, 0.15),
    "hopeless": Hardware({1: 1.0, 2: 1.8, 4: 3.2, 8: 6.0, 17: 13.0}, 0.3, 0.1, 0.05),
}


class Clock:
    def __init__(self, hardware: Hardware, seed: str) -> None:
        self.hardware = hardware
        self.now = 0.0
        self._random = random.Random(seed)

    def __call__(self) -> float:
        return self.now

    def spend(self, passes: float) -> None:
        stalled = 4.0 if self._random.random() < self.hardware.stalls else 1.0
        self.now += PLAIN_S * passes * stalled * exp(self._random.gauss(0.0, self.hardware.noise))


class RecordedTarget:
    """Says what was recorded, whatever it is asked."""

    n_ctx = n_ctx_trained = max_rollback = 8192
    max_batch = 17
    max_branches = 1
    states = None
    end_tokens: Sequence[int] = ()

    def __init__(self, recording: Recording, clock: Clock, n_vocab: int) -> None:
        self.n_vocab = n_vocab
        self._text = [*recording.prompt, *recording.answer]
        self._cache = np.zeros(8192, dtype=np.int32)
        self._length = len(recording.prompt) - 1
        self._cache[: self._length] = recording.prompt[:-1]
        self._clock = clock

    @property
    def cached(self) -> Tokens:
        return self._cache[: self._length]

    def keep(self, length: int) -> int:
        self._length = min(length, self._length)
        return self._length

    def evaluate(self, tokens: Tokens, n_logits: int, cancel: CancelToken) -> Logits:
        self._clock.spend(self._clock.hardware.pass_s(len(tokens)))
        self._cache[self._length : self._length + len(tokens)] = tokens
        self._length += len(tokens)
        logits = np.zeros((n_logits, self.n_vocab), dtype=np.float32)
        for row in range(n_logits):
            place = self._length - n_logits + 1 + row
            if place < len(self._text):
                logits[row, self._text[place]] = 10.0
        return logits

    def evaluate_states(self, tokens: Tokens, cancel: CancelToken) -> Logits:
        raise NotImplementedError

    def evaluate_tree(self, tokens: Tokens, parents: Sequence[int], cancel: CancelToken) -> Logits:
        raise NotImplementedError

    def adopt_states(self, rows: Sequence[int]) -> None:
        raise NotImplementedError

    def capture_layers(self, layers: Sequence[int]) -> None:
        raise NotImplementedError

    def is_end_token(self, token: int) -> bool:
        return False

    def piece(self, token: int) -> bytes:
        return b"a"


class RecordedDraft:
    """Guesses as was recorded."""

    name = DRAFT
    usual_lag = 2

    def __init__(self, clock: Clock, n_vocab: int) -> None:
        self._clock = clock
        self._n_vocab = n_vocab
        self._recording: Recording | None = None
        self._known = self._hidden = 0

    def begin(self, recording: Recording) -> None:
        self._recording, self._known, self._hidden = recording, 0, 0

    def n_missed(self, context: DraftContext) -> int:
        return len(context.tokens) - max(self._known, self._hidden)

    @property
    def n_skipped(self) -> int:
        return self._hidden

    def restart_with_last(self, context: DraftContext, n_tokens: int) -> None:
        self._known = self._hidden = len(context.tokens) - n_tokens

    def _read(self, context: DraftContext) -> None:
        missed, hardware = self.n_missed(context), self._clock.hardware
        self._clock.spend(max(hardware.guess, missed * hardware.read))
        self._known = len(context.tokens)

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        assert self._recording is not None
        at = len(context.tokens) - len(self._recording.prompt)
        if not 0 <= at < len(self._recording.guesses):
            return Proposal()
        guesses = self._recording.guesses[at][:budget]
        self._read(context)
        drafted = list[Guess]()
        for guess in guesses:
            if drafted:
                self._clock.spend(self._clock.hardware.guess)
            context.guess(self._logits(guess), [g.token for g in drafted])
            drafted.append(guess)
            if len(drafted) == budget or not context.worth_another(guess.score):
                break
        self._held(at, drafted)
        return Proposal(tuple(g.token for g in drafted), (DRAFT,) * len(drafted), tuple(g.score for g in drafted))

    def _held(self, at: int, drafted: Sequence[Guess]) -> None:
        """What it guessed and what holds it need not read again."""
        assert self._recording is not None
        for guess, token in zip(drafted[:-1], self._recording.answer[at:], strict=False):
            if guess.token != token:
                break
            self._known += 1

    def _logits(self, guess: Guess) -> Logits:
        """With this probability and about this entropy."""
        logits = np.full(self._n_vocab, -np.inf, dtype=np.float32)
        rest = 1 - guess.probability
        if rest > 1e-6:
            nats = (guess.entropy + guess.probability * log(guess.probability)) / rest + log(rest)
            others = min(max(round(exp(nats)), int(rest / guess.probability) + 1), self._n_vocab - 1)
            logits[: others + 1] = log(rest / others)
        logits[guess.token] = log(guess.probability)
        return logits

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass

    def rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        assert self._recording is not None
        end = len(context.tokens) - len(self._recording.prompt)
        count = min(count, end)
        if count < 1:
            return []
        hardware = self._clock.hardware
        self._clock.spend(max(hardware.guess, REMINDER * count * hardware.read) + hardware.rehearsal)
        places = range(end - count, end)
        first = [(self._recording.guesses[at][0], self._recording.answer[at]) for at in places]
        context.worth_another(first[-1][0].score)
        self._clock.spend(hardware.guess)
        context.worth_another(first[-1][0].score)
        return [(guess.score, guess.token == token) for guess, token in first]
