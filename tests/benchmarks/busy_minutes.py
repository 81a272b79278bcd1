"""Does auto recover from what it learned in a busy minute, and from a computer that becomes busy?

python tests/benchmarks/busy_minutes.py TARGET DRAFT [--tries 10] [--programs 4] [--server PATH_TO_llama-server]

Each try, with 128 tokens an answer:

busy, then quiet   the pair is loaded beside programs that compute without end, which then end
restarted          a pair that was loaded and asked once beside them is loaded again later
quiet, then busy   the programs start after a pair was loaded and asked twice

From the third answer on it is compared, in turns and on the same prompts, with plain decoding, with llama-server at its
default, and with a pair that has a home of its own and was loaded on the quiet computer. Two of these are compared with
each other as well: that is what chance does.
"""

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.busy_programs import others
from support.choices import choice_of

from specchat.backends.cores import physical_cores
from specchat.domain.benchmark import BenchMethod
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import GenerationFinished, GenerationRequest, Message, ModelSettings, Role, SamplingParams
from specchat.engine.speculative import Speculation
from specchat.services.bench.llama_server import LlamaServer, build_server_command, find_free_port
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

FIRST = ("Explain in detail how speculative decoding works.", "What is a draft model, and how do I choose one?")
WHILE_BUSY = ("What is the context, and what happens when it is full?", "Which quantisation should I choose, and why?")
THEN = {
    "busy, then quiet": (
        "Write a long text about what the overlay shows.",
        "How do I find out whether two models fit together?",
        "What can I do if the answers are slow on my computer?",
    ),
    "restarted": (
        "Explain what the acceptance rate means, with an example.",
        "Tell me everything about temperature and sampling.",
        "How much memory do a target and its draft need?",
    ),
    "quiet, then busy": (
        "What does it mean that the answer is the same as without a draft?",
        "Describe how I download a model and what happens then.",
    ),
}
"""Never the same prompt twice: auto would copy its earlier answer."""
N_TOKENS = 128
SETTLE_S = 0.3
"""The threads of another process may still spin."""
AUTO, PLAIN, FRESH, NULL, PEER_DEFAULT = "auto", "plain", "a fresh home", "another fresh home", "llama-server default"
Ask = Callable[[str], float]
"""Tokens per second, by prompt."""
Speeds = dict[str, list[float]]


def main() -> None:
    options = _options()
    ratios: dict[tuple[str, str], list[float]] = defaultdict(list)
    for number in range(options.tries):
        for case, speeds in one_try(options):
            for name, found in ratios_of(speeds).items():
                ratios[case, name].append(found)
                print(f"{number:<4}{case:<20}{name:<36}{found:.2f}", flush=True)
    print()
    for (case, name), all_of in sorted(ratios.items()):
        lowest, highest = min(all_of), max(all_of)
        print(f"{case:<20}{name:<36}median {median(all_of):.2f}, lowest {lowest:.2f}, highest {highest:.2f}")


def ratios_of(speeds: Speeds) -> dict[str, float]:
    """Of two fresh homes as well: that is how much answers of the same pair differ."""
    found = {f"auto, of {name}": ratio(speeds, name) for name in (PLAIN, FRESH, PEER_DEFAULT) if name in speeds}
    return found | ({f"{NULL}, of {FRESH}": ratio(speeds, FRESH, NULL)} if NULL in speeds else {})


def ratio(speeds: Speeds, name: str, of: str = AUTO) -> float:
    return median(one / other for one, other in zip(speeds[of], speeds[name], strict=True))


def one_try(options: argparse.Namespace) -> Iterator[tuple[str, Speeds]]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        homes = Path(folder)
        fresh, another = (opened.enter_context(loaded(options, homes / name)) for name in ("fresh", "another"))
        ask_twice(fresh)
        ask_twice(another)
        quiet = {FRESH: partial(speed, fresh), NULL: partial(speed, another)}
        peer = opened.enter_context(closing(started(options))) if options.server else None
        with ExitStack() as loading:
            with others(options.programs):
                pair = loading.enter_context(loaded(options, homes / "busy"))
            ask_twice(pair)
            yield in_turns("busy, then quiet", {**ways(pair, peer), **quiet})
        with others(options.programs), loaded(options, homes / "again") as pair:
            speed(pair, FIRST[0])
        with loaded(options, homes / "again") as pair:
            ask_twice(pair)
            yield in_turns("restarted", {**ways(pair, peer), **quiet})
        with others(options.programs):
            ask_twice(fresh, WHILE_BUSY)
            yield in_turns("quiet, then busy", ways(fresh, peer))


def ways(pair: LoadedPair, peer: LlamaServer | None) -> dict[str, Ask]:
    plain = partial(speed, pair, speculation=pair.create_speculation("none", None))
    found: dict[str, Ask] = {AUTO: partial(speed, pair), PLAIN: plain}
    if peer is not None:
        found[PEER_DEFAULT] = lambda prompt: peer.answer(request(pair, prompt), CancelToken()).tokens_per_s
    return found


def ask_twice(pair: LoadedPair, prompts: Sequence[str] = FIRST) -> None:
    for prompt in prompts:
        speed(pair, prompt)


def in_turns(case: str, asks: dict[str, Ask]) -> tuple[str, Speeds]:
    """In the other order each time."""
    speeds: Speeds = defaultdict(list)
    for turn, prompt in enumerate(THEN[case]):
        for name, ask in list(asks.items())[:: 1 if turn % 2 == 0 else -1]:
            speeds[name].append(ask(prompt))
            time.sleep(SETTLE_S)
    return case, speeds


def started(options: argparse.Namespace) -> LlamaServer:
    way, port = BenchMethod(options.target, options.draft, "model", None, options.server), find_free_port()
    command = build_server_command(way, port, n_ctx=2048, threads=physical_cores(), layers=None, draft_layers=None)
    return LlamaServer(command, port, CancelToken())


@contextmanager
def loaded(options: argparse.Namespace, home: Path) -> Iterator[LoadedPair]:
    home.mkdir(exist_ok=True)
    kept = [JsonCache(home / f"{name}.json") for name in ("loads", "tests", "learned")]
    settings = ModelSettings(n_ctx=2048)
    choice = choice_of(options.target, options.draft, settings, settings)
    pair = PairLoader(kept[0], kept[1], learned=kept[2]).load(choice, CancelToken())
    try:
        yield pair
    finally:
        pair.close()


def request(pair: LoadedPair, prompt: str) -> GenerationRequest:
    options = AnswerOptions(SamplingParams(temperature=0), max_tokens=N_TOKENS, ignore_eos=True)
    return build_chat_request(pair, [Message(Role.USER, prompt)], options)


def speed(pair: LoadedPair, prompt: str, speculation: Speculation | None = None) -> float:
    """Tokens per second."""
    *_, end = pair.generate(request(pair, prompt), CancelToken(), speculation)
    assert isinstance(end, GenerationFinished)
    return end.stats.tokens_per_s


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("draft", type=Path)
    parser.add_argument("--tries", type=int, default=10)
    parser.add_argument("--programs", type=int, default=4)
    parser.add_argument("--server", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
