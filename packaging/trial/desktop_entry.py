"""Desktop entries, read by the rules of their specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_VALUE_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_ARGUMENT = re.compile(r'"((?:[^"\\`$]|\\["`$\\])*)"|([^\s"\'\\><~|&;$*?#()`]+)')


def value(entry: Path, key: str) -> str:
    lines = entry.read_text(encoding="utf-8").splitlines()
    raw = next(line.partition("=")[2] for line in lines if line.startswith(f"{key}="))
    return re.sub(r"\\(.)", lambda escape: _VALUE_ESCAPES[escape[1]], raw)


def command(entry: Path, *files: str) -> list[str]:
    """What a desktop starts, with the files or without."""
    return [argument for word in _words(value(entry, "Exec")) for argument in _filled_in(word, files)]


def _words(line: str) -> Iterator[str]:
    rest = line.strip()
    while rest:
        argument = _ARGUMENT.match(rest)
        if argument is None:
            raise ValueError(f"not an argument of a desktop entry: {rest}")
        quoted, plain = argument.groups()
        yield plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
        rest = rest[argument.end() :]
        if rest and not rest[0].isspace():
            raise ValueError(f"no space after an argument: {line}")
        rest = rest.lstrip()


def _filled_in(word: str, files: Sequence[str]) -> Iterator[str]:
    if word == "%F":
        yield from files
    else:
        yield word.replace("%%", "%")
