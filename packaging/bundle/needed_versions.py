"""How new a Linux must be for the bundle."""

from __future__ import annotations

import re
from pathlib import Path

from shell import required_output_of

_WANTED = re.compile(r"\b(GLIBC|GLIBCXX)_([0-9.]+)\b")
_MAGIC = b"\x7fELF"


def needed_versions(program: Path) -> dict[str, str]:
    """Of glibc and of C++'s library, by the prefix of their symbols. Spare libraries come and go with their system."""
    newest: dict[str, tuple[int, ...]] = {}
    for library, version in _WANTED.findall(required_output_of(["objdump", "--private-headers", *_programs(program)])):
        numbers = tuple(int(number) for number in version.split("."))
        newest[library] = max(newest.get(library, ()), numbers)
    return {library: ".".join(map(str, numbers)) for library, numbers in newest.items()}


def _programs(program: Path) -> list[Path]:
    files = (path for path in program.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(file for file in files if file.parent.name != "spare" and _is_program(file))


def _is_program(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) == _MAGIC
