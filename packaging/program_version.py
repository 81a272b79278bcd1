"""Which version this is: the program says so in one place."""

from __future__ import annotations

import re
from pathlib import Path


def program_version(root: Path) -> str:
    text = (root / "specchat" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    assert found
    return found[1]
