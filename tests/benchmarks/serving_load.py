"""Many clients at once, of which many go away at any moment: does the server stay whole, and every answer right?

python tests/benchmarks/serving_load.py [--clients 200] [--seconds 60] [--all-paths]

In exact mode on a small pair: each completed answer must be that of the same request when nobody else asks, without a
draft. With --all-paths the clients use every API, and some of what they ask is refused.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.api_calls import RECIPE, Call, chat_call, random_call
from support.api_servers import HOST, Api, serving, serving_process
from support.figures import Figure, table
from support.ggufs import make_pair

MIB = 1 << 20
MOST_GROWTH_MIB, MOST_HANDLES, MOST_THREADS = 10.0, 2, 0
_CALLS = 60
_CALLS_OF_ALL = 240
_BUSY = (429, 503)
"""What a server that has too much to do may say at any time."""


@dataclass
class Seen:
    statuses: Counter[int] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[Call] = field(default_factory=list)
    failed: list[tuple[Call, int, bytes]] = field(default_factory=list)
    """With another status than they should have."""


@dataclass(frozen=True)
class Resources:
    """Of all processes of the server."""

    mib: float
    handles: int
    threads: int


def main() -> None:
    options = _options()
    make, count = (random_call, _CALLS_OF_ALL) if options.all_paths else (chat_call, _CALLS)
    calls = [make(Random(number)) for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        home, (target, draft) = Path(folder) / "home", make_pair(Path(folder), recipe=RECIPE)
        with serving(home, "-m", target, "--draft-type", "none", "--exact") as api:
            alone = [_ask_alone(api, call) for call in calls]
        with serving_process(home, "-m", target, "-md", draft, "--draft-max", "4", "--exact") as (process, api):
            server = psutil.Process(process.pid)
            expected = list(zip(calls, alone, strict=True))
            asyncio.run(_load(api, expected, options.clients, min(5.0, options.seconds)))
            before = _settled(api, server)
            seen = asyncio.run(_load(api, expected, options.clients, options.seconds))
            after = _settled(api, server)
            again = [_ask_alone(api, call) for call in calls]
            metrics = api.metrics()
            busy = sum(slot["is_processing"] for slot in json.loads(api.get("/slots").body))
            process.terminate()
            code = process.wait(30)
    print(f"{seen.outcomes.total()} requests: {dict(seen.outcomes)}, statuses {dict(seen.statuses)}")
    print(f"{before} -> {after}, acceptance {metrics['acceptance_rate']:.2f}")
    for call, status, said in seen.failed[:5]:
        print(f"{call.path}: {status} instead of {call.status}: {said[:300]!r}")
    for call in seen.wrong[:5]:
        print(f"wrong: {call.path} {json.dumps(call.body)[:300]}")
    left = metrics["requests_waiting"] + metrics["requests_running"] + busy
    wrong_after = sum(text != same for text, same in zip(again, alone, strict=True))
    figures = [
        Figure("completed answers", seen.outcomes["completed"], "", 1, least=True),
        Figure("of them not as when nobody else asks", len(seen.wrong), "", 0),
        Figure("answers with another status than they should have", len(seen.failed), "", 0),
        Figure("wrong answers afterwards", wrong_after, "", 0),
        Figure("requests that still wait or run", left, "", 0),
        Figure("more memory than before", after.mib - before.mib, "MiB", MOST_GROWTH_MIB),
        Figure("more file handles than before", after.handles - before.handles, "", MOST_HANDLES),
        Figure("more threads than before", after.threads - before.threads, "", MOST_THREADS),
        Figure("exit code", code, "", 0),
    ]
    print("\n".join(table({"under load": figures})))
    sys.exit(not all(figure.reached for figure in figures))


def _ask_alone(api: Api, call: Call) -> str:
    call = call.whole()
    reply = api.get(call.path) if call.body is None else api.post(call.path, call.body)
    assert reply.status == call.status, (call, reply)
    return call.read(reply.body) if reply.status == 200 else ""


async def _load(api: Api, expected: Sequence[tuple[Call, str]], clients: int, seconds: float) -> Seen:
    seen, end = Seen(), time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        for number in range(clients):
            group.create_task(_client(api, expected, seen, Random(number), end))
    return seen


async def _client(api: Api, expected: Sequence[tuple[Call, str]], seen: Seen, random: Random, end: float) -> None:
    while time.monotonic() < end:
        call, text = random.choice(expected)
        patience = random.choice([None, None, 0.0, random.random() * 0.1, random.random() * 3])
        try:
            async with asyncio.timeout(patience):
                status, content = await _ask(api, call)
        except TimeoutError:
            seen.outcomes["left"] += 1
            continue
        except ConnectionError:  # one more than the server takes
            seen.outcomes["turned away"] += 1
            await asyncio.sleep(random.random() * 0.5)
            continue
        seen.statuses[status] += 1
        if _is_busy(status, content):
            seen.outcomes["turned away"] += 1
            await asyncio.sleep(random.random() * 0.5)
        elif status != call.status:
            seen.outcomes["failed"] += 1
            seen.failed.append((call, status, content))
        elif status != 200:
            seen.outcomes["refused"] += 1
        else:
            seen.outcomes["completed"] += 1
            if not _is_right(call, content, text):
                seen.wrong.append(call)


def _is_busy(status: int, content: bytes) -> bool:
    """By its words: not every API has a place for the code."""
    return status in _BUSY and any(said in content for said in (b"are already waiting", b"Too many requests"))


def _is_right(call: Call, content: bytes, text: str) -> bool:
    with suppress(ValueError, LookupError, AssertionError):
        return call.read(content) == text
    return False


async def _ask(api: Api, call: Call) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection(HOST, api.port)
    try:
        body = b"" if call.body is None else json.dumps(call.body).encode()
        method = "GET" if call.body is None else "POST"
        head = f"{method} {call.path} HTTP/1.0\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        start, _, content = (await reader.read()).partition(b"\r\n\r\n")
        if not start:
            raise ConnectionResetError
        return int(start.split(b" ", 2)[1]), content
    finally:
        writer.transport.abort()


def _settled(api: Api, server: psutil.Process) -> Resources:
    """When the last request that was given up is gone."""
    while (metrics := api.metrics())["requests_running"] or metrics["requests_waiting"]:
        time.sleep(0.1)
    time.sleep(1.0)
    processes = [server, *server.children(recursive=True)]
    handles = sum(each.num_fds() if hasattr(each, "num_fds") else each.num_handles() for each in processes)
    memory = sum(each.memory_info().rss for each in processes)
    return Resources(memory / MIB, handles, sum(each.num_threads() for each in processes))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--all-paths", action="store_true", help="not only OpenAI's chats")
    return parser.parse_args()


if __name__ == "__main__":
    main()
