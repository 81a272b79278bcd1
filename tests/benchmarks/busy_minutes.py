"""Whether what auto learned in a busy minute is put right: speed with it against a fresh home's, in turns.

python tests/benchmarks/busy_minutes.py TARGET DRAFT [--tries 10] [--programs 4]

Each try, with 128 tokens an answer:

then quiet   the pair is loaded beside programs that compute without end, which then end; its third answer
restarted    a pair that was loaded and asked once beside them is loaded again later; its first answer and its third
then busy    a pair that was loaded on the quiet computer, with the programs beside it: its second answer, against plain

The first two are divided by the answer to the same prompt of a pair with a home of its own, asked on the quiet computer
at the beginning of the try.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.busy_programs import others

from specchat.domain.cancel import CancelToken
from specchat.domain.types import Finished, Message, ModelSettings, PairChoice, Role, SamplingParams
from specchat.services.chat.chat import AnswerOptions, chat_request
from specchat.services.generation.loading import PairLoader
from specchat.services.generation.pair import LoadedPair
from specchat.store.remembered import Remembered

PROMPTS = (
    "Explain in detail how speculative decoding works.",
    "What is a draft model, and how do I choose one?",
    "Write a long text about what the overlay shows.",
)
N_TOKENS = 128


def main() -> None:
    options = _options()
    ratios: dict[str, list[float]] = defaultdict(list)
    for number in range(options.tries):
        with tempfile.TemporaryDirectory() as folder:
            for name, ratio in _one_try(options, Path(folder)):
                ratios[name].append(ratio)
                print(f"{number:<4}{name:<24}{ratio:.2f}", flush=True)
    print()
    for name, all_of in ratios.items():
        print(f"{name:<24}median {median(all_of):.2f}, lowest {min(all_of):.2f}, highest {max(all_of):.2f}")


def _one_try(options: argparse.Namespace, folder: Path) -> Iterator[tuple[str, float]]:
    with loaded(options, folder / "fresh", "auto") as pair:
        fresh = [speed(pair, prompt) for prompt in PROMPTS]
    with ExitStack() as opened:
        with others(options.programs):
            pair = opened.enter_context(loaded(options, folder / "busy", "auto"))
        speeds = [speed(pair, prompt) for prompt in PROMPTS]
        yield "then quiet, third", speeds[2] / fresh[2]
    with others(options.programs), loaded(options, folder / "again", "auto") as pair:
        speed(pair, PROMPTS[0])
    with loaded(options, folder / "again", "auto") as pair:
        speeds = [speed(pair, prompt) for prompt in PROMPTS]
        yield "restarted, first", speeds[0] / fresh[0]
        yield "restarted, third", speeds[2] / fresh[2]
    with ExitStack() as opened:
        plain = opened.enter_context(loaded(options, folder / "plain", "none"))
        pair = opened.enter_context(loaded(options, folder / "fresh", "auto"))
        opened.enter_context(others(options.programs))
        before = speed(plain, PROMPTS[1])
        speed(pair, PROMPTS[0])
        guessed = speed(pair, PROMPTS[1])
        yield "then busy, of plain", guessed / (0.5 * (before + speed(plain, PROMPTS[1])))


@contextmanager
def loaded(options: argparse.Namespace, home: Path, draft_type: str) -> Iterator[LoadedPair]:
    home.mkdir(exist_ok=True)
    kept = [Remembered(home / f"{name}.json") for name in ("loads", "tests", "learned")]
    settings = ModelSettings(n_ctx=2048)
    choice = PairChoice(options.target, options.draft, settings, settings, draft_type=draft_type)
    pair = PairLoader(kept[0], kept[1], learned=kept[2]).load(choice, CancelToken())
    try:
        yield pair
    finally:
        pair.close()


def speed(pair: LoadedPair, prompt: str) -> float:
    """Tokens per second."""
    options = AnswerOptions(SamplingParams(temperature=0), max_tokens=N_TOKENS, ignore_eos=True)
    request = chat_request(pair, [Message(Role.USER, prompt)], options)
    *_, end = pair.generate(request, CancelToken())
    assert isinstance(end, Finished)
    return end.stats.tokens_per_s


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("draft", type=Path)
    parser.add_argument("--tries", type=int, default=10)
    parser.add_argument("--programs", type=int, default=4)
    return parser.parse_args()


if __name__ == "__main__":
    main()
