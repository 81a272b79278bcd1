"""Two `ggml-rpc-server` on loopback, of which one is killed while a pair loads, amid answers and while it is idle.

python tests/benchmarks/lost_machines.py [--times 20]

SPECCHAT_TEST_RPC is the folder that packaging/llama_build.py rpc-for-tests prints. Prints one JSON object. `lost`:
answers that differ from those of one machine, before the loss or after it; `left`: processes that stayed; `unnamed`:
losses that were not told with the machine's address.
"""

import argparse
import json
import os
import random
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of
from support.ggufs import ModelRecipe, make_pair
from support.processes import engines_below
from support.rpc_servers import RpcServerProcess, rpc_module, rpc_servers
from support.vocabularies import BpeVocab

from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask
from specchat.domain.errors import UserError
from specchat.domain.rpc import on_this_machine
from specchat.domain.types import Message, ModelSettings, PairChoice, Role, SamplingParams, TokenEvent
from specchat.services.engines.subprocess_engine import SubprocessEngine
from specchat.store.paths import Paths

RECIPE = ModelRecipe(n_embd=256, n_head=4, n_layer=6, vocab=BpeVocab(size=4096))
TASK = ChatTask((Message(Role.USER, "Tell me more."),), SamplingParams(temperature=0), 100)
WHEN = ("load", "answer", "idle")


class Losses:
    def __init__(self, engine: SubprocessEngine, servers: list[RpcServerProcess], choice: PairChoice) -> None:
        self._engine, self._servers, self._choice = engine, servers, choice
        self._here = self._answer(on_this_machine(choice))
        self.found = {when: {"times": 0, "lost": 0, "left": 0, "unnamed": 0} for when in WHEN}

    def lose(self, when: str) -> None:
        server, found = random.choice(self._servers), self.found[when]
        found["times"] += 1
        written: list[int] = []
        try:
            self._until_lost(when, server, written)
            found["unnamed"] += 1
        except UserError as error:
            found["unnamed"] += server.address not in str(error.message)
        found["lost"] += written != self._here[: len(written)]
        found["left"] += len(engines_below(os.getpid()))
        found["lost"] += self._answer(on_this_machine(self._choice)) != self._here
        server.start()

    def _until_lost(self, when: str, server: RpcServerProcess, written: list[int]) -> None:
        if when == "load":
            at = random.random()
            self._engine.load(
                self._choice, CancelToken(), lambda _, done: server.kill() if done >= at or at < 0.2 else None
            )
        else:
            self._engine.load(self._choice, CancelToken(), lambda *_: None)
        if when == "idle":
            server.kill()
        after = random.randrange(1, 60)
        for event in self._engine.generate(TASK, CancelToken()):
            if isinstance(event, TokenEvent):
                written.append(event.token)
                if when == "answer" and len(written) >= after:
                    server.kill()
        server.kill()  # it may have been too late
        list(self._engine.generate(TASK, CancelToken()))

    def _answer(self, choice: PairChoice) -> list[int]:
        self._engine.load(choice, CancelToken(), lambda *_: None)
        return [event.token for event in self._engine.generate(TASK, CancelToken()) if isinstance(event, TokenEvent)]


def main(times: int) -> dict[str, object]:
    os.environ["GGML_BACKEND_PATH"] = rpc_module()
    began = time.monotonic()
    with TemporaryDirectory() as home, rpc_servers(2) as servers:
        folder = Path(home)
        pair = make_pair(folder, recipe=RECIPE)
        on_target = ModelSettings(
            n_ctx=512, threads=1, exact=True, gpu_layers=4, rpc=tuple(server.address for server in servers)
        )
        choice = choice_of(*pair, on_target, ModelSettings(threads=1), "model", 3)
        paths = Paths(*(folder / name for name in ("data", "config", "cache", "logs")))
        with closing(SubprocessEngine(paths)) as engine:
            losses = Losses(engine, servers, choice)
            for _ in range(times):
                for when in WHEN:
                    losses.lose(when)
        left = [child for child in psutil.Process().children(recursive=True) if "engine" in _command(child)]
    return {"seconds": round(time.monotonic() - began), "left_in_the_end": len(left), **losses.found}


def _command(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return list(process.cmdline())
    return []


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=20)
    print(json.dumps(main(parser.parse_args().times), indent=1))  # noqa: T201
