"""What deciding costs: microseconds per step of the controller alone, at a large vocabulary.

python tests/benchmarks/controller.py [--vocab 150000]

The step of `auto` on a source that guesses at once, less what that takes; and what looking for a guess's second best
adds to looking for the best.
"""

import argparse
import time
from collections.abc import Sequence
from statistics import median

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import Constraint, DraftContext, LanguageModel
from specchat.domain.proposal import Proposal
from specchat.domain.types import SampledToken, SamplingParams
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.sampling import Logits, Sampler
from specchat.engine.strategy import StepOutcome
from specchat.engine.tokens import Tokens

STEPS, ROUNDS, LONGEST = 2000, 7, 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vocab", type=int, default=150_000)
    options = parser.parse_args()
    for name, flat in (("flat cost curve (GPU)", True), ("steep cost curve (CPU)", False)):
        rounds = [controller_us(flat) for _ in range(ROUNDS)]
        step, guesses = (median(each) for each in zip(*rounds, strict=True))
        print(f"{name}: {step:.1f} us per step with {guesses:.1f} guesses")
    best, second = looking_us(options.vocab)
    print(f"looking at {options.vocab} logits: {best:.1f} us for the best, {second:.1f} us with the second best")


class Scripted:
    """Guesses at once, asking each time whether to go on."""

    name = "scripted"

    def __init__(self, rng: np.random.Generator) -> None:
        self._scores = rng.choice([0.6, 0.85, 0.95, 0.995], 4096).tolist()
        self._at = 0
        self.seconds = 0.0

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        scores = list[float]()
        while len(scores) < budget:
            self._at = (self._at + 1) % len(self._scores)
            scores.append(self._scores[self._at])
            if not context.worth_another(scores[-1]):
                break
        return Proposal((1,) * len(scores), (self.name,) * len(scores), tuple(scores))

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


class Place:
    def __init__(self, target: LanguageModel | None = None) -> None:
        self.tokens: Tokens = np.zeros(1000, dtype=np.int32)
        self.cancel = CancelToken()
        self.constraint: Constraint | None = None

    @property
    def draft_tokens(self) -> Tokens:
        return self.tokens

    @property
    def text_tokens(self) -> Tokens:
        return self.tokens

    @property
    def target(self) -> LanguageModel:
        raise NotImplementedError

    def guess(self, logits: Logits, drafted: object) -> SampledToken:
        raise NotImplementedError

    def guess_earlier(self, logits: Logits, length: int) -> SampledToken:
        raise NotImplementedError

    def worth_another(self, score: float) -> bool:
        return True


def controller_us(flat: bool) -> tuple[float, float]:
    rng = np.random.default_rng(1)
    costs = PassCosts()
    for size in range(1, LONGEST + 2):
        for _ in range(8):
            costs.observe_pass(size, 0.02 * (1 + (0.02 if flat else 0.4) * (size - 1)), 1000)
    auto = AutoStrategy(costs, LONGEST, None, [DraftSource(Scripted(rng))])
    auto.begin(sampled=False)
    place = Place()
    draws = rng.random(100_000).tolist()
    at, spent, counts = 0, 0.0, list[int]()
    for _ in range(STEPS):
        started = time.perf_counter()
        proposal = auto.propose(place, LONGEST)
        spent += time.perf_counter() - started
        held = 0
        for score in proposal.confidences:
            at = (at + 1) % len(draws)
            if draws[at] >= score:
                break
            held += 1
        emitted = [1] * held + ([2] if held < len(proposal.tokens) else [1])
        started = time.perf_counter()
        auto.observe(StepOutcome(emitted, held, 0.02))
        costs.observe_pass(1 + len(proposal.tokens), 0.02, 1000)
        spent += time.perf_counter() - started
        counts.append(len(proposal.tokens))
    return 1e6 * (spent - guessing_s(counts)) / STEPS, sum(counts) / STEPS


def guessing_s(counts: Sequence[int]) -> float:
    """What the source itself takes for as many guesses."""
    source, place = Scripted(np.random.default_rng(1)), Place()
    started = time.perf_counter()
    for count in counts:
        source.propose(place, count)
    return time.perf_counter() - started


def looking_us(n_vocab: int) -> tuple[float, float]:
    logits = np.random.default_rng(2).standard_normal(n_vocab).astype(np.float32)
    sampler, history = Sampler(SamplingParams(temperature=0)), np.zeros(8, dtype=np.int32)

    def timed(look: object) -> float:
        assert callable(look)
        times = []
        for _ in range(300):
            started = time.perf_counter()
            look()
            times.append(time.perf_counter() - started)
        return 1e6 * median(times)

    return timed(lambda: sampler.choose(logits, history)), timed(lambda: sampler.guess(logits, history, ()))


if __name__ == "__main__":
    main()
