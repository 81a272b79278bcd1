"""Completed command lines, in a real bash."""

import json
import os
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import SECONDS, Commands, command, environment

from specchat.cli import COMMANDS

if sys.platform == "win32" or shutil.which("bash") is None:
    pytest.skip("needs bash", allow_module_level=True)

import pty


class Bash:
    def __init__(self, folder: Path, home: Path) -> None:
        self._master, slave = pty.openpty()
        changes = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PS1": "", "TERM": "dumb", "INPUTRC": "/dev/null"}
        self.process = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-i"],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment(home, changes),
            start_new_session=True,
        )
        os.close(slave)
        self.run("PS1=; bind 'set show-all-if-ambiguous on' 'set page-completions off'; source completion.bash")

    def run(self, line: str) -> None:
        """Until bash has done it."""
        os.write(self._master, f"{line}; echo do''ne\n".encode())
        self._until(b"done\r\n")

    def completed(self, line: str) -> str:
        """What the line becomes, without running it."""
        os.write(self._master, line.encode() + b"\t")
        os.write(self._master, b"\x01echo '<\x05>' e''nd\n")
        found = re.findall(r"<([^<>]*?) ?> end\r\n", self._until(b"> end\r\n").decode())
        return str(found[-1])

    def _until(self, wanted: bytes) -> bytes:
        seen = b""
        while wanted not in seen:
            there, _, _ = select.select([self._master], [], [], SECONDS)
            assert there, seen
            seen += os.read(self._master, 1 << 16)
        return seen

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bash]:
    folder = tmp_path_factory.mktemp("folder")
    home = tmp_path_factory.mktemp("home")
    words = " ".join(f"'{word}'" for word in command())
    (folder / "bin").mkdir()
    program = folder / "bin" / "specchat"
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    script = subprocess.run(command("completion", "bash"), env=environment(home), capture_output=True, check=True)
    (folder / "completion.bash").write_bytes(script.stdout)
    (folder / "my prompts.json").write_text("[]")
    (folder / "weights.gguf").write_bytes(b"")
    opened = Bash(folder, home)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("specchat inst", "specchat inst"),
        ("specchat insp", "specchat inspect"),
        ("specchat weig", "specchat weights.gguf"),
        ("specchat models dra", "specchat models drafts-for"),
        ("specchat models pull --par", "specchat models pull --parallel"),
        ("specchat chat --draft-ty", "specchat chat --draft-type"),
        ("specchat chat --draft-type look", "specchat chat --draft-type lookahead"),
        ("specchat chat --split-mode=ten", "specchat chat --split-mode=tensor"),
        ("specchat chat -m demo-t", "specchat chat -m demo-target"),
        ("specchat chat -m wei", "specchat chat -m weights.gguf"),
        ("specchat compat demo-target demo-d", "specchat compat demo-target demo-draft"),
        ("specchat chat --messages my", "specchat chat --messages my\\ prompts.json"),
        ("specchat chat -p my", "specchat chat -p my"),
    ],
)
def test_tab_completes(bash: Bash, line: str, completed: str) -> None:
    assert bash.completed(line) == completed


def test_each_command_is_known(commands: Commands) -> None:
    script = commands.run("completion", "bash").out
    assert all(re.search(rf"^        {re.escape(name)}\)$", script, re.MULTILINE) for name in COMMANDS)
    assert commands.run("completion", "bash", "--json").json == {"script": script.removesuffix("\n")}


def test_models_for_the_script(commands: Commands) -> None:
    assert commands.run("completion", "--models").out.split() == ["demo", "demo-draft", "demo-target"]
    assert json.loads(commands.run("completion", "--models", "--json").out)["models"][0] == "demo"
