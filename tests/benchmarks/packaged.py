"""The packaged program against the checkout's: how soon its window is painted, and how fast it decodes.

python tests/benchmarks/packaged.py PROGRAM [TARGET DRAFT] [--only start,speed]

PROGRAM is dist/specchat/specchat, once build.py has made it. Without a pair: the demo's. The runs of both alternate. As
root on Linux a cold start is measured as well, with nothing of either in memory.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.figures import Figure, table

STARTS, COLD_STARTS, ROUNDS, LENGTH = 9, 5, 41, 96
MOST_START, LEAST_SPEED = 1.5, 0.97
PAINTED = "The window is painted"
PROMPT = "What is a draft model, and how do I pick a good pair? Explain it in as many words as you like."
_CACHES = Path("/proc/sys/vm/drop_caches")

Commands = dict[str, list[str]]


def main() -> None:
    options = _arguments()
    commands = {
        "packaged": [str(options.program.resolve())],
        "checkout": [sys.executable, "-m", "specchat"],
    }
    parts: dict[str, Callable[[], list[Figure]]] = {
        "start": lambda: [*starts(commands), *cold_starts(commands)],
        "speed": lambda: speeds(commands, options.pair),
    }
    for part in options.only.split(","):
        print("\n".join(table({part: parts[part]()})), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("pair", nargs="*", default=["demo-target", "demo-draft"])
    parser.add_argument("--only", default="start,speed")
    return parser.parse_args()


def starts(commands: Commands) -> list[Figure]:
    return _start_figures(commands, "start", STARTS, lambda: None)


def cold_starts(commands: Commands) -> list[Figure]:
    if not os.access(_CACHES, os.W_OK):
        return []
    return _start_figures(commands, "cold start", COLD_STARTS, _forget_files)


def _start_figures(commands: Commands, name: str, runs: int, before: Callable[[], None]) -> list[Figure]:
    found: dict[str, list[float]] = {side: [] for side in commands}
    for number in range(-1, runs):
        for side in commands if number % 2 else reversed(commands):
            before()
            seconds = painted_after(commands[side])
            if number >= 0:
                found[side].append(seconds)
    middle = {side: median(times) for side, times in found.items()}
    return [
        *(Figure(f"{name}, {side}, median of {runs}", found, "s") for side, found in middle.items()),
        Figure(f"{name}, packaged to checkout", middle["packaged"] / middle["checkout"], "", MOST_START),
    ]


def painted_after(command: Sequence[str]) -> float:
    with _home() as environment:
        began = time.monotonic()
        program = subprocess.Popen(
            command, env={**environment, "SPECCHAT_LOG": "INFO"}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        assert program.stderr is not None
        for line in program.stderr:
            if PAINTED in line.decode():
                break
        else:
            sys.exit(f"{command[0]} ended before its window was painted.")
        seconds = time.monotonic() - began
        program.kill()
        program.communicate()
    return seconds


def _forget_files() -> None:
    os.sync()
    _CACHES.write_text("3")


def speeds(commands: Commands, pair: Sequence[str]) -> list[Figure]:
    ways = {"plain": ["--draft-type", "none"], "with a draft": ["--draft-type", "model", "--draft-max", "4"]}
    figures = []
    with _home() as environment:
        for way, options in ways.items():
            found: dict[str, list[float]] = {side: [] for side in commands}
            for number in range(-1, ROUNDS):
                for side in commands if number % 2 else reversed(commands):
                    asked = [*commands[side], "chat", "-m", pair[0], "-md", pair[1], *options]
                    speed = tokens_per_s(asked, environment)
                    if number >= 0:
                        found[side].append(speed)
            middle = {side: median(values) for side, values in found.items()}
            ratio = median(ours / theirs for ours, theirs in zip(found["packaged"], found["checkout"], strict=True))
            figures += [
                Figure(f"{way}, {side}, median of {ROUNDS}", value, "tokens/s") for side, value in middle.items()
            ]
            figures.append(Figure(f"{way}, packaged to checkout", ratio, "", LEAST_SPEED, least=True))
    return figures


def tokens_per_s(command: Sequence[str], environment: Mapping[str, str]) -> float:
    options = ["--temp", "0", "-n", str(LENGTH), "--ignore-eos", "--json", "-p", PROMPT]
    done = subprocess.run([*command, *options], env=environment, stdout=subprocess.PIPE, check=True)
    return float(json.loads(done.stdout)["stats"]["tokens_per_s"])


@contextmanager
def _home() -> Iterator[dict[str, str]]:
    with TemporaryDirectory() as home:
        yield {"QT_QPA_PLATFORM": "offscreen", **os.environ, "SPECCHAT_HOME": home}


if __name__ == "__main__":
    main()
