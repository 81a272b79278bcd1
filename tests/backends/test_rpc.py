"""A target in thirds, here and on two RPC servers, which are killed whenever it hurts."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_pair
from support.known_loads import known_loads
from support.real_loads import load_elsewhere
from support.rpc_servers import RpcServerProcess, rpc_module, rpc_servers
from support.vocabularies import BpeVocab

from specchat.backends.rpc_protocol import probe_server
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask
from specchat.domain.errors import EngineStoppedError, RpcError
from specchat.domain.types import (
    GenerationFinished,
    Message,
    ModelSettings,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
)
from specchat.services.engines.pair_session import PairSession
from specchat.services.engines.subprocess_engine import SubprocessEngine
from specchat.store.paths import Paths

pytestmark = pytest.mark.rpc

RECIPE = ModelRecipe(n_embd=256, n_head=4, n_layer=6, vocab=BpeVocab(size=4096))
THIRDS = 4
"""Layers that leave this machine."""
PARTS = ("weights", "kv", "compute", "output")
AS_PRINTED = 0.011 * 2**20
TASK = ChatTask((Message(Role.USER, "Tell me more."),), SamplingParams(temperature=0), 200)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_pair(tmp_path_factory.mktemp("pair"), recipe=RECIPE)


@pytest.fixture
def servers() -> Iterator[list[RpcServerProcess]]:
    with rpc_servers(2) as running:
        yield running


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    return {**os.environ, "GGML_BACKEND_PATH": rpc_module(), "SPECCHAT_HOME": str(tmp_path / "home")}


def addresses(servers: list[RpcServerProcess]) -> str:
    return ",".join(server.address for server in servers)


def run(environment: Mapping[str, str], *arguments: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "specchat", *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_devices_of_other_machines(environment: Mapping[str, str], servers: list[RpcServerProcess]) -> None:
    found = run(environment, "devices", "--rpc", addresses(servers))
    names = {device["name"]: device["description"] for device in found["devices"]}
    assert names.items() >= {"RPC0": servers[0].address, "RPC1": servers[1].address}.items()


def test_the_command_lends_this_computer(environment: Mapping[str, str]) -> None:
    server = RpcServerProcess()
    command = [sys.executable, "-m", "specchat", "rpc-server", "-p", str(server.port), "-t", "1"]
    server.start(command, environment)
    try:
        assert probe_server(server.address).devices[0].total > 0
    finally:
        server.kill()


def test_the_same_tokens_as_here(
    environment: Mapping[str, str], servers: list[RpcServerProcess], pair: tuple[Path, Path]
) -> None:
    asked = ("chat", "-m", pair[0], "-md", pair[1], "-p", "Hello", "--raw", "-n", 64, "-c", 512, "-t", 1, "--exact")
    here = run(environment, *asked, "--temp", 0)
    there = run(environment, *asked, "--temp", 0, "--rpc", addresses(servers), "-ngl", THIRDS, "-ts", "1,1")
    assert there["tokens"] == here["tokens"] or there["exact"]["selftest"].startswith("failed")
    assert there["stats"]["n_accepted"] > 0


@pytest.mark.parametrize("draft_device", [None, "RPC1"])
def test_the_memory_on_each_machine(
    environment: Mapping[str, str],
    servers: list[RpcServerProcess],
    pair: tuple[Path, Path],
    draft_device: str | None,
) -> None:
    rpc = tuple(server.address for server in servers)
    sent = ("-devd", draft_device) if draft_device else ()
    options = ("-c", 1024, "--rpc", ",".join(rpc), "-ngl", THIRDS, "-ts", "1,1", *sent)
    found = run(environment, "fit", *pair, *options)
    assert found["method"] == "engine"
    devices = {device["name"]: device for device in found["devices"]}
    assert devices.keys() == {"CPU", "RPC0", "RPC1"}
    on_draft = ModelSettings(
        n_ctx=1024, max_draft=15, guesses=True, device=draft_device, rpc=rpc if draft_device else ()
    )
    both = {
        "target": ModelSettings(n_ctx=1024, max_draft=16, gpu_layers=THIRDS, rpc=rpc, tensor_split=(1, 1), branches=8),
        "draft": on_draft,
    }
    for path, (who, settings) in zip(pair, both.items(), strict=True):
        real = load_elsewhere(path, settings, environment)
        for name, device in devices.items():
            for part in PARTS:
                allocated = getattr(real[name], part) if name in real else 0
                printed = AS_PRINTED * (settings.max_draft + 1 if part == "output" else 1)
                assert device[who][part] == pytest.approx(allocated, rel=0.01, abs=printed), (who, name, part)


# Killed


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SubprocessEngine]:
    monkeypatch.setenv("GGML_BACKEND_PATH", rpc_module())
    places = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    with known_loads(places.cache), closing(SubprocessEngine(places)) as engine:
        yield engine
        engine.unload()
        assert not [child for child in psutil.Process().children() if "engine" in child.cmdline()]


def spread(servers: list[RpcServerProcess], pair: tuple[Path, Path]) -> PairChoice:
    target = ModelSettings(
        n_ctx=512, threads=1, gpu_layers=THIRDS, rpc=tuple(server.address for server in servers), tensor_split=(1, 1)
    )
    return choice_of(*pair, target, ModelSettings(threads=1), "model", 3)


def without_others(choice: PairChoice) -> PairChoice:
    return replace(choice, target_settings=replace(choice.target_settings, rpc=(), tensor_split=()))


def load(engine: SubprocessEngine, choice: PairChoice) -> None:
    engine.load(choice, CancelToken(), lambda *_: None)


def ends_well(engine: SubprocessEngine) -> bool:
    *_, end = engine.generate(TASK, CancelToken())
    return isinstance(end, GenerationFinished)


@pytest.mark.parametrize("which", [0, 1])
def test_killed_amid_an_answer(
    engine: SubprocessEngine, servers: list[RpcServerProcess], pair: tuple[Path, Path], which: int
) -> None:
    choice = spread(servers, pair)
    load(engine, choice)
    events = engine.generate(TASK, CancelToken())
    began = [event for event in islice(events, 8) if isinstance(event, TokenEvent)]
    assert began
    servers[which].kill()
    with pytest.raises(EngineStoppedError, match=f"Lost the connection to {servers[which].address}, which held"):
        list(events)
    with pytest.raises(RpcError, match=f"Can't reach the RPC server at {servers[which].address}"):
        load(engine, choice)
    load(engine, without_others(choice))
    assert ends_well(engine)
    servers[which].start()
    load(engine, choice)
    assert ends_well(engine)


def test_killed_while_idle(engine: SubprocessEngine, servers: list[RpcServerProcess], pair: tuple[Path, Path]) -> None:
    """Back again, the next answer loads it; gone for good, it is said, and the rest can go on without it."""
    session = PairSession(lambda: engine)
    choice = spread(servers, pair)
    session.load(choice, CancelToken())
    servers[1].kill()
    servers[1].start()
    with pytest.raises(EngineStoppedError, match="Lost the connection to"):
        list(session.generate(TASK, CancelToken()))
    *_, end = session.generate(TASK, CancelToken())
    assert isinstance(end, GenerationFinished)
    servers[0].kill()
    with pytest.raises(EngineStoppedError, match=f"Lost the connection to {servers[0].address}, which held"):
        list(session.generate(TASK, CancelToken()))
    with pytest.raises(RpcError, match=f"Can't reach the RPC server at {servers[0].address}"):
        list(session.generate(TASK, CancelToken()))
    session.load(without_others(choice), CancelToken())
    *_, end = session.generate(TASK, CancelToken())
    assert isinstance(end, GenerationFinished)


def test_killed_while_it_is_loaded(
    engine: SubprocessEngine, servers: list[RpcServerProcess], pair: tuple[Path, Path]
) -> None:
    choice = spread(servers, pair)
    told = []

    def kill_at_once(stage: object, _: float) -> None:
        told.append(stage)
        servers[0].kill()

    with pytest.raises((EngineStoppedError, RpcError), match=servers[0].address):
        engine.load(choice, CancelToken(), kill_at_once)
    assert told
    load(engine, without_others(choice))
    assert ends_well(engine)


def test_one_that_serves_another_program(
    engine: SubprocessEngine, servers: list[RpcServerProcess], pair: tuple[Path, Path], tmp_path: Path
) -> None:
    choice = spread(servers, pair)
    load(engine, choice)
    paths = Paths(*(tmp_path / "other" / name for name in ("data", "config", "cache", "logs")))
    with closing(SubprocessEngine(paths)) as other, pytest.raises(RpcError, match="it may be in use"):
        load(other, choice)
    assert ends_well(engine)


def test_a_self_test_says_what_was_lost(
    environment: Mapping[str, str], servers: list[RpcServerProcess], pair: tuple[Path, Path]
) -> None:
    """It computes in its own process."""
    code = (
        "import os, signal, sys\n"
        "from specchat.services.generation import pair_self_test\n"
        "run = pair_self_test.run_selftest\n"
        "def kill_first(*asked): os.kill(int(sys.argv.pop()), signal.SIGKILL); return run(*asked)\n"
        "pair_self_test.run_selftest = kill_first\n"
        "from specchat import bootstrap\n"
        "sys.exit(bootstrap.run(sys.argv[1:-1]))\n"
    )
    asked = ["selftest", "-m", str(pair[0]), "-c", "512", "-t", "1", "--rpc", addresses(servers), "--json"]
    command = [sys.executable, "-c", code, *asked, str(servers[0].pid)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["error"].startswith(f"Lost the connection to {servers[0].address}")


def test_a_command_says_what_was_lost(
    environment: Mapping[str, str], servers: list[RpcServerProcess], pair: tuple[Path, Path]
) -> None:
    asked = ("chat", "-m", pair[0], "-p", "Hello", "--raw", "-n", 400, "-c", 512, "-t", 1, "--ignore-eos")
    command = [sys.executable, "-m", "specchat", *map(str, asked), "--rpc", addresses(servers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.read(1)
        servers[0].kill()
        said = program.stderr.read().decode()
    assert program.returncode == 1
    assert f"Lost the connection to {servers[0].address}" in said
    assert "hint: " in said
    assert "Traceback" not in said
