"""As a desktop starts programs on some systems: without any stream."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import Argument, command, environment

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
