"""The command around the server; tests/server has the server."""

import json
import os
import signal
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen

import pytest
from support.api_servers import HOST, Api, serving, serving_process
from support.commands import Commands, finished, run_process, started

from specchat.cli.serve import fewer_slots_note
from specchat.domain.answer_tasks import PairInfo
from specchat.services.bench.llama_server import find_free_port
from specchat.services.generation.slot_limits import NO_MEMORY

ENDLESS = {"ignore_eos": True, "max_tokens": -1}
_WAITING = "Waiting up to 10 seconds for the current answer."
WAITS = {
    signal.SIGINT: f"{_WAITING} Press Ctrl-C again to stop now.{os.linesep}".encode(),
    signal.SIGTERM: f"{_WAITING}{os.linesep}".encode(),
}
SECRET = "a-word-that-nobody-else-says"
signals = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])


def ended(process: Popen[bytes], number: int, told: Sequence[bytes] = (b"",)) -> None:
    process.send_signal(number)
    outcome = finished(process)
    assert (outcome.code, outcome.stdout) == (0, b"")
    assert outcome.stderr in told


@signals
def test_its_end(home: Path, tiny_llama: Path, number: int) -> None:
    with serving_process(home, "-m", tiny_llama) as (process, api):
        assert api.complete("hello").status == 200
        ended(process, number)


@signals
def test_its_end_while_it_answers(home: Path, tiny_llama: Path, number: signal.Signals) -> None:
    """The model writes until its context is full, which may be before the signal comes."""
    with serving_process(home, "-m", tiny_llama, "-c", "512") as (process, api), ThreadPoolExecutor() as clients:
        answer = clients.submit(api.complete, "hello", stream=True, **ENDLESS)
        while not api.metrics()["tokens_total"]:
            pass
        ended(process, number, (b"", WAITS[number]))
        assert answer.result().events[-1]["choices"][0]["finish_reason"] == "length"


@signals
def test_its_end_at_once(home: Path, tiny_llama: Path, number: signal.Signals) -> None:
    """Ctrl-C, where the answer would take its time. Nobody may be at the keyboard if another program ends it."""
    with serving_process(home, "-m", tiny_llama) as (process, api), ThreadPoolExecutor() as clients:
        answer = clients.submit(api.complete, "hello", **ENDLESS)
        while not api.metrics()["tokens_total"]:
            pass
        process.send_signal(number)
        assert process.stderr is not None
        assert process.stderr.readline() == WAITS[number]
        ended(process, signal.SIGINT)
        assert isinstance(answer.exception(), ConnectionError)


@signals
def test_its_end_while_it_loads(tmp_path: Path, tiny_llama: Path, number: int) -> None:
    """It listens from the beginning; the first load takes its time. Nobody was served yet: this is no good end."""
    api = Api(f"http://{HOST}:{find_free_port()}/v1")
    with started(tmp_path / "home", "serve", "-m", tiny_llama, "--port", str(api.port), "--json") as process:
        while not _listens(api):
            pass
        process.send_signal(number)
        outcome = finished(process)
    assert outcome.stderr == b""
    if "error" in outcome.json:
        assert (outcome.code, outcome.json) == (130, {"error": "Interrupted.", "hint": "Run it again."})
    else:  # it was loaded meanwhile
        assert outcome.code == 0


def _listens(api: Api) -> bool:
    try:
        return api.get("/health").status in (200, 503)
    except ConnectionError:
        return False


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.1", "computer.example"])
def test_another_host_needs_a_key(commands: Commands, tiny_llama: Path, host: str) -> None:
    refused = commands.run("serve", "-m", tiny_llama, "--port", "0", "--host", host)
    assert refused.code == 1
    assert "--api-key" in refused.refusal[1]


