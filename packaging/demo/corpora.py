"""Text that others wrote: grade-school questions (GSM8K, MIT licence) and Python's standard library (PSF licence)."""

from __future__ import annotations

import ast
import json
import re
import sysconfig
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conversations import Conversation

HELD_OUT_QUESTIONS = 100
"""The last ones, kept for measuring."""

_NOTE = re.compile(r"<<[^>]*>>")
_LONGEST_FUNCTION = 1100
_SHORTEST_FUNCTION = 80
_LEFT_OUT = frozenset(
    ("test", "tests", "idlelib", "lib2to3", "site-packages", "__pycache__", "turtledemo", "ensurepip")
)


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    purpose: str | None
    """The first sentence of its docstring."""
    source: str


def grade_school(path: Path) -> list[Conversation]:
    lines = path.read_text(encoding="utf-8").splitlines()[:-HELD_OUT_QUESTIONS]
    return [_worked(json.loads(line)) for line in lines]


def _worked(entry: dict[str, str]) -> Conversation:
    working, result = _NOTE.sub("", entry["answer"]).split("####")
    return Conversation(((entry["question"].strip(), f"{working.strip()}\nThe answer is {result.strip()}."),))


def standard_library() -> list[Function]:
    root = Path(sysconfig.get_paths()["stdlib"])
    files = sorted(path for path in root.rglob("*.py") if not _LEFT_OUT & {*path.relative_to(root).parts})
    return [function for path in files for function in _functions(path)]


def _functions(path: Path) -> Iterator[Function]:
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (UnicodeDecodeError, SyntaxError):
        return
    lines = source.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        text = _source_of(node, lines)
        if _SHORTEST_FUNCTION <= len(text) <= _LONGEST_FUNCTION and text.isascii():
            yield Function(node.name, _purpose(node), text)


def _source_of(node: ast.FunctionDef, lines: Sequence[str]) -> str:
    return textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno])).strip()


def _purpose(node: ast.FunctionDef) -> str | None:
    first = (ast.get_docstring(node) or "").split("\n\n")[0].split(". ")[0]
    sentence = " ".join(first.split()).rstrip(".")
    return sentence if 12 <= len(sentence) <= 120 else None
