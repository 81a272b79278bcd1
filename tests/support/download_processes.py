"""Downloads in other processes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import IO

from support import download_child
from support.download_child import Task

from specchat.domain.serialization import to_plain


class Processes:
    def __init__(self, tasks: IO[bytes], said: IO[bytes]) -> None:
        self._tasks, self._said = tasks, said

    def start(self, task: Task) -> int:
        """The number of its process; one at a time."""
        self._tasks.write(json.dumps(to_plain(task)).encode() + b"\n")
        return int(self._said.readline())

    def said_within(self, seconds: float) -> bool:
        return bool(select([self._said], [], [], seconds)[0])

    def end(self) -> list[str]:
        """All that it said."""
        lines: list[str] = []
        while not lines or not lines[-1].startswith("ended"):
            lines.append(self._said.readline().decode().strip())
        return lines


@contextmanager
def download_processes() -> Iterator[Processes]:
    tests = Path(download_child.__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(tests)}
    command = [sys.executable, download_child.__file__]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Processes(process.stdin, process.stdout)
    assert process.returncode == 0
