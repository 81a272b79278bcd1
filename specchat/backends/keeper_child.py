"""Runs an external program that ends when this program ends."""

import json
import os
import subprocess
import sys
from functools import partial

from specchat.backends.parent_end import end_with_parent

NOT_STARTED = 126


def child_main() -> None:
    end_with_parent()
    command = json.loads(os.fsdecode(sys.stdin.buffer.readline()) or "null")
    if command is None:  # the parent has ended
        return
    # Called between fork and exec, which is safe without other threads. The setting stays in effect after exec.
    prepare = partial(end_with_parent, os.getpid()) if sys.platform == "linux" else None
    try:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=prepare)
    except OSError as error:
        sys.stderr.write(f"{error.strerror}\n")
        sys.exit(NOT_STARTED)
    sys.exit(program.wait() & 0xFF)
