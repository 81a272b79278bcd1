"""Too little memory, and a full disk: commands of their own, on a system that refuses for real."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import SECONDS, Argument, Outcome, environment, run_process
from support.small_disks import fill, small_disk
from support.sparse import Shape, make_sparse

LARGE = Shape("llama", n_vocab=4096, n_embd=8192, n_layer=64, n_head=64, n_head_kv=64, n_ff=32768, n_merges=1000)
"""Of 137 GB."""
_LIMITED = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))
runpy.run_module("specchat", run_name="__main__")
"""

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux keeps to the limit")


def run_limited(home: Path, gigabytes: int, *arguments: Argument) -> Outcome:
    """With the children of the process."""
    script = _LIMITED.format(most=gigabytes << 30)
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, env=environment(home), timeout=SECONDS)
    return Outcome(done.returncode, done.stdout, done.stderr)


@linux
def test_a_model_for_which_there_is_too_little_memory(tmp_path: Path) -> None:
    model = make_sparse(tmp_path / "large.gguf", LARGE, "F16")
    outcome = run_limited(tmp_path / "home", 32, "chat", "-m", model, "-c", "256", "-p", "Hello")
    assert outcome.code == 1
    message, hint = outcome.refusal
    assert message.startswith("Not enough memory for large.gguf: ")
    assert "Cannot allocate memory" in message
    assert hint == "Choose a smaller model, or close other programs."


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_a_log_that_cannot_be_written(tmp_path: Path, tiny_llama: Path) -> None:
    logs = tmp_path / "home" / "logs"
    logs.mkdir(parents=True)
    (logs / "specchat.log").symlink_to("/dev/full")
    outcome = run_process(tmp_path / "home", "chat", "-m", tiny_llama, "-p", "Hello", "-n", "2")
    assert (outcome.code, bool(outcome.out)) == (0, True), outcome.err


def test_a_disk_that_is_full(tmp_path: Path, tiny_llama: Path) -> None:
    home = tmp_path / "home"
    with small_disk(home, 200):
        fill(home)
        outcome = run_process(home, "chat", "-m", tiny_llama, "-p", "Hello", "-n", "2")
    assert (outcome.code, bool(outcome.out)) == (0, True), outcome.err
    assert "No space left" in outcome.err
