"""Tokens per second through a connection to llama-server, against the same llama-server asked directly.

python tests/benchmarks/connection.py TARGET DRAFT --server PATH_TO_llama-server [--rounds 12] [-n 128]

Both ask the same, one after the other and in turns, and read a streamed answer to its end: a bare client that looks for
tokens and nothing else, and specchat without its window (session, connection, statistics). The prompt is read anew
each time. Prints the medians, and their ratio: of whole answers, and from their first token on.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import NoReturn
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.api_servers import ANSWER_S
from support.engine_servers import llama_server

from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask
from specchat.domain.errors import BugError
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import GenerationFinished, Message, PairChoice, Role, SamplingParams, TokenEvent
from specchat.services.connections.remote_engine import RemoteEngine
from specchat.services.engines.pair_session import PairSession
from specchat.services.engines.routing_engine import RoutingEngine
from specchat.services.generation.stats_tracker import StatsTracker
from specchat.sources.engine_http import EngineHttp

_TOPICS = ("the sea", "bread", "trains", "the moon", "winter", "music", "rivers", "cheese")
_OPTIONS = ("--spec-type", "draft-simple", "--spec-draft-n-max", 4, "-c", 2048)
_SEED = 1


@dataclass
class Speeds:
    """Tokens per second of each answer."""

    whole: list[float] = field(default_factory=list)
    streamed: list[float] = field(default_factory=list)

    def note(self, n: int, begun: float, first: float, end: float) -> None:
        self.whole.append(n / (end - begun))
        self.streamed.append((n - 1) / (end - first))


Ask = Callable[[str, int, Speeds], None]


def main() -> None:
    options = _options()
    arguments = ("-m", options.target, "-md", options.draft, *_OPTIONS)
    with llama_server(*arguments, program=options.server, threads=options.threads) as url, closing(_session()) as here:
        here.load(PairChoice(ServedModel(url)), CancelToken())
        ways: dict[str, Ask] = {
            "directly": lambda prompt, n, speeds: _ask_directly(url, prompt, n, speeds),
            "through specchat": lambda prompt, n, speeds: _ask_through(here, prompt, n, speeds),
        }
        found = {name: Speeds() for name in ways}
        for number in range(options.rounds + 1):
            prompt = f"Round {number}: tell me about {_TOPICS[number % len(_TOPICS)]}, please."
            for name in list(ways) if number % 2 else reversed(ways):
                ways[name](prompt, options.n, found[name] if number else Speeds())  # the first round warms up
    _print(found)
    if options.json:
        options.json.write_text(json.dumps({name: vars(speeds) for name, speeds in found.items()}))


def _session() -> PairSession:
    def never() -> NoReturn:
        raise BugError("nothing is loaded here")

    return PairSession(lambda: RoutingEngine(never, lambda: RemoteEngine(EngineHttp(), reuses_prompts=False)))


def _ask_directly(url: str, prompt: str, n_tokens: int, speeds: Speeds) -> None:
    body = {"messages": [{"role": "user", "content": prompt}], "max_tokens": n_tokens, "temperature": 0, "seed": _SEED}
    body |= {"ignore_eos": True, "cache_prompt": False, "stream": True, "stream_options": {"include_usage": True}}
    connection = HTTPConnection(urlsplit(url).netloc, timeout=ANSWER_S)
    begun, first, end, n = time.perf_counter(), 0.0, 0.0, 0
    connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Content-Type": "application/json"})
    with closing(connection), connection.getresponse() as response:
        for line in response:
            if not line.startswith(b"data: {"):
                continue
            event = json.loads(line.removeprefix(b"data: "))
            if any(choice["delta"].get("content") for choice in event["choices"]):
                end = time.perf_counter()
                first = first or end
            n = (event.get("usage") or {}).get("completion_tokens", n)
    speeds.note(n, begun, first, end)


def _ask_through(session: PairSession, prompt: str, n_tokens: int, speeds: Speeds) -> None:
    greedy = SamplingParams(temperature=0.0, seed=_SEED)
    task = ChatTask((Message(Role.USER, prompt),), greedy, n_tokens, ignore_eos=True)
    tracker = StatsTracker()
    begun, first, end, n = time.perf_counter(), 0.0, 0.0, 0
    for event in session.generate(task, CancelToken()):
        if isinstance(event, TokenEvent):
            end = time.perf_counter()
            first = first or end
            if event.step is not None:
                tracker.add_step(event.step)
        if isinstance(event, GenerationFinished):
            n = event.stats.n_generated
            tracker.finish(event.stats)
    speeds.note(n, begun, first, end)


def _print(found: dict[str, Speeds]) -> None:
    print(f"{'tokens/s, median':24}{'whole answer':>14}{'streamed':>14}")
    rows = {name: (median(speeds.whole), median(speeds.streamed)) for name, speeds in found.items()}
    for name, (whole, streamed) in rows.items():
        print(f"{name:24}{whole:>14.2f}{streamed:>14.2f}")
    (directly, streamed_directly), (through, streamed_through) = rows.values()
    print(f"{'ratio':24}{through / directly:>14.3f}{streamed_through / streamed_directly:>14.3f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("draft")
    parser.add_argument("--server", type=Path, required=True, help="llama-server")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
