"""The commands, run in this process, or in one of their own where that is the point."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import pytest

from specchat import bootstrap
from specchat.bootstrap import build_app
from specchat.cli import App
from specchat.store.paths import Paths

SECONDS = 60.0
"""For a command of its own, on a busy machine."""
Argument = str | Path


@dataclass(frozen=True)
class Outcome:
    code: int
    stdout: bytes
    stderr: bytes

    def __post_init__(self) -> None:
        for sign in (b"Traceback", b"hit an internal error", b"Exception ignored", b"Warning:"):
            assert sign not in self.stderr, self.stderr.decode("utf-8", "replace")

    @property
    def out(self) -> str:
        return self.stdout.decode()

    @property
    def err(self) -> str:
        return self.stderr.decode()

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout."""
        assert self.stdout.endswith(b"\n"), self
        parsed = json.loads(self.stdout, parse_constant=_not_json)
        assert isinstance(parsed, dict)
        return parsed

    @property
    def refusal(self) -> tuple[str, str]:
        """The last lines on stderr: what is wrong, and what to do. Before them nothing but notes."""
        *notes, message, hint = self.err.splitlines()
        assert all(note.startswith("Note: ") for note in notes)
        assert hint.startswith("hint: ")
        assert message
        assert hint.removeprefix("hint: ")
        return message, hint.removeprefix("hint: ")


class Commands:
    """In this process; `home` is kept between runs."""

    def __init__(self, home: Path, capture: pytest.CaptureFixture[bytes], patch: pytest.MonkeyPatch) -> None:
        self.home = home
        self._capture = capture
        self._patch = patch
        self.make_app = build_app

    def run(self, *arguments: Argument, stdin: bytes = b"") -> Outcome:
        self._patch.setenv("SPECCHAT_HOME", str(self.home))
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capture.readouterr()
        try:
            code = bootstrap.run([str(argument) for argument in arguments], self._app)
        except SystemExit as end:
            code = int(end.code or 0)
        return Outcome(code, *self._capture.readouterr())

    def answer(self, *arguments: Argument, stdin: bytes = b"") -> dict[str, Any]:
        """One thread, because the threads of many small computations mostly wait for one another."""
        outcome = self.run("chat", "--json", "-t", "1", *arguments, stdin=stdin)
        assert outcome.code == 0, outcome.err
        assert not outcome.stderr
        return outcome.json

    def _app(self, places: Paths) -> App:
        return self.make_app(places)


def environment(home: Path, changes: Mapping[str, str] | None = None) -> dict[str, str]:
    own = {"SPECCHAT_HOME": str(home)}
    return {name: text for name, text in os.environ.items() if name != "SPECCHAT_LOG"} | own | dict(changes or {})


def command(*arguments: Argument) -> list[str]:
    return [sys.executable, "-m", "specchat", *map(str, arguments)]


def run_process(
    home: Path,
    *arguments: Argument,
    stdin: bytes = b"",
    changes: Mapping[str, str] | None = None,
    stdout: int | BinaryIO = subprocess.PIPE,
) -> Outcome:
    done = subprocess.run(
        command(*arguments),
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment(home, changes),
        timeout=SECONDS,
    )
    return Outcome(done.returncode, done.stdout or b"", done.stderr)


@contextmanager
def started(
    home: Path, *arguments: Argument, changes: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command(*arguments), stdin=pipe, stdout=pipe, stderr=pipe, env=environment(home, changes)
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def finished(process: subprocess.Popen[bytes]) -> Outcome:
    out, err = process.communicate(timeout=SECONDS)
    return Outcome(process.returncode, out, err)


def _not_json(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is no JSON")
