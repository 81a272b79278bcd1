"""Text of a folder with source code: its text files, each marked with its path and line."""

import os
from collections.abc import Iterator
from pathlib import Path

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.backends.documents.ignore_rules import PRODUCED, IgnoreRule, is_ignored, parse_rules
from specchat.domain.text_decoding import decode_text

MAX_FILES = 2_000
MAX_LOOKED_AT = 50_000
MAX_DEPTH = 100
MAX_BYTES = 256 << 10
"""Larger files usually contain data or were generated."""
_LOCKS = ("package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "Cargo.lock", "uv.lock")


def read_folder(path: Path, document: DocumentText) -> None:
    n_files = 0
    for file, name in _files(path):
        text = _text(file)
        if text is not None and text.strip():
            n_files += 1
            if n_files > MAX_FILES:
                raise DocumentFault(Fault.TOO_MANY_FILES)
            document.add_place(f"{name}:1", text)


def _files(root: Path) -> Iterator[tuple[Path, str]]:
    """Yields files in the order of their names, without hidden files and symbolic links."""
    rules_of: dict[Path, list[IgnoreRule]] = {}
    n_seen = 0
    for folder, folders, names in os.walk(root):
        inside = Path(folder).relative_to(root)
        prefix = f"{inside.as_posix()}/" if inside.parts else ""
        if len(inside.parts) >= MAX_DEPTH:
            folders.clear()
        rules = rules_of.get(inside.parent, []) if inside.parts else []
        if own := _own_rules(Path(folder), prefix):
            rules = [*rules, *own]
        rules_of[inside] = rules
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in PRODUCED
            and not is_ignored(rules, prefix + name, is_folder=True)
        )
        n_seen += len(names) + len(folders)
        if n_seen > MAX_LOOKED_AT:
            raise DocumentFault(Fault.TOO_MANY_FILES)
        for name in sorted(names):
            if not (name.startswith(".") or name in _LOCKS or is_ignored(rules, prefix + name, is_folder=False)):
                yield Path(folder, name), prefix + name


def _own_rules(folder: Path, prefix: str) -> list[IgnoreRule]:
    text = _text(folder / ".gitignore")
    return parse_rules(text, prefix) if text else []


def _text(file: Path) -> str | None:
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > MAX_BYTES:
            return None
        with file.open("rb") as opened:  # some report no size
            content = opened.read(MAX_BYTES + 1)
        return decode_text(content) if len(content) <= MAX_BYTES else None
    except OSError:
        return None
