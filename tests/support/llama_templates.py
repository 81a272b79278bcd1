"""The chat templates that llama.cpp tests itself with, where its source is."""

import os
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


def find_llama_templates() -> list[Path]:
    """None where there is no source: it is unpacked to build llama-server."""
    given = os.environ.get("SPECCHAT_TEST_LLAMA_TEMPLATES")
    folders = [Path(given)] if given else sorted(_ROOT.glob(".cache/llama-*/source/models/templates"))
    return sorted(folders[0].glob("*.jinja")) if folders else []
