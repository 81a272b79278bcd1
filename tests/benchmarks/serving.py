"""What the server costs: speed and first token through it, against the command line, taking turns in one run.

python tests/benchmarks/serving.py TARGET [DRAFT] [--rounds 10] [-n 128] [OPTIONS OF BOTH COMMANDS]

The server is timed from outside, by a client with a stopwatch; of `specchat chat` the engine's own figures count, which
begin when the models are loaded and the prompt is ready. Each round has a prompt of its own: nothing is in a cache.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.api_servers import ANSWER_S, HOST, Api, serving
from support.figures import Figure, table

SPEED_GOAL, FIRST_TOKEN_GOAL_MS = 0.97, 15.0
_PROMPT = "Number {round}: tell me about the sea, its tides and what lives in it, as clearly as you can."


@dataclass(frozen=True)
class Run:
    first_s: float
    tokens_per_s: float
    text: str


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _by_command(home, options, _PROMPT.format(round="none"))  # the first load, and what a pair learns then
        with serving(home, *_pair(options), "-t", options.threads) as api:
            _by_server(api, options, _PROMPT.format(round="none"))
            rounds = [_round(home, api, options, number) for number in range(options.rounds)]
    speed = median(served.tokens_per_s / commanded.tokens_per_s for served, commanded in rounds)
    late_ms = median(1000 * (served.first_s - commanded.first_s) for served, commanded in rounds)
    same = all(served.text == commanded.text for served, commanded in rounds)
    figures = [
        Figure("tokens/s, against the command's", speed, "x", SPEED_GOAL, least=True),
        Figure("first token, after the command's", late_ms, "ms", FIRST_TOKEN_GOAL_MS),
    ]
    print("\n".join(table({"through the server": figures})))
    print("the same texts" if same else "texts differ")
    if options.json:
        options.json.write_text(json.dumps({figure.name: figure.value for figure in figures}))
    sys.exit(not all(figure.reached for figure in figures))


def _round(home: Path, api: Api, options: argparse.Namespace, number: int) -> tuple[Run, Run]:
    prompt = _PROMPT.format(round=number)
    if number % 2:
        commanded = _by_command(home, options, prompt)
        served = _by_server(api, options, prompt)
    else:
        served = _by_server(api, options, prompt)
        commanded = _by_command(home, options, prompt)
    for name, run in (("server", served), ("command", commanded)):
        print(
            f"{number:3} {name:8} {run.tokens_per_s:8.1f} tokens/s, first after {1000 * run.first_s:7.1f} ms",
            flush=True,
        )
    return served, commanded


def _by_command(home: Path, options: argparse.Namespace, prompt: str) -> Run:
    command = [sys.executable, "-m", "specchat", "chat", *_pair(options), "-t", options.threads, "--json", "-p", prompt]
    command += ["-n", str(options.n), "--temp", "0", "--ignore-eos"]
    environment = os.environ | {"SPECCHAT_HOME": str(home)}
    answer = json.loads(subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE).stdout)
    return Run(answer["stats"]["ttft_s"], answer["stats"]["tokens_per_s"], answer["text"])


def _by_server(api: Api, options: argparse.Namespace, prompt: str) -> Run:
    """The first event with text is the first token, the last one the last."""
    asked = {"messages": [{"role": "user", "content": prompt}], "max_tokens": options.n, "temperature": 0}
    body = json.dumps({**asked, "ignore_eos": True, "stream": True})
    connection = HTTPConnection(HOST, api.port, timeout=ANSWER_S)
    connection.connect()
    arrivals, text = [], ""
    start = time.perf_counter()
    connection.request("POST", "/v1/chat/completions", body)
    with connection.getresponse() as response:
        for line in response:
            delta = _delta(line)
            if delta:
                arrivals.append(time.perf_counter() - start)
                text += delta
    connection.close()
    return Run(arrivals[0], (options.n - 1) / (arrivals[-1] - arrivals[0]), text)


def _delta(line: bytes) -> str:
    if not line.startswith(b"data: {"):
        return ""
    delta = json.loads(line.removeprefix(b"data: "))["choices"][0]["delta"].get("content", "")
    return str(delta)


def _pair(options: argparse.Namespace) -> list[str]:
    return ["-m", options.target, *(["-md", options.draft] if options.draft else []), *options.extra]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("draft", nargs="?")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--threads", default=str(os.cpu_count() or 1))
    parser.add_argument("--json", type=Path)
    options, extra = parser.parse_known_args()
    options.extra = extra
    return options


if __name__ == "__main__":
    main()
