"""Servers that really crash: the reason is in the terminal, in the log, and at the next start."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from support.api_servers import Api, Response, serving_process
from support.commands import Commands, Outcome, finished
from support.known_loads import known_loads
from support.processes import engines_below

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

CRASHING = """
import os
from specchat.backends.library import ggml_function

class Crashing:
    name = "crashing"
    def __init__(self, setup):
        pass
    def propose(self, context, budget):
        {deed}
    def observe(self, accepted, proposal):
        pass
"""
GIVES_UP = 'ggml_function("ggml_abort")(b"/home/somebody/ggml.c", 7, b"GGML_ASSERT(%s) failed", b"a > b")'
ALWAYS = ("--draft-type", "crashing", "--draft-max", "2")
REPORT = "If it happens again, report it and attach the files in {logs}."


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    with known_loads(tmp_path / "home" / "cache"):
        yield tmp_path / "home"


@pytest.fixture(autouse=True)
def no_cores() -> Iterator[None]:
    """The programs started here inherit that."""
    if sys.platform == "win32":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    yield
    resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))


@pytest.fixture
def crashing(tmp_path: Path) -> dict[str, str]:
    """The environment in which a drafter of this name is installed; its deed is added."""
    site = tmp_path / "site"
    about = site / "crashing-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: crashing\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[specchat.drafters]\ncrashing = crashing:Crashing\n")
    return {"PYTHONPATH": os.pathsep.join([str(site), *sys.path])}


def log_at(home: Path) -> str:
    return (home / "logs" / "specchat.log").read_text(encoding="utf-8")


def told(home: Path, reason: str) -> list[str]:
    return [f"specchat serve crashed: {reason}", f"hint: {REPORT.format(logs=home / 'logs')}"]


def next_start(home: Path, model: Path) -> Outcome:
    with serving_process(home, "-m", model) as (process, _):
        process.send_signal(signal.SIGTERM)
        return finished(process)


def engine_of(server: int) -> psutil.Process:
    (engine,) = engines_below(server)
    return engine


def answered(api: Api, **options: object) -> Response:
    """While it loads again it says so."""
    while True:
        response = api.complete("hello", **options)
        if response.status != 503 or response.error["code"] != "not_ready":
            return response
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("number", "reason"),
    [(signal.SIGSEGV, "Segmentation fault."), (signal.SIGABRT, "Aborted."), (signal.SIGBUS, "Bus error.")],
)
def test_a_native_crash(home: Path, tiny_llama: Path, number: int, reason: str) -> None:
    with serving_process(home, "-m", tiny_llama) as (process, api):
        assert api.complete("hello", max_tokens=1).status == 200
        process.send_signal(number)
        crashed = finished(process)
    assert (crashed.code, crashed.err.splitlines()) == (-number, told(home, reason))
    assert f"specchat serve crashed: {reason}\n" in log_at(home)
    assert "most recent call first" in log_at(home)
    again = next_start(home, tiny_llama)
    assert again.code == 0
    assert again.err == f"Note: specchat serve crashed last time: {reason} {REPORT.format(logs=home / 'logs')}\n"
    assert f"specchat serve crashed last time: {reason}\n" in log_at(home)
    assert next_start(home, tiny_llama).stderr == b""
    assert sorted(file.name for file in (home / "logs").iterdir()) == ["last-crash.txt", "specchat.log"]


@pytest.mark.parametrize(
    ("deed", "reason"), [("os.abort()", "Aborted"), (GIVES_UP, "ggml.c:7: GGML_ASSERT(a > b) failed")]
)
def test_a_crash_amid_an_answer(
    home: Path, tiny_llama: Path, tmp_path: Path, crashing: dict[str, str], deed: str, reason: str
) -> None:
    """It ends the answer, not the server."""
    (tmp_path / "site" / "crashing.py").write_text(CRASHING.format(deed=deed))
    with serving_process(home, "-m", tiny_llama, *ALWAYS, changes=crashing) as (process, api):
        for _ in range(3):
            stopped = answered(api)
            assert (stopped.status, stopped.error["code"]) == (503, "engine_stopped")
            assert stopped.error["message"].startswith(f"llama.cpp stopped: {reason}")
            assert stopped.headers["retry-after"] == "1"
        process.send_signal(signal.SIGTERM)
        assert finished(process).code == 0
    assert f"llama.cpp stopped: {reason}\n" in log_at(home)
    assert "most recent call first" in log_at(home)
    assert next_start(home, tiny_llama).stderr == b""


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL])
def test_who_asks_next_is_answered(home: Path, tiny_llama: Path, number: signal.Signals) -> None:
    with serving_process(home, "-m", tiny_llama) as (process, api):
        expected = api.complete("hello", max_tokens=8, temperature=0).json["choices"]
        for _ in range(3):
            engine_of(process.pid).send_signal(number)
            found = answered(api, max_tokens=8, temperature=0)
            assert found.json.get("choices") == expected, found.json


def test_unloaded_without_requests(home: Path, tiny_llama: Path) -> None:
    with serving_process(home, "-m", tiny_llama, "--idle-unload", "1") as (process, api):
        engine = engine_of(process.pid)
        assert api.complete("hello", max_tokens=1).status == 200
        engine.wait(30)
        assert api.get("/v1/models").status == 200
        assert api.complete("hello", max_tokens=1).status == 200
        assert engine_of(process.pid).pid != engine.pid


def test_ended_from_outside(home: Path, tiny_llama: Path) -> None:
    """Whoever did so knows."""
    with serving_process(home, "-m", tiny_llama) as (process, _):
        process.kill()
        assert finished(process).stderr == b""
    assert next_start(home, tiny_llama).stderr == b""
    assert "crashed" not in log_at(home)


def test_ended_while_it_loaded(commands: Commands, home: Path, tiny_llama: Path) -> None:
    (home / "logs").mkdir(parents=True)
    (home / "logs" / "serving-1-1.txt").write_text("specchat 0.1.0\n- loading big.gguf\n")
    commands.home = home
    refused = commands.run("serve", "-m", tiny_llama, "--host", "192.0.2.1", "--api-key", "key", "--port", "0")
    assert refused.refusal
    assert refused.err.splitlines()[0] == (
        "Note: specchat serve quit last time while loading big.gguf. It may have run out of memory. Use "
        "a smaller context (-c), or choose a smaller model."
    )


def test_nothing_stays_of_a_good_end(home: Path, tiny_llama: Path) -> None:
    assert next_start(home, tiny_llama).stderr == b""
    assert [file.name for file in (home / "logs").iterdir()] == ["specchat.log"]
