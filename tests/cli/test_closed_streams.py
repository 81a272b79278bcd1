"""Without any stream, as a desktop starts programs on some systems, or without one that takes the output."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import Argument, command, environment, run_process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell closes them")

SECONDS = 60


def without_streams(home: Path, *arguments: Argument) -> int:
    shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
    chatty = environment(home, {"SPECCHAT_LOG": "DEBUG"})
    return subprocess.run(shell + command(*arguments), env=chatty, timeout=SECONDS).returncode


def test_a_command(tmp_path: Path, tiny_llama: Path) -> None:
    assert without_streams(tmp_path, "chat", "-m", tiny_llama, "-p", "-", "--raw", "-n", "2") in (0, 1)
    assert without_streams(tmp_path, "chat", "-m", tiny_llama, "-p", "Hello", "-n", "2") == 0
    assert without_streams(tmp_path, "inspect", tmp_path / "missing.gguf") == 1
    log = (tmp_path / "logs" / "specchat.log").read_text()
    assert "Internal error" not in log
    assert "Traceback" not in log


def test_what_is_printed_goes_into_no_file_of_ours(tmp_path: Path, tiny_llama: Path) -> None:
    assert without_streams(tmp_path, "inspect", tiny_llama, "--json") == 0
    assert all(b"n_vocab" not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_closed_output(tmp_path: Path) -> None:
    for words in (("--help",), ("models", "--json")):
        shell = ["sh", "-c", 'exec "$@" >&-', "sh", *command(*words)]
        done = subprocess.run(shell, env=environment(tmp_path), stderr=subprocess.PIPE, timeout=SECONDS)
        assert done.returncode == 1
        assert done.stderr.startswith(b"Couldn't write the output: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_help_on_a_full_disk(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        outcome = run_process(tmp_path, "--help", stdout=full)
    assert (outcome.code, outcome.refusal[0]) == (1, "Couldn't write the output: No space left on device.")


def test_a_reader_that_has_seen_enough(tmp_path: Path) -> None:
    for words in (("--help",), ("models", "--json")):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            outcome = run_process(tmp_path, *words, stdout=pipe)
        assert (outcome.code, outcome.err) == (0, "")
