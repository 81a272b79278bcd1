"""A display, and the hands and eyes of a person before it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shell import SetupError
from trial.checks import waited
from trial.machine import Machine

_SIZE = "1280x800x24"
_SECONDS = 20


class Screen:
    def __init__(self, machine: Machine, display: str) -> None:
        self._machine = machine
        self.display = display

    def windows(self) -> list[str]:
        return self._tool("xdotool", "search", "--onlyvisible", "--name", "specchat").split()

    def type(self, text: str) -> None:
        self._tool("xdotool", "type", "--delay", "20", text)

    def press(self, key: str) -> None:
        self._tool("xdotool", "key", key)

    def picture(self, file: Path) -> None:
        """The machine has no other way to hand it over."""
        self._tool("import", "-window", "root", "/tmp/picture.png")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(self._machine.inside("/tmp/picture.png").read_bytes())

    def colours(self, part: str) -> int:
        """How many there are in a part of the screen: WIDTHxHEIGHT+X+Y."""
        found = self._tool("import", "-window", "root", "-crop", part, "-format", "%k", "info:")
        return int(found or 0)

    def _tool(self, *command: str) -> str:
        return self._machine.run(command, DISPLAY=self.display).stdout


@contextmanager
def screen_of(machine: Machine) -> Iterator[Screen]:
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", _SIZE, "-nolisten", "tcp", "-ac"]
    with tempfile.NamedTemporaryFile() as output:
        server = machine.start(command, None, output.file)
        try:
            yield Screen(machine, f":{_number(Path(output.name))}")
        finally:
            server.kill()
            server.wait()


def _number(output: Path) -> int:
    """Any that is free, told once the display is there."""
    if not waited(lambda: output.read_text().endswith("\n"), _SECONDS):
        raise SetupError("The display did not start.")
    return int(output.read_text().split()[-1])
