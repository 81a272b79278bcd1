"""Terminal output: the answer goes to stdout, or one JSON object with --json, all else to stderr."""

import argparse
import json
import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from logging.handlers import MemoryHandler
from math import isfinite
from textwrap import wrap
from typing import Literal, TextIO

from specchat.domain.errors import SpecchatError, UserError
from specchat.domain.printable_text import printable_text, without_controls
from specchat.domain.translatable_text import TranslatableText

_MOST_HELD = 1000
"""Lines of a log; more are hardly a few warnings."""
_BESIDE = re.compile(r" *\S.*? {2,}(?=\S)")
"""An entry of a list, up to the explanation beside it."""
_COMMAND = re.compile(r"(?<=: )specchat .*?(?=\. |$)")
_KEPT_SPACE = "\0"


class OutputLostError(SpecchatError):
    """The answer has nowhere to go."""


class ReaderGoneError(OutputLostError):
    """Who read the output has seen enough, as `head` has."""


def add_json(parser: argparse.ArgumentParser, default: object = False) -> None:
    parser.add_argument("--json", action="store_true", default=default, help="print one JSON object and nothing else")


def write_output(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError as error:
        _discard(sys.stdout)
        raise ReaderGoneError from error
    except OSError as error:
        _discard(sys.stdout)
        print_note(f"Couldn't write the output: {error.strerror}.\nhint: Free up some space, or write it elsewhere.")
        raise OutputLostError from error


def write_answer(text: str) -> None:
    """In a terminal, no escape sequence of a model is obeyed. A file or another program gets the text as it is."""
    write_output(without_controls(text) if sys.stdout.isatty() else text)


def write_json(value: Mapping[str, object]) -> None:
    """In ASCII, so that neither the terminal's encoding nor half a character can spoil it."""
    write_output(json.dumps(_finite(value), allow_nan=False) + "\n")


def print_note(text: str) -> None:
    """Commands stay in one line; `keep_together` marks what else is to be copied."""
    end_progress()
    with suppress(OSError):  # the answer matters more than what is said about it
        sys.stderr.write(wrap_for(sys.stderr, keep_together(text)) + "\n")
        sys.stderr.flush()


def wrap_for(stream: TextIO, text: str) -> str:
    """With long lines broken between words, if they go to a terminal."""
    if columns := stream_columns(stream):
        text = "\n".join(line for long in text.split("\n") for line in _wrap_line(long, columns))
    return text.replace(_KEPT_SPACE, " ")


def keep_together(text: str, values: Iterable[str] = ()) -> str:
    """No line shall end within a command or a value, such as a path."""
    for part in (*values, *_COMMAND.findall(text)):
        text = text.replace(part, part.replace(" ", _KEPT_SPACE))
    return text


def stream_columns(stream: TextIO) -> int:
    """The width of the terminal to which a stream writes. 0: there is none."""
    with suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns
    return 0


def _wrap_line(line: str, columns: int) -> list[str]:
    """An explanation beside an entry of a list is continued below itself."""
    if len(line) <= columns:
        return [line]
    beside = _BESIDE.match(line)
    indent = len(beside[0]) if beside and 2 * len(beside[0]) <= columns else 0
    return wrap(line, columns, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


@contextmanager
def defer_logs() -> Iterator[None]:
    """What is logged meanwhile is shown then, not within a line of the answer. Who asked for more wants it at once."""
    root = logging.getLogger()
    shown = [each for each in root.handlers if _shows_warnings_alone(each)]
    held = [_held(each) for each in shown]
    for handler, instead in zip(shown, held, strict=True):
        root.removeHandler(handler)
        root.addHandler(instead)
    try:
        yield
    finally:
        for handler, instead in zip(shown, held, strict=True):
            root.removeHandler(instead)
            root.addHandler(handler)
            instead.close()


def _shows_warnings_alone(handler: logging.Handler) -> bool:
    is_shown = isinstance(handler, logging.StreamHandler) and handler.stream is sys.stderr
    return is_shown and handler.level >= logging.WARNING


def _held(handler: logging.Handler) -> MemoryHandler:
    held = MemoryHandler(_MOST_HELD, flushLevel=logging.CRITICAL, target=handler)
    held.setLevel(handler.level)
    return held


def show_progress(part: str, fraction: float) -> None:
    """On a terminal only, in one line that the next one replaces."""
    if sys.stderr.isatty():
        replace_line(f"{part}: {fraction:.0%}" if fraction else f"{part} ...")


def finish_progress(part: str) -> None:
    """What a recording of the terminal shows last is the whole: steps that were not needed count as well."""
    show_progress(part, 1.0)
    end_progress()


def end_progress() -> None:
    replace_line("")


class _Line:
    def __init__(self) -> None:
        self._shown = ""

    def replace(self, text: str) -> None:
        """What stands there already is not written again: loading tells of each of its steps."""
        if text == self._shown:
            return
        self._shown = text
        with suppress(OSError):
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()


replace_line = _Line().replace


def report_error(error: UserError) -> None:
    print_note(f"{_prose(error.message)}\nhint: {_prose(error.hint)}")


def _prose(text: TranslatableText) -> str:
    values = [one_line(value) for value in text.values.values() if not isinstance(value, TranslatableText)]
    return keep_together(one_line(text), values)


def one_line(text: str) -> str:
    """Names of files may hold anything, also what moves a terminal's cursor."""
    return printable_text(text)


def printable_lines(text: str) -> str:
    return "\n".join(map(one_line, text.expandtabs().split("\n")))


@contextmanager
def reliable_streams() -> Iterator[None]:
    """They take any text, exist even where the caller closed them, and fail here rather than at the very end."""
    _open_descriptors()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = sys.stdin or _nothing("r")
    if sys.stdout is None and sys.stderr is not None:  # without both, as desktops start programs, nobody reads anything
        sys.stdout = _unwritable()
    sys.stdout, sys.stderr = _opened(sys.stdout), _opened(sys.stderr)
    try:
        yield
    finally:
        end_progress()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                _discard(stream)
        sys.stdin, sys.stdout, sys.stderr = before


def _open_descriptors() -> None:
    """Of streams that are closed: a file of ours would get their numbers, and what libraries print there."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != descriptor:  # Windows takes those for used
                os.dup2(opened, descriptor)
                os.close(opened)


def _opened(stream: TextIO | None) -> TextIO:
    if stream is None:
        return _nothing("w")
    if isinstance(stream, TextIOWrapper):
        # Windows would use an old code page for everything but its console.
        encoding = "utf-8" if sys.platform == "win32" else None
        stream.reconfigure(encoding=encoding, errors="backslashreplace" if stream is sys.stderr else "replace")
    return stream


def _nothing(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")


def _unwritable() -> TextIO:
    """Like the stream that was closed, it refuses what is written."""
    return open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")


def _discard(stream: TextIO) -> None:
    """Let what is still buffered vanish: the interpreter would complain of it when it ends."""
    with suppress(OSError), open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), stream.fileno())


def _finite(value: object) -> object:
    """JSON knows neither infinity nor not-a-number."""
    match value:
        case float():
            return value if isfinite(value) else None
        case Mapping():
            return {name: _finite(part) for name, part in value.items()}
        case list() | tuple():
            return [_finite(part) for part in value]
    return value