def test_a_key_from_the_environment(home: Path, tiny_llama: Path) -> None:
    arguments = ("-m", tiny_llama, "--host", "0.0.0.0", "--allow-origin", "https://chat.example")
    with serving(home, *arguments, changes={"SPECCHAT_API_KEY": SECRET}) as api:
        assert api.url.startswith("http://127.0.0.1:")
        assert api.get("/v1/models").status == 401
        allowed = api.get("/v1/models", Authorization=f"Bearer {SECRET}", Origin="https://chat.example")
        assert allowed.status == 200
        assert allowed.headers["access-control-allow-origin"] == "https://chat.example"


@pytest.mark.parametrize("key", ["", " "])
def test_a_key_that_is_empty(commands: Commands, tiny_llama: Path, key: str) -> None:
    """As of a variable that is not set: nobody is to be served without a key who asked for one."""
    refused = commands.run("serve", "-m", tiny_llama, "--port", "0", "--api-key", key)
    assert refused.code == 1
    assert refused.refusal[0] == "The key is empty."


@pytest.mark.parametrize("key", ["half \udc80", "tab\tbed", "x" * 1001])
def test_keys_that_cannot_be_sent(commands: Commands, tiny_llama: Path, key: str) -> None:
    refused = commands.run("serve", "-m", tiny_llama, "--port", "0", "--api-key", key)
    assert refused.code == 1
    assert refused.refusal[0] == "This is not a valid key."


def test_blanks_around_a_key_do_not_count(home: Path, tiny_llama: Path) -> None:
    with serving(home, "-m", tiny_llama, changes={"SPECCHAT_API_KEY": f"{SECRET} à\r\n"}) as api:
        right = f"Bearer {SECRET} à".encode().decode("latin-1")
        assert api.get("/v1/models", Authorization=right).status == 200
        assert api.get("/v1/models").status == 401


@pytest.mark.parametrize(
    "origin", ["*", "chat.example", "https://chat.example/app", "https://*.example", "", "https://[", "null"]
)
def test_origins_that_match_nothing(commands: Commands, tiny_llama: Path, origin: str) -> None:
    refused = commands.run("serve", "-m", tiny_llama, "--port", "0", "--allow-origin", origin)
    assert refused.code == 1
    assert "is not a valid origin" in refused.refusal[0]
    assert "https://chat.example" in refused.refusal[1]


def test_as_json(home: Path, tiny_llama: Path) -> None:
    with started(home, "serve", "-m", tiny_llama, "--port", "0", "--json") as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert (told["target"], told["draft"]) == ("tiny-llama.gguf", None)
        assert Api(told["url"]).get("/health").status == 200
        ended(process, signal.SIGTERM)


def test_models_by_name(home: Path) -> None:
    """Nothing is loaded before it is asked for."""
    with started(home, "serve", "--port", "0", "--json", "--idle-unload", "0", "--models-max", "1") as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["models"][-2:] == ["demo-draft", "demo-target"]
        assert Api(told["url"]).get("/health").status == 200
        ended(process, signal.SIGTERM)


def test_models_by_name_that_answer_one_request_at_a_time(home: Path) -> None:
    with started(home, "serve", "--port", "0", "--json", "--exact", "--draft-type", "lookahead") as process:
        assert process.stdout is not None
        api = Api(json.loads(process.stdout.readline())["url"])
        for _ in range(2):
            assert api.complete("hello", model="demo-draft", max_tokens=1).status == 200
        process.send_signal(signal.SIGTERM)
        told = finished(process).err
    assert told.count(" answers one request at a time: in exact mode, lookahead uses all branches of the cache.") == 1


def test_a_draft_type_for_all_models_exists(commands: Commands) -> None:
    refused = commands.run("serve", "--port", "0", "--draft-type", "modell")
    assert refused.code == 1
    assert refused.refusal[0] == "Unknown draft type: modell."


def test_a_draft_needs_its_target(commands: Commands, tiny_llama: Path) -> None:
    refused = commands.run("serve", "-md", tiny_llama)
    assert refused.code == 2
    assert "-md/--model-draft needs -m/--model" in refused.err


