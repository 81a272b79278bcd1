"""`models pull` in a process of its own: stopped, killed, watched, and with a token."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from support.commands import Commands, command, environment, finished, run_process, started
from support.downloading import content
from support.hub import Fault, LocalHub

MEBIBYTE = 1 << 20
TARGET, DRAFT = content(3 * MEBIBYTE, seed=1), content(MEBIBYTE + 9, seed=2)
CUT, NEARLY_ALL = MEBIBYTE + 7, len(TARGET) * 99 // 100
STORED = "/repos/*"
TOKEN = "hf_canary"
PAIR = ("alice/large-GGUF", "bob/small-GGUF")
CHANCES = 3000
STALLED = Fault(stalled=3600, after_bytes=CUT)


@pytest.fixture
def pair(hub: LocalHub) -> LocalHub:
    hub.add(PAIR[0], {"t-Q4_K_M.gguf": TARGET})
    hub.add(PAIR[1], {"d-Q8_0.gguf": DRAFT})
    return hub


def blobs(tmp_path: Path) -> dict[str, int]:
    sizes = dict[str, int]()
    for path in tmp_path.glob("hf/hub/models--*/blobs/*"):
        with suppress(FileNotFoundError):  # renamed meanwhile, as it is whole now
            sizes[path.name.partition(".")[2]] = path.stat().st_size
    return sizes


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    for _ in range(CHANCES):
        if condition():
            return
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.02)
    raise AssertionError("it did not come to that")


def is_cut_off(tmp_path: Path, at: int) -> bool:
    """All has arrived that will."""
    found = blobs(tmp_path)
    return found.get("part") == at and found.get("") == len(DRAFT)


def begun(repo: str, file: str, size: int, done: int) -> dict[str, object]:
    return {"reference": f"{repo}:{file}", "size": size, "done": done}


@pytest.mark.parametrize(
    ("signal_number", "cut"), [(signal.SIGINT, CUT), (signal.SIGKILL, CUT), (signal.SIGKILL, NEARLY_ALL)]
)
def test_it_goes_on_where_it_was(
    pair: LocalHub, commands: Commands, tmp_path: Path, signal_number: signal.Signals, cut: int
) -> None:
    commands.home = tmp_path / "home"
    pair.fault("/repos/*/t-*", Fault(stalled=3600, after_bytes=cut))
    with started(commands.home, "models", "pull", *PAIR, "--json") as process:
        wait_until(lambda: is_cut_off(tmp_path, cut), process)
        process.send_signal(signal_number)
        outcome = finished(process)
    assert not list(tmp_path.glob("hf/hub/models--*/snapshots/*"))
    listed = commands.run("models", "--json").json["unfinished"]
    whole = begun(PAIR[1], "d-Q8_0.gguf", len(DRAFT), len(DRAFT))
    assert whole in listed
    if signal_number is signal.SIGINT:
        assert listed == [begun(PAIR[0], "t-Q4_K_M.gguf", len(TARGET), cut), whole]
    if signal_number is signal.SIGINT:
        assert outcome.code == 130
        assert outcome.json == {"error": "Interrupted.", "hint": "Run it again."}
        assert outcome.err == "Interrupted. Partial downloads are kept. Run the same command to resume.\n"
    pair.clear_faults()
    target, draft = commands.run("models", "pull", *PAIR, "--json").json["installed"]
    assert [Path(each["path"]).read_bytes() for each in (target, draft)] == [TARGET, DRAFT]
    assert pair.bytes_sent(STORED) == len(TARGET) + len(DRAFT)
    assert draft["bytes_fetched"] == 0
    if signal_number is signal.SIGINT:
        assert target["bytes_fetched"] == len(TARGET) - cut
    now = commands.run("models", "--json").json
    assert now["unfinished"] == []
    assert [model["ours"] for model in now["models"] if "small" in model["path"]] == [True]
    assert commands.run("models", "rm", draft["path"], "--yes").code == 0


def test_a_draft_that_waits_for_its_target_can_be_given_up(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    commands.home = tmp_path / "home"
    pair.fault("/repos/*/t-*", STALLED)
    with started(commands.home, "models", "pull", *PAIR) as process:
        wait_until(lambda: is_cut_off(tmp_path, CUT), process)
        process.send_signal(signal.SIGINT)
        finished(process)
    outcome = commands.run("models", "rm", PAIR[1], "--yes")
    assert (outcome.code, outcome.out) == (0, f"{PAIR[1]}:d-Q8_0.gguf\n  deleted, 1.0 MB freed\n")
    assert "" not in blobs(tmp_path)


def test_of_what_never_came_nothing_is_left(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    commands.home = tmp_path / "home"
    pair.fault("*/resolve/*", Fault(status=403))
    assert commands.run("models", "pull", PAIR[0]).code == 1
    assert commands.run("models", "--json").json["unfinished"] == []
    assert blobs(tmp_path) == {}


def test_what_was_interrupted_can_be_given_up(pair: LocalHub, commands: Commands, tmp_path: Path) -> None:
    commands.home = tmp_path / "home"
    pair.fault("/repos/*/t-*", STALLED)
    with started(commands.home, "models", "pull", PAIR[0]) as process:
        wait_until(lambda: blobs(tmp_path).get("part") == CUT, process)
        process.send_signal(signal.SIGINT)
        finished(process)
    name = f"{PAIR[0]}:t-Q4_K_M.gguf"
    shown = commands.run("models").out.splitlines()
    assert shown[-3:] == [
        "Unfinished downloads:",
        "t-Q4_K_M.gguf  1.0 MB of 3.1 MB",
        f"  specchat models pull {name}",
    ]
    assert commands.run("models", "rm", name).refusal[1] == "Add --yes to delete without confirmation."
    outcome = commands.run("models", "rm", PAIR[0], "--yes")
    assert (outcome.code, outcome.out) == (0, f"{name}\n  deleted, 1.0 MB freed\n")
    assert blobs(tmp_path) == {}
    assert commands.run("models", "--json").json["unfinished"] == []
    assert commands.run("models", "rm", name, "--yes").refusal == (
        f"{name} is not on this computer.",
        "List the models with: specchat models",
    )


def test_a_limit_of_one_byte_a_second(pair: LocalHub, tmp_path: Path) -> None:
    with started(tmp_path / "home", "models", "pull", PAIR[0], "--limit-rate", "1") as process:
        pair.wait_until(lambda: pair.bytes_sent(STORED) > 0)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.send_signal(signal.SIGINT)
        assert finished(process).code == 130
    assert not list(tmp_path.glob("hf/hub/models--*/snapshots/*"))


def test_the_line_on_a_terminal(pair: LocalHub, tmp_path: Path) -> None:
    pair.fault("/repos/*/t-*", STALLED)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command("models", "pull", *PAIR), stdout=subprocess.PIPE, stderr=theirs, env=environment(tmp_path / "home")
    ) as process:
        os.close(theirs)
        shown = b""
        while b"2.0 MB" not in shown.rpartition(b"\r")[2]:
            shown += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        shown += os.read(ours, 1000)
    os.close(ours)
    assert (process.returncode, out) == (130, b"")
    *lines, last = shown.decode().split("\r\x1b[K")
    assert all(len(line) < 80 for line in lines)
    assert last.startswith("Interrupted. ")
    assert any(line.startswith("t-Q4_K_M.gguf and d-Q8_0.gguf: 2.0 MB of 4.2 MB") for line in lines)


def test_the_token_shows_nowhere(pair: LocalHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pair.add("alice/gated", {"t.gguf": TARGET}, gating="auto")
    pair.token(TOKEN, accepted={"alice/gated"})
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    shown = b""
    faults = (
        Fault(status=401),
        Fault(status=403),
        Fault(status=404),
        Fault(reset=True, after_bytes=CUT),
        Fault(expired=True),
    )
    for number, fault in enumerate(faults):
        pair.clear_faults()
        stored = fault.status is None
        pair.fault(STORED if stored else "*/resolve/*", fault, times=1 if stored else None)
        home = tmp_path / f"home {number}"
        done = run_process(home, "models", "pull", "alice/gated", changes={"SPECCHAT_LOG": "DEBUG", "HF_DEBUG": "1"})
        assert done.code == (0 if stored else 1)
        shown += done.stdout + done.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert sum(path.name == "specchat.log" for path in files) == len(faults)
    assert TOKEN.encode() not in shown + b"".join(path.read_bytes() for path in files)
    assert {request.origin for request in pair.requests if TOKEN in str(request)} == {"hub"}
    assert any(request.origin == "cdn" for request in pair.requests)


def test_offline_by_choice(pair: LocalHub, tmp_path: Path) -> None:
    for task in (("pull", PAIR[0]), ("search", "large"), ("files", PAIR[0])):
        done = run_process(tmp_path, "models", *task, changes={"HF_HUB_OFFLINE": "1"})
        assert done.code == 1
        assert done.refusal[0] == "HF_HUB_OFFLINE is set, so specchat doesn't access the Hub."
    assert pair.requests == []


def test_only_what_is_asked_for_is_imported(tmp_path: Path) -> None:
    """A list needs neither the network nor llama.cpp."""
    script = "import sys; from specchat import bootstrap; bootstrap.run(['models']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(tmp_path), timeout=60, check=True
    )
    assert not {"huggingface_hub", "httpx2", "llama_cpp", "PySide6"} & set(done.stdout.decode().split())
