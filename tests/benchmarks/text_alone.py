"""Edits and quotes without any draft: against plain decoding, and against what nobody could better.

python tests/benchmarks/text_alone.py TARGET [--repeat 5]

The target computes every pass for real but recites the reference answers, so that a model which cannot edit serves as
well. The bound is who knew beforehand which of the same guesses hold, at the pass times measured in this run.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.suffix_drafter import n_held, recorded

from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel import CancelToken
from specchat.domain.guessing import Off
from specchat.domain.types import Finished, GenerationRequest, ModelSettings, SamplingParams
from specchat.drafters.suffix import Suffix
from specchat.engine.auto import Auto
from specchat.engine.costs import PassCosts
from specchat.engine.first_costs import measure_costs
from specchat.engine.sampling import Logits
from specchat.engine.sources import Source
from specchat.engine.speculative import Generation, NoGuessing, Speculation
from specchat.engine.tokens import Tokens

LONGEST = 16
Talk = tuple[list[int], list[int]]


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
        measure_costs(target, None, "", costs, CancelToken())
        auto = Auto(costs, LONGEST, quick=Source(Suffix()))
        plain = NoGuessing(Off.NO_DRAFT)
        print(f"{'prompts':<9} {'auto':>6} {'bound':>6} {'auto/bound':>11}")
        for workload, talks in recorded().items():
            ratios = [
                seconds(target, talks, plain, costs) / seconds(target, talks, auto, costs)
                for _ in range(options.repeat)
            ]
            bound = most_possible(talks, costs)
            print(f"{workload:<9} {median(ratios):6.2f} {bound:6.2f} {median(ratios) / bound:11.2f}", flush=True)


def seconds(target: Reciting, talks: Sequence[Talk], speculation: Speculation, costs: PassCosts) -> float:
    """From each answer's first token to its last."""
    total = 0.0
    for prompt, answer in talks:
        target.keep(0)
        target.says = np.array(prompt + answer, dtype=np.int32)
        request = GenerationRequest(tuple(prompt), SamplingParams(temperature=0), len(answer), ignore_eos=True)
        *_, end = Generation(target, request, speculation, costs, CancelToken()).events()
        assert isinstance(end, Finished)
        total += (len(answer) - 1) / end.stats.tokens_per_s
    return total


def most_possible(talks: Sequence[Talk], costs: PassCosts) -> float:
    """Times plain decoding: of the guesses that hold as many are verified as pay at the best rate."""
    passes = costs.passes(LONGEST + 1, 512)
    rate = 1 / passes[0]
    for _ in range(10):
        tokens, took = map(sum, zip(*(step for talk in talks for step in _steps(talk, passes, rate)), strict=True))
        rate = tokens / took
    return rate * passes[0]


def _steps(talk: Talk, passes: Sequence[float], rate: float) -> Iterator[tuple[int, float]]:
    prompt, answer = talk
    drafter, text = Suffix(), np.array(prompt + answer, dtype=np.int32)
    at = len(prompt) + 1  # the first token comes with the prompt
    while at < len(text):
        guesses = drafter.guess(text[:at], LONGEST).tokens
        held = n_held(guesses, text[at:-1].tolist())
        used = max(range(held + 1), key=lambda k: k + 1 - rate * passes[k])
        yield used + 1, passes[used]
        at += used + 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
