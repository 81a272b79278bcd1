"""Edits and quotes without any draft: against plain decoding, and against what nobody could better.

python tests/benchmarks/text_alone.py TARGET [--repeat 5]

The target computes every pass for real but recites the reference answers, so that a model which cannot edit serves as
well. Two bounds, with the same guesses and the pass times measured in this run: an oracle knows which of them hold; a
statistician knows only how often guesses with so long a match hold in these very answers, but knows it beforehand.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.suffix_drafter import n_held, recorded

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import GenerationFinished, GenerationRequest, ModelSettings, SamplingParams
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.cost_measurement import measure_costs
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.horizon import best_prefix
from specchat.engine.sampling import Logits
from specchat.engine.speculative import Generation, NoSpeculation, Speculation
from specchat.engine.tokens import Tokens

LONGEST = 16
Talk = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Offer:
    scores: tuple[float, ...]
    n_held: int


Chances = Callable[[Offer], Sequence[float]]


class Reciting(LlamaModel):
    """Takes its time, and then says what it is to say."""

    says: Tokens = np.empty(0, dtype=np.int32)

    def evaluate(self, tokens: Tokens, n_logits: int, cancel: CancelToken) -> Logits:
        super().evaluate(tokens, n_logits, cancel)
        logits = np.zeros((n_logits, self.n_vocab), dtype=np.float32)
        following = self.says[len(self.cached) - n_logits + 1 : len(self.cached) + 1]
        logits[np.arange(len(following)), following] = 10.0
        return logits


def main() -> None:
    options = _options()
    costs = PassCosts()
    settings = ModelSettings(n_ctx=2048, max_draft=LONGEST)
    with closing(Reciting(options.target, settings)) as target:
        measure_costs(target, [], costs, CancelToken())
        auto = AutoStrategy(costs, LONGEST, text=DraftSource(SuffixDrafter()))
        plain = NoSpeculation(SpeculationOff.NO_DRAFT)
        print(f"{'prompts':<9} {'auto':>6} {'oracle':>12} {'statistician':>14}")
        for workload, talks in recorded().items():
            ratios = [
                seconds(target, talks, plain, costs) / seconds(target, talks, auto, costs)
                for _ in range(options.repeat)
            ]
            offers = [offers_in(talk) for talk in talks]
            oracle, counted = most_possible(offers, costs, all_known), most_possible(offers, costs, counting(offers))
            auto_ratio = median(ratios)
            print(f"{workload:<9} {auto_ratio:6.2f} {_bound(auto_ratio, oracle):>12} {_bound(auto_ratio, counted):>14}")


def seconds(target: Reciting, talks: Sequence[Talk], speculation: Speculation, costs: PassCosts) -> float:
    """From each answer's first token to its last."""
    total = 0.0
    for prompt, answer in talks:
        target.keep(0)
        target.says = np.array(prompt + answer, dtype=np.int32)
        request = GenerationRequest(tuple(prompt), SamplingParams(temperature=0), len(answer), ignore_eos=True)
        *_, end = Generation(target, request, speculation, costs, CancelToken()).events()
        assert isinstance(end, GenerationFinished)
        total += (len(answer) - 1) / end.stats.tokens_per_s
    return total


def offers_in(talk: Talk) -> list[Offer]:
    """What could be guessed before each token; the first one comes with the prompt."""
    prompt, answer = talk
    drafter, text = SuffixDrafter(), np.array(prompt + answer, dtype=np.int32)
    offers = []
    for at in range(len(prompt) + 1, len(text)):
        proposal = drafter.guess(text[:at], LONGEST)
        offers.append(Offer(proposal.confidences, n_held(proposal.tokens, text[at:-1].tolist())))
    return offers


def all_known(offer: Offer) -> list[float]:
    return [1.0] * offer.n_held


def counting(talks: Sequence[Sequence[Offer]]) -> Chances:
    told, held = Counter[float](), Counter[float]()
    for offer in chain.from_iterable(talks):
        told.update(offer.scores[: offer.n_held + 1])
        held.update(offer.scores[: offer.n_held])
    return lambda offer: [held[score] / told[score] if told[score] else 0.0 for score in offer.scores]


def most_possible(talks: Sequence[Sequence[Offer]], costs: PassCosts, chances: Chances) -> float:
    """Times plain decoding: as many are verified as pay at the best rate."""
    passes = costs.passes(LONGEST + 1, 512)
    rate = 1 / passes[0]
    for _ in range(10):
        steps = [step for offers in talks for step in _steps(offers, chances, passes, rate)]
        tokens, took = map(sum, zip(*steps, strict=True))
        rate = tokens / took
    return rate * passes[0]


def _steps(
    offers: Sequence[Offer], chances: Chances, passes: Sequence[float], rate: float
) -> Iterator[tuple[int, float]]:
    at = 0
    while at < len(offers):
        used = best_prefix(chances(offers[at]), passes, rate)
        emitted = min(used, offers[at].n_held) + 1
        yield emitted, passes[used]
        at += emitted


def _bound(reached: float, bound: float) -> str:
    return f"{bound:.2f} ({reached / bound:.2f})"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
