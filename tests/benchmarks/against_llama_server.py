"""Tokens per second against llama-server on the same two files, the same draft lengths, interleaved in one run.

python tests/benchmarks/against_llama_server.py TARGET DRAFT --server PATH_TO_llama-server
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from specchat.domain.cancel import CancelToken
from specchat.domain.types import Finished, GenerationRequest, ModelSettings, PairChoice, SamplingParams
from specchat.services.loading import PairLoader
from specchat.services.pair import LoadedPair
from specchat.store.remembered import Remembered

PROMPTS = [
    "The first thing to know about the old harbour is",
    "def quicksort(items):",
    "Question: how many apples are left when",
    "Once upon a time, in a small village by the sea,",
    "To install the program on your computer, first",
    "In the year 1903 two brothers from Ohio",
    "SELECT name, count(*) FROM users WHERE",
]
CONTEXT = 2048

Measure = Callable[[str, int], tuple[float, float]]
"""Prompt and length to tokens per second and acceptance."""


@dataclass(frozen=True)
class Contestant:
    name: str
    k: int
    measure: Measure


def main() -> None:
    options = arguments()
    with ExitStack() as stack:
        contestants: list[Contestant] = []
        for k in [0, *options.k]:
            server = stack.enter_context(running_server(options, k))
            pair = load(options, k)
            stack.callback(pair.close)
            contestants += [Contestant("specchat", k, ours(pair)), Contestant("llama-server", k, theirs(server))]
        results = measure(contestants, options)
    report(results, options)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("draft", type=Path)
    parser.add_argument("--server", type=Path, required=True)
    parser.add_argument("--k", type=lambda text: [int(k) for k in text.split(",")], default=[3, 5])
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=len(PROMPTS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def measure(contestants: list[Contestant], options: argparse.Namespace) -> dict[Contestant, list[tuple[float, float]]]:
    """Every contestant once a round, the order turned round each time; a first round warms up."""
    results: dict[Contestant, list[tuple[float, float]]] = {c: [] for c in contestants}
    for i in range(-1, options.rounds):
        prompt = PROMPTS[i % len(PROMPTS)]
        for contestant in contestants if i % 2 else reversed(contestants):
            time.sleep(0.3)  # the one before may still spin
            figures = contestant.measure(prompt, options.n)
            if i >= 0:
                results[contestant].append(figures)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return results


def load(options: argparse.Namespace, k: int) -> LoadedPair:
    memory = Path(tempfile.mkdtemp())
    loader = PairLoader(Remembered(memory / "passed.json"), Remembered(memory / "selftests.json"))
    settings = ModelSettings(n_ctx=CONTEXT, threads=options.threads)
    choice = PairChoice(options.target, options.draft if k else None, settings, settings, draft_max=k)
    return loader.load(choice, CancelToken(), raw=True)


def ours(pair: LoadedPair) -> Measure:
    def run(prompt: str, n: int) -> tuple[float, float]:
        pair.target.keep(0)
        request = GenerationRequest(pair.tokenize(prompt), SamplingParams(temperature=0), max_tokens=n, ignore_eos=True)
        events = list(pair.generate(request, CancelToken()))
        end = events[-1]
        assert isinstance(end, Finished)
        assert end.stats.n_generated == n
        return end.stats.tokens_per_s, end.stats.acceptance_rate

    return run


@contextmanager
def running_server(options: argparse.Namespace, k: int) -> Iterator[str]:
    port = free_port()
    threads = str(options.threads)
    command = [str(options.server), "-m", str(options.target), "-c", str(CONTEXT), "-np", "1", "--offline"]
    command += ["-t", threads, "-tb", threads, "--host", "127.0.0.1", "--port", str(port)]
    if k:
        command += ["-md", str(options.draft), "--spec-type", "draft-simple", "--spec-draft-n-max", str(k)]
        command += ["-td", threads, "-tbd", threads]
    log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the server
    untouched = {name: value for name, value in os.environ.items() if name != "GOMP_SPINCOUNT"}  # ours sets it
    process = subprocess.Popen(command, stdout=log, stderr=log, env=untouched)
    try:
        wait_until_ready(process, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
        log.close()


def theirs(address: str) -> Measure:
    def run(prompt: str, n: int) -> tuple[float, float]:
        body = {"prompt": prompt, "n_predict": n, "temperature": 0, "ignore_eos": True, "cache_prompt": False}
        request = urllib.request.Request(
            address + "/completion", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as response:
            timings = json.load(response)["timings"]
        assert timings["predicted_n"] == n
        drafted = timings.get("draft_n", 0)
        accepted = timings.get("draft_n_accepted", 0) / drafted if drafted else 0.0
        # Its first token comes with the prompt, as ours does, and is not counted on either side.
        return 1000 * (n - 1) / timings["predicted_ms"], accepted

    return run


def wait_until_ready(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(600):
        if process.poll() is not None:
            sys.exit(f"llama-server ended with {process.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health"):
                return
        except OSError:
            time.sleep(0.1)
    sys.exit("llama-server did not get ready")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def report(results: dict[Contestant, list[tuple[float, float]]], options: argparse.Namespace) -> None:
    print(f"{options.target.name} with {options.draft.name}, {options.n} tokens, {options.threads} threads, greedy")
    heads = ["specchat", "accepted", "server", "accepted", "ratio", "lowest", "highest"]
    print("  K " + " ".join(f"{head:>9}" for head in heads))
    rows = []
    for k in [0, *options.k]:
        (mine,) = (runs for c, runs in results.items() if c.k == k and c.name == "specchat")
        (peer,) = (runs for c, runs in results.items() if c.k == k and c.name == "llama-server")
        ratios = [a[0] / b[0] for a, b in zip(mine, peer, strict=True)]
        row = {
            "k": k,
            "specchat": median(r[0] for r in mine),
            "specchat_accepted": median(r[1] for r in mine),
            "server": median(r[0] for r in peer),
            "server_accepted": median(r[1] for r in peer),
            "ratio": median(ratios),
            "lowest": min(ratios),
            "highest": max(ratios),
        }
        rows.append(row)
        print(
            f"{k:>3} {row['specchat']:>9.1f} {row['specchat_accepted']:>9.2f} {row['server']:>9.1f} "
            f"{row['server_accepted']:>9.2f} {row['ratio']:>9.3f} {row['lowest']:>9.3f} {row['highest']:>9.3f}"
        )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
