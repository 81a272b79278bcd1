"""Many clients at once, of which many go away at any moment: does the server stay whole, and every answer right?

python tests/benchmarks/serving_load.py [--clients 200] [--seconds 60]

In exact mode on a small pair: each completed answer must be that of the same request when nobody else asks, without a
draft.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.api_servers import HOST, Api, serving, serving_process
from support.figures import Figure, table
from support.ggufs import make_pair

MIB = 1 << 20
MOST_GROWTH_MIB, MOST_HANDLES = 10.0, 2
_REQUESTS = 60
_WORDS = ["sea", "tide", "hello", "world", "model", "token", "draft", "write", "look", "number"]

Request = dict[str, Any]


@dataclass
class Seen:
    statuses: Counter[int] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[Request] = field(default_factory=list)


def main() -> None:
    options = _options()
    requests = [_request(Random(number)) for number in range(_REQUESTS)]
    with tempfile.TemporaryDirectory() as folder:
        home, (target, draft) = Path(folder) / "home", make_pair(Path(folder))
        with serving(home, "-m", target, "--draft-type", "none", "--exact") as api:
            alone = [_text(api.post("/v1/chat/completions", {**request, "stream": False}).json) for request in requests]
        with serving_process(home, "-m", target, "-md", draft, "--draft-max", "4", "--exact") as (process, api):
            server = psutil.Process(process.pid)
            expected = list(zip(requests, alone, strict=True))
            asyncio.run(_load(api, expected, options.clients, 5.0))
            before = _settled(api, server)
            seen = asyncio.run(_load(api, expected, options.clients, options.seconds))
            after = _settled(api, server)
            again = [_text(api.post("/v1/chat/completions", {**request, "stream": False}).json) for request in requests]
            acceptance = api.metrics()["acceptance_rate"]
            process.terminate()
            code = process.wait(30)
    print(f"{seen.outcomes.total()} requests: {dict(seen.outcomes)}, statuses {dict(seen.statuses)}")
    print(
        f"memory {before[0]:.1f} -> {after[0]:.1f} MiB, handles {before[1]} -> {after[1]}, acceptance {acceptance:.2f}"
    )
    wrong_after = sum(text != same for text, same in zip(again, alone, strict=True))
    figures = [
        Figure("completed answers", seen.outcomes["completed"], "", 1, least=True),
        Figure("of them not as when nobody else asks", len(seen.wrong), "", 0),
        Figure("wrong answers afterwards", wrong_after, "", 0),
        Figure("more memory than before", after[0] - before[0], "MiB", MOST_GROWTH_MIB),
        Figure("more file handles than before", after[1] - before[1], "", MOST_HANDLES),
        Figure("exit code", code, "", 0),
    ]
    print("\n".join(table({"under load": figures})))
    sys.exit(not all(figure.reached for figure in figures))


def _request(random: Random) -> Request:
    prompt = " ".join(random.choices(_WORDS, k=random.randint(1, 60)))
    return {
        "messages": [{"role": "user", "content": prompt}],
        "max_tokens": random.randint(1, 60),
        "temperature": random.choice([0, 0.7, 1.3]),
        "seed": random.randint(0, 1000),
        "ignore_eos": True,
        "stream": random.random() < 0.7,
    }


async def _load(api: Api, expected: list[tuple[Request, str]], clients: int, seconds: float) -> Seen:
    seen, end = Seen(), time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        for number in range(clients):
            group.create_task(_client(api, expected, seen, Random(number), end))
    return seen


async def _client(api: Api, expected: list[tuple[Request, str]], seen: Seen, random: Random, end: float) -> None:
    while time.monotonic() < end:
        request, text = random.choice(expected)
        patience = random.choice([None, None, 0.0, random.random() * 0.1, random.random() * 3])
        try:
            async with asyncio.timeout(patience):
                status, answer = await _ask(api, request)
        except TimeoutError:
            seen.outcomes["left"] += 1
            continue
        except ConnectionError:  # one more than the server takes
            seen.outcomes["turned away"] += 1
            await asyncio.sleep(random.random() * 0.5)
            continue
        seen.statuses[status] += 1
        seen.outcomes["completed" if status == 200 else "turned away"] += 1
        if status == 200 and answer != text:
            seen.wrong.append(request)
        if status != 200:
            await asyncio.sleep(random.random() * 0.5)


async def _ask(api: Api, request: Request) -> tuple[int, str]:
    reader, writer = await asyncio.open_connection(HOST, api.port)
    try:
        body = json.dumps(request).encode()
        head = f"POST /v1/chat/completions HTTP/1.0\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        start, _, content = (await reader.read()).partition(b"\r\n\r\n")
        if not start:
            raise ConnectionResetError
        status = int(start.split(b" ", 2)[1])
        if status != 200:
            return status, ""
        return status, _streamed(content) if request["stream"] else _text(json.loads(content))
    finally:
        writer.transport.abort()


def _streamed(content: bytes) -> str:
    *events, done, _ = content.decode().split("\n\n")
    assert done == "data: [DONE]"
    choices = [json.loads(event.removeprefix("data: "))["choices"][0] for event in events]
    return "".join(choice["delta"].get("content", "") for choice in choices)


def _text(answer: dict[str, Any]) -> str:
    return str(answer["choices"][0]["message"]["content"])


def _settled(api: Api, server: psutil.Process) -> tuple[float, int]:
    """When the last request that was given up is gone: memory in MiB, and handles."""
    while (metrics := api.metrics())["requests_running"] or metrics["requests_waiting"]:
        time.sleep(0.1)
    time.sleep(1.0)
    return server.memory_info().rss / MIB, server.num_fds() if hasattr(server, "num_fds") else server.num_handles()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
