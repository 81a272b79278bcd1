"""Tokens per second of all answers together, at 1, 2, 4, ... clients, against llama-server with the same files.

python tests/benchmarks/several_clients.py TARGET DRAFT --server PATH_TO_llama-server [--clients 1,2,4,8] [--rounds 3]

All servers stay loaded and are asked by turns, one load at a time. Each round has prompts of its own, so that nobody
profits from what was read before; prompts have about the same length, and answers `-n` tokens.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.api_servers import ANSWER_S, HOST, serving
from support.engine_servers import llama_server

_TOPICS = ["the sea", "bread", "trains", "the moon", "winter", "music", "rivers", "cheese"]


@dataclass
class Load:
    tokens_per_s: list[float] = field(default_factory=list)
    first_s: list[float] = field(default_factory=list)


def main() -> None:
    options = _options()
    clients = [int(count) for count in options.clients.split(",")]
    with tempfile.TemporaryDirectory() as home, ExitStack() as running:
        ports = dict(start_all(Path(home), options, running, slots=max(clients)))
        found = {name: {count: Load() for count in clients} for name in ports}
        for number in range(options.rounds + 1):
            for count in clients:
                for name in list(ports) if number % 2 else reversed(ports):
                    load = found[name][count] if number else Load()  # the first round warms up
                    _measure(ports[name], count, number, options.n, load)
    _print(found, clients)
    if options.json:
        plain = {name: {count: vars(load) for count, load in loads.items()} for name, loads in found.items()}
        options.json.write_text(json.dumps(plain))


def start_all(
    home: Path, options: argparse.Namespace, running: ExitStack, *, slots: int, context: int | None = None
) -> Iterator[tuple[str, int]]:
    """One after the other, as they are asked for. `context`: of all answers together."""
    threads = ["-t", options.threads]
    np = ["-np", str(slots), *(["-c", str(context)] if context else []), *(["--exact"] if options.exact else [])]
    pair = ["-m", options.target, "-md", options.draft]
    yield "specchat", running.enter_context(serving(home / "a", *pair, *threads, *np)).port
    plain = serving(home / "b", "-m", options.target, "--draft-type", "none", *threads, *np)
    yield "specchat, plain", running.enter_context(plain).port
    if options.server:
        # Of its context each of its slots has a part, unless the cache is unified.
        common = [*threads, "-np", str(slots), "-c", str(context or 2048 * slots), "-kvu"]
        yield "llama-server", _port(running.enter_context(llama_server(*pair, *common, program=options.server)))
        only = ["-m", options.target]
        yield "llama-server, plain", _port(running.enter_context(llama_server(*only, *common, program=options.server)))


def _port(url: str) -> int:
    return urlsplit(url).port or 0


def _measure(port: int, clients: int, number: int, n_tokens: int, load: Load) -> None:
    prompts = [
        f"Round {number} of {clients}, client {client}: tell me about {_TOPICS[client % len(_TOPICS)]}, please."
        for client in range(clients)
    ]
    started = time.perf_counter()
    with ThreadPoolExecutor(clients) as asking:
        answers = list(asking.map(lambda prompt: _ask(port, prompt, n_tokens), prompts))
    took = time.perf_counter() - started
    load.tokens_per_s.append(sum(n for n, _ in answers) / took)
    load.first_s += [first_s for _, first_s in answers]


def _ask(port: int, prompt: str, n_tokens: int) -> tuple[int, float]:
    """Tokens, and seconds until the first one."""
    body = {"messages": [{"role": "user", "content": prompt}], "max_tokens": n_tokens, "temperature": 0}
    body |= {"ignore_eos": True, "stream": True, "stream_options": {"include_usage": True}}
    connection = HTTPConnection(HOST, port, timeout=10 * ANSWER_S)
    started, first_s, n = time.perf_counter(), 0.0, 0
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
    with connection.getresponse() as response:
        for line in response:
            if not line.startswith(b"data: {"):
                continue
            event = json.loads(line.removeprefix(b"data: "))
            if not first_s and any(choice["delta"].get("content") for choice in event["choices"]):
                first_s = time.perf_counter() - started
            n = (event.get("usage") or {}).get("completion_tokens", n)
    connection.close()
    return n, first_s


def _print(found: dict[str, dict[int, Load]], clients: list[int]) -> None:
    _print_table("tokens/s", found, clients, lambda load: f"{median(load.tokens_per_s):.1f}")
    _print_table("first token, p95, ms", found, clients, lambda load: f"{1000 * _p95(load.first_s):.0f}")


def _print_table(
    title: str, found: dict[str, dict[int, Load]], clients: list[int], value: Callable[[Load], str]
) -> None:
    print(f"{title:22}" + "".join(f"{count:>10}" for count in clients))
    for name, loads in found.items():
        print(f"{name:22}" + "".join(f"{value(loads[count]):>10}" for count in clients))


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[round(0.95 * (len(seconds) - 1))]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("draft")
    parser.add_argument("--server", type=Path, help="llama-server, to compare with")
    parser.add_argument("--clients", default="1,2,4,8")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--exact", action="store_true", help="specchat in exact mode")
    parser.add_argument("-n", type=int, default=96)
    parser.add_argument("--threads", default=str(os.cpu_count() or 1))
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
