"""A cost-realistic pair of any size from the demo pair, for benchmarks without a download.

python tests/benchmarks/grow_pair.py FOLDER --target-mb 300 --draft-mb 20 --acceptance 0.75

Target and draft are grown from the same small model: they would agree always. Noise in the target's added layers is
raised until as many guesses are accepted as asked for, measured through specchat at temperature 0.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of
from support.grown import grow, growth_to

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import GenerationFinished, Message, ModelSettings, Role, SamplingParams
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

ROOT = Path(__file__).parents[2]
MB = 10**6
FIRST_NOISE, WIDEST_STEP, MOST_TRIES = 1.0, 4.0, 12


@dataclass(frozen=True)
class Trial:
    noise: float
    acceptance: float

    def misses(self, goal: float) -> float:
        return abs(self.acceptance - goal)


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    target, draft = options.folder / "target.gguf", options.folder / "draft.gguf"
    prompts = _prompts(options.prompts, options.per_category)
    grow(options.source, draft, growth_to(options.source, options.draft_mb * MB, options.dtype, 0.0, "Grown draft"))
    shape = growth_to(options.source, options.target_mb * MB, options.dtype, FIRST_NOISE, "Grown target")
    print(f"draft {draft.stat().st_size / MB:.0f} MB; target {shape.n_layer} layers, {shape.widen} times as wide")

    def measure(noise: float) -> float:
        grow(options.source, target, replace(shape, noise=noise))
        found = acceptance(target, draft, prompts, options.k, options.n)
        print(f"noise {noise:.3g}: {found:.1%} of the guesses accepted", flush=True)
        return found

    best = search(measure, options.acceptance, options.tolerance)
    grow(options.source, target, replace(shape, noise=best.noise))
    print(f"{target}: {target.stat().st_size / MB:.0f} MB, noise {best.noise:.3g}, {best.acceptance:.1%} accepted")


def search(measure: Callable[[float], float], goal: float, tolerance: float) -> Trial:
    """More noise, fewer accepted: widen the bracket, then halve it, in proportion."""
    quiet = loud = None
    best = trial = Trial(FIRST_NOISE, measure(FIRST_NOISE))
    for _ in range(MOST_TRIES):
        if best.misses(goal) <= tolerance:
            break
        if trial.acceptance > goal:
            quiet = trial.noise
        else:
            loud = trial.noise
        step = WIDEST_STEP if quiet else 1 / WIDEST_STEP
        noise = sqrt(quiet * loud) if quiet and loud else trial.noise * step
        trial = Trial(noise, measure(noise))
        best = min(best, trial, key=lambda one: one.misses(goal))
    return best


def acceptance(target: Path, draft: Path, prompts: Sequence[str], k: int, n: int) -> float:
    settings = ModelSettings(n_ctx=1024)
    choice = choice_of(target, draft, settings, settings, draft_type="model", draft_max=k)
    drafted = accepted = 0
    with tempfile.TemporaryDirectory() as folder:
        loader = PairLoader(JsonCache(Path(folder) / "loads.json"), JsonCache(Path(folder) / "tests.json"))
        with closing(loader.load(choice, CancelToken())) as pair:
            options = AnswerOptions(SamplingParams(temperature=0), max_tokens=n)
            for prompt in prompts:
                request = build_chat_request(pair, [Message(Role.USER, prompt)], options)
                (end,) = (
                    event for event in pair.generate(request, CancelToken()) if isinstance(event, GenerationFinished)
                )
                drafted += end.stats.n_drafted
                accepted += end.stats.n_accepted
    return accepted / max(1, drafted)


def _prompts(file: Path, per_category: int) -> list[str]:
    """The first few of each kind."""
    kinds: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        kinds.setdefault(entry["category"], []).append(entry["prompt"])
    return [prompt for prompts in kinds.values() for prompt in prompts[:per_category]]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--source", type=Path, default=ROOT / "resources" / "demo-target.gguf")
    parser.add_argument("--target-mb", type=int, default=300, help="the target has at least this size")
    parser.add_argument("--draft-mb", type=int, default=20, help="the same for the draft")
    parser.add_argument("--dtype", choices=["F16", "Q8_0", "Q4_0", "Q4_K"], default="Q8_0")
    parser.add_argument("--acceptance", type=float, default=0.75, help="the share of guesses to be accepted")
    parser.add_argument("--tolerance", type=float, default=0.03)
    parser.add_argument("-k", type=int, default=4, help="guesses per pass while measuring")
    parser.add_argument("-n", type=int, default=64, help="tokens per answer while measuring")
    parser.add_argument("--prompts", type=Path, default=ROOT / "packaging" / "demo" / "evaluation" / "prompts.jsonl")
    parser.add_argument("--per-category", type=int, default=8)
    return parser.parse_args()


if __name__ == "__main__":
    main()
