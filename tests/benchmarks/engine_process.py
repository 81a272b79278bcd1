"""What the engine costs in a process of its own, against the same engine in this process.

python tests/benchmarks/engine_process.py [TARGET [DRAFT]] [--rounds 12] [-n 128] [--idle SECONDS]

Both are loaded; they answer the same prompts in turns, in the other order each time, without guessing and with it.
Memory is the proportional share of all processes together, so that pages which they share count once.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.never_slower import likely
from support.choices import choice_of

from specchat.container import Container
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask, Engine
from specchat.domain.types import GenerationFinished, Message, PairChoice, Role, SamplingParams, TokenEvent
from specchat.services.models.demo_pair import demo_choice
from specchat.store.paths import Paths

PROMPTS = (
    "Write a long text about what the overlay shows.",
    "How do I find out whether two models fit together?",
    "What can I do if the answers are slow on my computer?",
    "Explain what the acceptance rate means, with an example.",
)
KINDS = "in process", "process"


def main() -> None:
    options = _options()
    if options.memory:
        print(json.dumps(memory_of(options.memory, options)))
        return
    with tempfile.TemporaryDirectory() as home:
        compare(options, Path(home))
    print()
    for kind in KINDS:
        print(f"{kind:<12}", json.loads(_alone(kind)))


def compare(options: argparse.Namespace, home: Path) -> None:
    with engine("in process", home) as here, engine("process", home) as there:
        for draft_type in ("none", options.draft_type):
            choice = chosen(options, draft_type)
            for each in (here, there):
                each.load(choice, CancelToken(), lambda *_: None)
            speeds: dict[str, list[tuple[float, float]]] = defaultdict(list)
            ways: dict[str, Callable[[str], tuple[float, float]]] = {
                "in process": lambda prompt: ask(here, prompt, options.n),
                "process": lambda prompt: ask(there, prompt, options.n),
            }
            for prompt in PROMPTS[:2]:
                for do in ways.values():
                    do(prompt)
            for turn in range(options.rounds):
                for name, do in list(ways.items())[:: 1 if turn % 2 == 0 else -1]:
                    speeds[name].append(do(PROMPTS[turn % len(PROMPTS)]))
                    time.sleep(0.3)
            tell(draft_type, speeds)


def tell(draft_type: str, speeds: dict[str, list[tuple[float, float]]]) -> None:
    here, there = speeds["in process"], speeds["process"]
    ratios = sorted(after[0] / before[0] for before, after in zip(here, there, strict=True))
    later = sorted(1000 * (after[1] - before[1]) for before, after in zip(here, there, strict=True))
    (low, high), (sooner, latest) = likely(ratios), likely(later)
    print(
        f"{draft_type:<8} in process {median(one[0] for one in here):7.1f} tokens/s; process"
        f" {median(ratios):.3f} of that (likely {low:.3f} to {high:.3f});"
        f" first token {median(later):+.1f} ms (likely {sooner:+.1f} to {latest:+.1f})",
        flush=True,
    )


def ask(engine: Engine, prompt: str, n_tokens: int) -> tuple[float, float]:
    """Tokens per second from the first token on, and seconds until then, as who asks sees them."""
    task = ChatTask((Message(Role.USER, prompt),), SamplingParams(temperature=0), n_tokens)
    started, first, last, seen = time.perf_counter(), 0.0, 0.0, 0
    for event in engine.generate(task, CancelToken()):
        last = time.perf_counter()
        if isinstance(event, TokenEvent):
            first = first or last
            seen += 1
        assert not isinstance(event, GenerationFinished) or seen == event.stats.n_generated
    return (seen - 1) / (last - first), first - started


def memory_of(kind: str, options: argparse.Namespace) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as home, engine(kind, Path(home)) as alone:
        alone.load(chosen(options, options.draft_type), CancelToken(), lambda *_: None)
        ask(alone, PROMPTS[0], options.n)
        family = [psutil.Process(), *psutil.Process().children(recursive=True)]
        mb = sum(process.memory_full_info().pss for process in family) / 1e6
        before = _computed(family)
        time.sleep(options.idle)
        idle = (_computed(family) - before) / options.idle * 3600 if options.idle else 0.0
    return {"mb": round(mb, 1), "cpu_s_per_hour_at_rest": round(idle, 2), "processes": len(family)}


def _computed(family: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in family)


def _alone(kind: str) -> str:
    command = [sys.executable, __file__, *sys.argv[1:], "--memory", kind]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]


@contextmanager
def engine(kind: str, home: Path) -> Iterator[Engine]:
    parts = Container(Paths(*(home / kind / name for name in ("data", "config", "cache", "logs"))))
    with closing(parts.engine_process() if kind == "process" else parts.engine()) as made:
        yield made


def chosen(options: argparse.Namespace, draft_type: str) -> PairChoice:
    if options.target is None:
        demo = demo_choice()
        assert demo is not None
        return replace(demo, draft_type=draft_type, draft_max=options.draft_max)
    return choice_of(options.target, options.draft, draft_type=draft_type, draft_max=options.draft_max)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, nargs="?")
    parser.add_argument("draft", type=Path, nargs="?")
    parser.add_argument("--draft-type", default="model")
    parser.add_argument("--draft-max", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--idle", type=float, default=30.0)
    parser.add_argument("--memory", choices=KINDS, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
