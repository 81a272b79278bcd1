"""What the user may copy into a terminal."""

import shlex
import sys
from subprocess import list2cmdline


def quoted(*words: str) -> str:
    """As the shell of this system takes them apart again."""
    return list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
