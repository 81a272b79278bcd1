"""Commands that are watched while they run: what they cost, and what they leave behind."""

import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from support.commands import command, environment
from support.processes import Watched

MOST_SECONDS = 10.0
MOST_MEMORY = 600 << 20
KILLED_AFTER = 60.0


@dataclass(frozen=True)
class Run:
    seed: int
    what: str
    command: str
    code: int
    seconds: float
    memory: int
    beyond: int
    """Above what twice its file would be."""
    left: int
    reason: str

    @property
    def faults(self) -> list[str]:
        return [
            fault
            for fault, is_so in (
                ("memory", self.beyond > MOST_MEMORY),
                ("time", self.seconds > MOST_SECONDS),
                ("left", self.left > 0),
                (
                    "end",
                    self.code not in (0, 1, 3) or "Traceback" in self.reason or "hit an internal error" in self.reason,
                ),
                ("words", self.code == 1 and not self.reason.strip()),
            )
            if is_so
        ]


def run_watched(folder: Path, seed: int, what: str, name: str, arguments: list[str], twice: int) -> Run:
    said = folder / f"{seed}.txt"
    home = folder / f"home-{seed}"
    start = time.monotonic()
    pid = (_start if seed % 10 == 0 else _fork)(arguments, home, said)
    watched = Watched(pid, with_root=True)
    code = _wait(pid, start)
    seconds = time.monotonic() - start
    watched.stop()
    left = watched.left()
    for process in left:
        process.kill()
    reason = said.read_text(encoding="utf-8", errors="replace")
    said.unlink()
    if name == "chat":
        shutil.rmtree(home, ignore_errors=True)
    return Run(seed, what, name, code, seconds, watched.together, watched.together - twice, len(left), reason[-300:])


def _start(arguments: list[str], home: Path, said: Path) -> int:
    with said.open("wb") as stream:
        out = [(os.POSIX_SPAWN_DUP2, stream.fileno(), number) for number in (1, 2)]
        return os.posix_spawn(sys.executable, command(*arguments), environment(home), file_actions=out)


def _fork(arguments: list[str], home: Path, said: Path) -> int:
    """Whatever the command imports first is here already; nothing of llama.cpp is."""
    from specchat import bootstrap

    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        stream = os.open(said, os.O_WRONLY | os.O_CREAT)
        for number in (1, 2):
            os.dup2(stream, number)
        os.environ["SPECCHAT_HOME"] = str(home)
        code = bootstrap.run(arguments)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _wait(pid: int, start: float) -> int:
    killed = False
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if not killed and time.monotonic() - start > KILLED_AFTER:
            os.kill(pid, 9)
            killed = True
        time.sleep(0.005)
