"""Completed command lines, in real shells."""

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

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import pty

BASH = "PS1=; bind 'set show-all-if-ambiguous on' 'set page-completions off'; source script.bash"
ZSH = "PS1=; unsetopt prompt_sp; bindkey -e; autoload -U compinit; compinit -u -D; source script.zsh"


class Shell:
    def __init__(self, folder: Path, home: Path, start: list[str], prepare: str) -> None:
        self._master, slave = pty.openpty()
        changes = _path(folder) | {"PS1": "", "TERM": "dumb", "INPUTRC": "/dev/null"}
        self.process = subprocess.Popen(
            start,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment(home, changes),
            start_new_session=True,
        )
        os.close(slave)
        self.run(prepare)

    def run(self, line: str) -> None:
        """Until the shell has done it."""
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


class Fish:
    """It tells how it would complete a line."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._folder, self._environment = folder, environment(home, _path(folder))

    def completed(self, line: str) -> str:
        begin, _, word = line.rpartition(" ")
        asked = f"source script.fish; complete -C '{line}'"
        found = subprocess.run(
            ["fish", "--no-config", "-c", asked],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            check=True,
        ).stdout.decode()
        words = [each for each in found.splitlines() if each.startswith(word)]
        assert len(words) <= 1
        return f"{begin} {words[0].replace(' ', chr(92) + ' ')}" if words else line

    def close(self) -> None:
        pass


def _path(folder: Path) -> dict[str, str]:
    return {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("bash", marks=pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")),
        pytest.param("zsh", marks=pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")),
        pytest.param("fish", marks=pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")),
    ],
)
def shell(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell | Fish]:
    folder = tmp_path_factory.mktemp("folder")
    home = tmp_path_factory.mktemp("home")
    words = " ".join(f"'{word}'" for word in command())
    (folder / "bin").mkdir()
    program = folder / "bin" / "specchat"
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)
    name = request.param
    script = subprocess.run(command("completion", name), env=environment(home), capture_output=True, check=True)
    (folder / f"script.{name}").write_bytes(script.stdout)
    (folder / "my prompts.json").write_text("[]")
    (folder / "weights.gguf").write_bytes(b"")
    opened = _shell(name, folder, home)
    yield opened
    opened.close()


def _shell(name: str, folder: Path, home: Path) -> Shell | Fish:
    match name:
        case "bash":
            return Shell(folder, home, ["bash", "--norc", "--noprofile", "-i"], BASH)
        case "zsh":
            return Shell(folder, home, ["zsh", "-f", "-i"], ZSH)
    return Fish(folder, home)


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
        ("specchat chat -md demo-d", "specchat chat -md demo-draft"),
        ("specchat chat -m wei", "specchat chat -m weights.gguf"),
        ("specchat compat demo-target demo-d", "specchat compat demo-target demo-draft"),
        ("specchat chat --messages my", "specchat chat --messages my\\ prompts.json"),
        ("specchat chat -p my", "specchat chat -p my"),
    ],
)
def test_tab_completes(shell: Shell | Fish, line: str, completed: str) -> None:
    assert shell.completed(line) == completed


def test_each_command_is_known(commands: Commands) -> None:
    script = commands.run("completion", "bash").out
    assert all(re.search(rf"^        {re.escape(name)}\)$", script, re.MULTILINE) for name in COMMANDS)
    assert commands.run("completion", "bash", "--json").json == {"script": script.removesuffix("\n")}
    zsh, fish = (commands.run("completion", shell).out for shell in ("zsh", "fish"))
    assert all(f"        {name})\n" in zsh and rf"__specchat_in \'{name}\'" in fish for name in COMMANDS)


def test_models_for_the_script(commands: Commands) -> None:
    assert commands.run("completion", "--models").out.split() == ["demo", "demo-draft", "demo-target"]
    assert json.loads(commands.run("completion", "--models", "--json").out)["models"][0] == "demo"
