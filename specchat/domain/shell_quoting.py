"""Quotes commands for the shell of this system."""

import shlex
import sys
from subprocess import list2cmdline


def quote_command(*words: str) -> str:
    """As the shell of this system takes them apart again."""
    return list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
