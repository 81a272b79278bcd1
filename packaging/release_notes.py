"""Release notes from CHANGELOG.md.

python packaging/release_notes.py v0.1.0          the notes, for people
python packaging/release_notes.py v0.1.0 --news   latest.json, which "check for updates" reads

Fails if the tag doesn't match the program's version, or if the changelog has no notes for it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from program_version import program_version
from shell import SetupError, say

ROOT = Path(__file__).resolve().parent.parent
PAGE = "https://github.com/specchat/specchat/releases/tag/{tag}"


def main(arguments: Sequence[str]) -> int:
    match arguments:
        case [tag] | [tag, "--news"]:
            pass
        case _:
            say((__doc__ or "").strip())
            return 2
    try:
        version = released_version(tag, ROOT)
        notes = notes_of(version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    except SetupError as error:
        say(str(error))
        return 1
    sys.stdout.buffer.write(f"{news(tag, version, notes) if '--news' in arguments else notes}\n".encode())
    return 0


def released_version(tag: str, root: Path) -> str:
    version = program_version(root)
    if tag != f"v{version}":
        raise SetupError(f"The tag is {tag}, but specchat/__init__.py says {version}: the tag should be v{version}.")
    return version


def notes_of(version: str, changelog: str) -> str:
    """Below the heading `## VERSION`, which may have a date behind it."""
    found = re.search(rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    notes = found[1].strip() if found else ""
    if not notes:
        raise SetupError(f'CHANGELOG.md has no notes below "## {version}": write them, or rename "## Unreleased".')
    return notes


def news(tag: str, version: str, notes: str) -> str:
    return json.dumps({"version": version, "page": PAGE.format(tag=tag), "notes": notes}, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
