"""Reads a line that is typed in a terminal, with the keys that move within it."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType


def enable_editing() -> None:
    """Windows' terminal has such keys of its own."""
    if sys.platform == "win32":
        return
    with suppress(ImportError):
        import readline

        if os.environ.get("TERM", "dumb") != "dumb":  # Python turns it off: each pasted line would be a question
            readline.parse_and_bind("set enable-bracketed-paste on")


def read_line(mark: str) -> str:
    """After Ctrl-Z and `fg`, the line is read anew, with what was typed: Python's readline leaves the terminal as it is
    when it is stopped, and does nothing when it goes on.
    """
    typed = ""
    while True:
        try:
            with _noticing_stop(), _beginning_with(typed):
                return input(mark)
        except _StoppedError:
            typed = typed_text()
            _stop()


def typed_text() -> str:
    """In the line that a signal interrupted. Always empty in Windows' terminal, which doesn't tell."""
    readline = sys.modules.get("readline")
    return "" if readline is None else readline.get_line_buffer()


class _StoppedError(Exception):
    """By Ctrl-Z."""


@contextmanager
def _noticing_stop() -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGTSTP, _on_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)


def _on_stop(_number: int, _frame: FrameType | None) -> None:
    raise _StoppedError


def _stop() -> None:
    """Until `fg`."""
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGTSTP)


@contextmanager
def _beginning_with(typed: str) -> Iterator[None]:
    readline = sys.modules.get("readline")
    if readline is None or not typed:
        yield
        return
    readline.set_startup_hook(lambda: readline.insert_text(typed))
    try:
        yield
    finally:
        readline.set_startup_hook(None)
