"""A terminal in which people chat: a real one, as far as the program can tell."""

import json
import os
import pty
import select
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.commands import SECONDS, command, environment

ASKED = b"\n> "
"""The models of the tests write anything, but for this."""
CTRL_C, CTRL_D, CTRL_Z = b"\x03", b"\x04", b"\x1a"
STOPPED = b"[1]+  Stopped"


class Terminal:
    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self._master = master
        self.seen = b""

    def type(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def until(self, wanted: bytes) -> str:
        """What appeared since the last time."""
        while wanted not in self.seen:
            self.read()
        found, _, self.seen = self.seen.partition(wanted)
        return found.decode()

    def read(self) -> None:
        there, _, _ = select.select([self._master], [], [], SECONDS)
        assert there, self.seen
        try:
            self.seen += os.read(self._master, 1 << 16)
        except OSError as error:  # how Linux says that the other side is closed
            raise AssertionError(self.seen) from error

    def answer(self, question: bytes) -> list[str]:
        """Its lines, with the one about it."""
        self.type(question + b"\r")
        self.until(question.rpartition(b"\r")[2] + b"\r\n")
        return self.until(ASKED).strip().splitlines()

    def interrupt(self, key: bytes = CTRL_C) -> None:
        """Python misses a Ctrl-C in the instant between its prompt and its waiting; people press it again."""
        assert not self.seen
        self.type(key)
        there, _, _ = select.select([self._master], [], [], SECONDS / 12)
        if not there:
            self.type(key)

    def code(self) -> int:
        return self.process.wait(SECONDS)


@contextmanager
def terminal(
    home: Path, *arguments: str | Path, kind: str = "dumb", columns: int = 4000, in_shell: bool = False
) -> Iterator[Terminal]:
    """`in_shell`: after Ctrl-Z, Enter continues it, as `fg` would."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, columns))  # with many, what is typed stays in one line
    process = subprocess.Popen(
        [sys.executable, "-c", _IN_THIS_TERMINAL + (_IN_SHELL if in_shell else _ALONE), *command("chat", *arguments)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(home, {"TERM": kind}),
        start_new_session=True,
    )
    os.close(slave)
    with process:
        try:
            yield Terminal(process, master)
        finally:
            process.kill()
            os.close(master)


_IN_THIS_TERMINAL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that its Ctrl-C arrives
"""
_ALONE = "os.execvp(sys.argv[1], sys.argv[1:])"
_IN_SHELL = f"""
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
if not (job := os.fork()):
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
own = termios.tcgetattr(0)
while os.WIFSTOPPED(status := os.waitpid(job, os.WUNTRACED)[1]):
    os.tcsetpgrp(0, os.getpgrp())
    termios.tcsetattr(0, termios.TCSADRAIN, own)
    os.write(1, {STOPPED!r})
    os.read(0, 1)
    os.tcsetpgrp(0, job)
    os.killpg(job, signal.SIGCONT)
os._exit(os.waitstatus_to_exitcode(status) % 256)
"""


def said_in(file: Path) -> list[tuple[str, str]]:
    return [(entry["role"], entry["content"].strip()) for entry in json.loads(file.read_text("utf-8"))]
