"""A long prompt beside three answers: how long does one of them stand still, in steps of its own?

python tests/benchmarks/long_prompt.py TARGET DRAFT [--server PATH_TO_llama-server] [--tokens 30000] [--exact]

Three clients are written to alone for some seconds; the median time between two of their events is a step. Then the
fourth comes with its prompt, until its first token or for `--seconds` at most. The target must be able to hold it all.
"""

import argparse
import json
import os
import socket
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.several_clients import start_all
from support.api_servers import ANSWER_S, HOST
from support.figures import Figure, table

N_WRITING, MOST_STEPS = 3, 3.0
_TOGETHER_S = 0.002
"""Tokens of one step come one after the other."""
_ROOM = 8192
"""Tokens of the context for the three."""


class Client(threading.Thread):
    def __init__(self, port: int, **asked: object) -> None:
        super().__init__(daemon=True)
        self._connection = HTTPConnection(HOST, port, timeout=10 * ANSWER_S)
        self._body = {"temperature": 0, "ignore_eos": True, "stream": True, "cache_prompt": False, **asked}
        self.events: list[float] = []
        """When each came."""

    def run(self) -> None:
        self._connection.request("POST", "/completion", json.dumps(self._body), {"Content-Type": "application/json"})
        with self._connection.getresponse() as response:
            assert response.status == 200, response.read()
            for line in response:
                now = time.perf_counter()
                if line.startswith(b"data: {") and (not self.events or now - self.events[-1] > _TOGETHER_S):
                    self.events.append(now)

    def leave(self) -> None:
        if self.is_alive() and self._connection.sock is not None:
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        self.join()
        self._connection.close()

    def gaps(self, begin: float, end: float) -> list[float]:
        """Of which at least a part lies between these."""
        pairs = zip(self.events, [*self.events[1:], end], strict=True)
        return [min(after, end) - before for before, after in pairs if after > begin and before < end]


def main() -> None:
    options = _options()
    reached = True
    with tempfile.TemporaryDirectory() as home, ExitStack() as running:
        context = options.tokens + _ROOM
        for name, port in start_all(Path(home), options, running, slots=N_WRITING + 1, context=context):
            figures = _measure(port, options)
            print("\n".join(table({name: figures})), flush=True)
            reached = reached and ("specchat" not in name or all(figure.reached for figure in figures))
    sys.exit(not reached)


def _measure(port: int, options: argparse.Namespace) -> list[Figure]:
    asked = (f"Number {i}: tell me about the sea, please." for i in range(N_WRITING))
    writing = [Client(port, prompt=prompt, n_predict=_ROOM // 4) for prompt in asked]
    reading = Client(port, prompt=[3 + 7 * i % 250 for i in range(options.tokens)], n_predict=1)
    for client in writing:
        client.start()
    while not all(client.events for client in writing):
        time.sleep(0.1)
    begun = time.perf_counter()
    time.sleep(options.before)
    came = time.perf_counter()
    reading.start()
    while not reading.events and reading.is_alive() and time.perf_counter() < came + options.seconds:
        time.sleep(0.05)
    end, was_read = time.perf_counter(), bool(reading.events)
    for client in (*writing, reading):
        client.leave()
    step = median(gap for client in writing for gap in client.gaps(begun, came))
    gaps = [client.gaps(came, end) for client in writing]
    return [
        Figure("longest gap, in steps", max(map(max, gaps)) / step, "", MOST_STEPS),
        Figure("95 % of the gaps, in steps", max(map(_p95, gaps)) / step, ""),
        Figure("a step before", 1000 * step),
        Figure("the prompt took" if was_read else "the prompt was not read in", end - came, "s"),
    ]


def _p95(values: list[float]) -> float:
    return sorted(values)[round(0.95 * (len(values) - 1))]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("draft")
    parser.add_argument("--server", type=Path, help="llama-server, to compare with")
    parser.add_argument("--tokens", type=int, default=30_000)
    parser.add_argument("--before", type=float, default=8.0)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--exact", action="store_true", help="specchat in exact mode")
    parser.add_argument("--threads", default=str(os.cpu_count() or 1))
    return parser.parse_args()


if __name__ == "__main__":
    main()
