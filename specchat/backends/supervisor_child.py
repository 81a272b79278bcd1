"""Runs another program, and ends it with all that it has started when the process that wanted it ends.

A socket says what to run, and closes at that end. Linux also continues this process then, should it be stopped.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial
from typing import Any

from specchat.backends.parent_end import end_with_parent

assert sys.platform != "win32"  # there, job_object.py takes its place

SOCKET = "SPECCHAT_SOCKET"
"""The environment variable with its file descriptor."""
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_TERMINATE_S = 1.0


def child_main() -> None:
    signal.signal(signal.SIGTERM, lambda *_: None)  # meant for the program, which has a handler of its own
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGCONT)
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    channel = socket.socket(fileno=int(os.environ[SOCKET]))
    with channel.makefile("rb") as lines:
        asked = json.loads(lines.readline() or "null")
    if asked is None:  # the parent has ended
        return
    try:
        program = _start(**asked)
    except (OSError, ValueError) as error:
        channel.sendall(json.dumps({"error": getattr(error, "strerror", None) or ""}).encode())
        return
    channel.sendall(b"{}")
    is_ending = threading.Event()
    ending = threading.Thread(target=_end_with, args=[channel, is_ending], daemon=True)
    ending.start()
    status = _wait(program.pid)
    if is_ending.is_set():  # it has killed the program, but perhaps not yet all that the program has started
        ending.join()
    _end_leftovers()
    os._exit(status & 0xFF)


def _start(command: list[str], environment: dict[str, str], folder: str | None) -> "subprocess.Popen[bytes]":
    # Called between fork and exec, which is safe without other threads. The setting stays in effect after exec.
    prepare: Any = partial(end_with_parent, os.getpid()) if sys.platform == "linux" else None
    program = subprocess.Popen(command, env=environment, cwd=folder, preexec_fn=prepare)
    nothing = os.open(os.devnull, os.O_RDWR)
    for ours in (0, 1):  # the program's pipes are its own
        os.dup2(nothing, ours)
    return program


def _wait(program: int) -> int:
    """Also for what it leaves behind."""
    while True:
        ended, status = os.wait()
        if ended == program:
            return os.waitstatus_to_exitcode(status)


def _end_leftovers() -> None:
    """Ends what the program has left behind. On Linux, this includes daemons, because they become our children."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:  # there are none
        return
    import psutil

    left = psutil.Process().children(recursive=True)
    for each in left:
        with suppress(psutil.Error):
            each.terminate()
    _, alive = psutil.wait_procs(left, timeout=_TERMINATE_S)
    for each in alive:
        with suppress(psutil.Error):
            each.kill()


def _end_with(channel: socket.socket, is_ending: threading.Event) -> None:
    with suppress(OSError):
        channel.recv(1)
    is_ending.set()
    import psutil

    for member in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            member.kill()
    os.killpg(0, signal.SIGKILL)
