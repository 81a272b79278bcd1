"""Which of a Linux system's libraries others need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from shell import SetupError, required_output_of

SYSTEM_FOLDERS = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
_OF_EVERY_SYSTEM = re.compile(r"^(ld-linux|lib(c|m|dl|pthread|rt|resolv|util|anl|nsl|gcc_s|stdc\+\+)\.so)")
_MISSING = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
_RESOLVED = re.compile(r"^\s*(\S+) => (/\S+) \(", re.MULTILINE)


def system_libraries_of(files: Sequence[Path]) -> dict[str, Path]:
    """By name; those of their libraries too, glibc's not."""
    listing = required_output_of(["ldd", *files]) if files else ""
    if missing := sorted(set(_MISSING.findall(listing))):
        raise SetupError(f"This system lacks {', '.join(missing)}.")
    found = _RESOLVED.findall(listing)
    return {
        name: Path(path) for name, path in found if path.startswith(SYSTEM_FOLDERS) and not _OF_EVERY_SYSTEM.match(name)
    }


def with_what_they_need(names: Iterable[str]) -> dict[str, Path]:
    """These libraries of the system, by name."""
    known = dict(
        re.findall(r"^\s*(\S+) \(.*x86-64.*\) => (/\S+)$", required_output_of(["/sbin/ldconfig", "-p"]), re.MULTILINE)
    )
    named = {}
    for name in names:
        if name not in known:
            raise SetupError(f"This system lacks {name}, which has to be shipped.")
        named[name] = Path(known[name])
    return named | system_libraries_of(list(named.values()))
