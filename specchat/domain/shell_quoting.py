"""Quotes commands for the shell of this system."""

import shlex
import sys
from subprocess import list2cmdline


def quote_command(*words: str) -> str:
    """Quotes words for the shell of this system."""
    return list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
