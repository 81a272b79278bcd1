"""What a person does with the program once it is there."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trial import desktop_entry
from trial.chats import answers, questions
from trial.checks import Checks, waited
from trial.machine import Machine, User
from trial.screen import Screen

DEMO = Path(__file__).resolve().parents[2] / "resources" / "demo-target.gguf"
_MODEL = "My models/demo target.gguf"
_QUESTION = "What is a draft model?"
_OVERLAY = "270x215+960+60"
"""Where it is shown: the window has the left upper corner of the screen, and the size it starts with."""
_OVERLAYS_COLOURS = 20
_START, _ANSWER, _END, _REACTION = 90, 120, 30, 3
"""Seconds, at most."""


@dataclass(frozen=True, slots=True)
class Person:
    user: User
    machine: Machine
    screen: Screen
    checks: Checks
    pictures: Path
    name: str
    """Of the pictures."""

    @property
    def home(self) -> Path:
        return self.machine.inside(self.user.home)

    def smoke_test(self, command: Sequence[str]) -> None:
        done = self.machine.run([*command, "--smoke-test"], self.user, DISPLAY=self.screen.display)
        told = f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
        self.checks.check("the smoke test succeeds", done.returncode == 0 and _is_ok(done.stdout), told)
        self.checks.check("the smoke test says nothing on stderr", not done.stderr, done.stderr)

    def chat(self, entry: Path) -> None:
        with self._started(desktop_entry.command(entry)):
            self.ask("answer")

    def open_model(self, entry: Path) -> None:
        model = f"{self.user.home}/{_MODEL}"
        self.machine.inside(model).parent.mkdir(exist_ok=True)
        shutil.copy(DEMO, self.machine.inside(model))
        with self._started(desktop_entry.command(entry, model)):
            self.ask("opened-model")
        targets = [answer.target for answer in answers(self.home)]
        self.checks.check("the model that was opened gave the answer", Path(_MODEL).name in targets, targets)
        shutil.rmtree(self.machine.inside(model).parent)

    def double_click(self, installer: str) -> None:
        """What is started then lives on."""
        with self._running(["sh", "-c", '"$1"; exec sleep infinity', "sh", installer]) as (_, output):
            self._appears(output)
            self.ask("after-double-click")
            self._close()
            self.checks.check(
                "the installer tells what it did", "is installed" in output.read_text(), output.read_text()
            )

    def ask(self, name: str) -> None:
        """In the window that is open."""
        asked, answered = questions(self.home), len(answers(self.home))
        without_overlay = self.screen.colours(_OVERLAY)
        self.screen.type(_QUESTION)
        self.checks.came("a question is sent", lambda: self._sent(asked), _START, self._picture)
        self.checks.came("the answer comes", lambda: len(answers(self.home)) > answered, _ANSWER, self._picture)
        shown = waited(lambda: self.screen.colours(_OVERLAY) > without_overlay + _OVERLAYS_COLOURS, _REACTION)
        self.checks.check(f"the overlay is there, see {self._picture(name)}", shown)

    def _sent(self, asked: int) -> bool:
        """The pair may still be loading."""
        self.screen.press("Return")
        return waited(lambda: questions(self.home) > asked, _REACTION)

    def _picture(self, name: str = "trouble") -> Path:
        file = self.pictures / f"{self.name}-{name}.png"
        self.screen.picture(file)
        return file

    @contextmanager
    def _started(self, command: Sequence[str]) -> Iterator[None]:
        with self._running(command) as (program, output):
            self._appears(output)
            yield
            self._close()
            self._ends(program, output)

    @contextmanager
    def _running(self, command: Sequence[str]) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
        with tempfile.NamedTemporaryFile() as output:
            program = self.machine.start(command, self.user, output.file, DISPLAY=self.screen.display)
            try:
                yield program, Path(output.name)
            finally:
                program.kill()
                program.wait()

    def _appears(self, output: Path) -> None:
        self.checks.came("the window appears", self.screen.windows, _START, output.read_text)

    def _close(self) -> None:
        self.screen.press("ctrl+q")
        self.checks.check("the window closes", waited(lambda: not self.screen.windows(), _END), self._picture)

    def _ends(self, program: subprocess.Popen[bytes], output: Path) -> None:
        ended = waited(lambda: program.poll() is not None, _END)
        self.checks.check("the program ends well", ended and program.returncode == 0, program.returncode)
        self.checks.check("it says nothing meanwhile", not output.read_text(), output.read_text())


def _is_ok(printed: str) -> bool:
    try:
        return json.loads(printed)["ok"] is True
    except (ValueError, KeyError):
        return False
