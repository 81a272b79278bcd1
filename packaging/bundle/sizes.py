"""How large the bundle is, what takes the room, and how large the downloads are."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from needed_versions import needed_versions

MOST_INSTALLED = 300_000_000
MOST_DOWNLOADED = 110_000_000
TOO_LARGE = "TOO LARGE"
_LARGEST = 25


def report(program: Path, downloads: Sequence[Path]) -> str:
    sizes = {path: path.stat().st_size for path in program.rglob("*") if path.is_file() and not path.is_symlink()}
    lines = [_line(sum(sizes.values()), f"installed, {len(sizes)} files", MOST_INSTALLED)]
    lines += [_line(file.stat().st_size, file.name, MOST_DOWNLOADED) for file in downloads]
    if sys.platform == "linux":
        lines.append("needs " + ", ".join(f"{name} {version}" for name, version in needed_versions(program).items()))
    folders: Counter[str] = Counter()
    for path, size in sizes.items():
        folders[_folder(path.relative_to(program))] += size
    lines += ["", "by folder:", *(_line(size, name) for name, size in folders.most_common())]
    largest = sorted(sizes, key=lambda path: (-sizes[path], path))[:_LARGEST]
    lines += ["", "largest files:", *(_line(sizes[path], str(path.relative_to(program))) for path in largest)]
    return "\n".join(lines) + "\n"


def _line(size: int, name: str, most: int | None = None) -> str:
    verdict = "" if most is None else f" (at most {most / 1e6:.0f} MB: {'ok' if size <= most else TOO_LARGE})"
    return f"{size / 1e6:8.1f} MB  {name}{verdict}"


def _folder(path: Path) -> str:
    return "/".join(path.parts[:2]) if len(path.parts) > 2 else path.parts[0]