def test_one_pair_is_no_number_of_models(commands: Commands, tiny_llama: Path) -> None:
    refused = commands.run("serve", "-m", tiny_llama, "--models-max", "2")
    assert refused.code == 2
    assert "--models-max can't be combined with -m/--model" in refused.err


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="needs IPv6")
def test_all_addresses_of_both_kinds(home: Path, tiny_llama: Path) -> None:
    with serving(home, "-m", tiny_llama, "--host", "::", "--api-key", SECRET) as api:
        assert api.url == f"http://[::1]:{api.port}/v1"
        for host in ("::1", HOST):
            with socket.create_connection((host, api.port)):
                pass


@pytest.mark.parametrize(
    ("host", "hint"),
    [
        ("192.0.2.1", "Set --host to an address of this computer"),
        ("no.such.computer.invalid", "Set --host to an address of this computer"),
    ],
)
def test_addresses_of_others(commands: Commands, tiny_llama: Path, host: str, hint: str) -> None:
    refused = commands.run("serve", "-m", tiny_llama, "--port", "0", "--host", host, "--api-key", SECRET)
    assert refused.code == 1
    assert refused.refusal[0].startswith(f"Can't use {host}:0: ")
    assert hint in refused.refusal[1]


def test_a_port_that_is_taken(commands: Commands, tiny_llama: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = commands.run("serve", "-m", tiny_llama, "--port", str(port))
    assert refused.code == 1
    assert refused.refusal[0] == f"The server can't start: another program is using port {port}."
    assert "--port" in refused.refusal[1]


def test_a_model_that_cannot_be_loaded(home: Path, tmp_path: Path, tiny_llama: Path) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(tiny_llama.read_bytes()[:3000])
    outcome = run_process(home, "serve", "-m", bad, "--port", "0")
    assert outcome.code == 1
    assert outcome.refusal
    assert not outcome.stdout


def test_models_that_do_not_go_together(home: Path, tiny_llama: Path, tiny_t5: Path) -> None:
    outcome = run_process(home, "serve", "-m", tiny_llama, "-md", tiny_t5, "--port", "0")
    assert outcome.code == 3
    assert not outcome.stdout


def test_nothing_of_what_was_asked_is_logged(tmp_path: Path, tiny_llama: Path) -> None:
    home, changes = tmp_path / "home", {"SPECCHAT_LOG": "DEBUG", "SPECCHAT_API_KEY": f"key-{SECRET}"}
    with serving_process(home, "-m", tiny_llama, "--draft-type", "none", changes=changes) as (process, api):
        key = {"Authorization": f"Bearer key-{SECRET}", "User-Agent": SECRET}
        for body in ({"prompt": SECRET}, {"prompt": SECRET, "stop": 3}, {"prompt": SECRET * 2000}, [SECRET]):
            api.send("POST", f"/v1/completions?{SECRET}", json.dumps(body).encode(), key)
        chat = {"messages": [{"role": "user", "content": SECRET}], "max_tokens": 4}
        assert api.send("POST", "/v1/chat/completions", json.dumps(chat).encode(), key).status == 200
        api.raw(f"{SECRET}\r\n\r\n".encode())
        process.send_signal(signal.SIGTERM)
        outcome = finished(process)
    log = (home / "logs" / "specchat.log").read_text(encoding="utf-8")
    assert log
    assert SECRET not in log + outcome.err + outcome.out


def test_a_client_of_an_old_kind(home: Path, tiny_llama: Path) -> None:
    with serving(home, "-m", tiny_llama) as api:
        answer = api.raw(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
    assert answer.endswith(b'{"status":"ok","model":"tiny-llama.gguf"}')


@pytest.mark.parametrize(("n_slots", "answers"), [(1, "one request at a time"), (2, "2 requests at once instead of 4")])
def test_fewer_answers_at_once_than_were_wanted(n_slots: int, answers: str) -> None:
    pair = PairInfo("target", None, 512, "on", "passed", n_slots=n_slots, slots_reason=NO_MEMORY)
    assert fewer_slots_note(pair, 4) == f"Note: target answers {answers}: {NO_MEMORY}."
