"""How well auto knows what its guesses are worth: predicted against actual acceptance, for each source.

python tests/benchmarks/calibration.py TARGET [DRAFT] [--temp T]

All built-in prompts are answered by one pair, one after another. After the first 500 tokens each prediction is noted
before its outcome is known; the error is the mean gap between the two over ten bins, weighted by how many guesses fall
into each.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import Message, ModelSettings, Role, SamplingParams, TokenEvent
from specchat.engine.confidence import Calibration
from specchat.services.bench.workloads import workload_names, workload_prompts
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

SETTLING_TOKENS = 500


@dataclass
class Watched:
    predicted: list[float] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)


def main() -> None:
    options = _options()
    n_tokens = 0
    watched: dict[int, Watched] = defaultdict(Watched)
    observe = Calibration.observe

    def watching(self: Calibration, scores: Sequence[float], n_held: int, odds: float = 1.0) -> None:
        if n_tokens >= SETTLING_TOKENS:
            watched[id(self)].predicted += map(self.chance, scores)
            watched[id(self)].held += [place < n_held for place in range(len(scores))]
        observe(self, scores, n_held, odds)

    Calibration.observe = watching  # type: ignore[method-assign]
    settings = ModelSettings(n_ctx=2048)
    with tempfile.TemporaryDirectory() as folder:
        loader = PairLoader(JsonCache(Path(folder) / "loads.json"), JsonCache(Path(folder) / "tests.json"))
        choice = choice_of(options.target, options.draft, settings, settings)
        with closing(loader.load(choice, CancelToken())) as pair:
            asked = AnswerOptions(SamplingParams(temperature=options.temp), max_tokens=options.n)
            for prompt in workload_prompts(workload_names(), options.per_workload):
                request = build_chat_request(pair, [Message(Role.USER, prompt.text)], asked)
                for event in pair.generate(request, CancelToken()):
                    n_tokens += isinstance(event, TokenEvent)
                print(".", end="", file=sys.stderr, flush=True)
            print(file=sys.stderr)
            names = {id(calibration): name for name, calibration in pair.profile.calibrations.items()}
    for key, seen in watched.items():
        error = calibration_error(seen.predicted, seen.held)
        print(f"{names[key]}: {len(seen.held)} guesses, {np.mean(seen.held):.2f} held, error {error:.3f}")


def calibration_error(predicted: Iterable[float], held: Iterable[bool]) -> float:
    of, what = np.array(list(predicted)), np.array(list(held), dtype=float)
    bins = np.minimum((10 * of).astype(int), 9)
    gaps = [abs(of[bins == b].mean() - what[bins == b].mean()) * np.mean(bins == b) for b in np.unique(bins)]
    return float(sum(gaps))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("draft", type=Path, nargs="?")
    parser.add_argument("--temp", type=float, default=0.0)
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--per-workload", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
