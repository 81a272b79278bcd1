"""Runs somebody else's program, which ends when the parent does, however that ends."""

import json
import os
import subprocess
import sys
import threading

NOT_STARTED = 126


def child_main() -> None:
    command = json.loads(os.fsdecode(sys.stdin.buffer.readline()))
    try:
        program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    except OSError as error:
        sys.stderr.write(f"{error.strerror}\n")
        sys.exit(NOT_STARTED)
    threading.Thread(target=_end_with_parent, args=[program], daemon=True).start()
    os._exit(program.wait() & 0xFF)  # the thread reads: an ordinary end would wait for it


def _end_with_parent(program: "subprocess.Popen[bytes]") -> None:
    while os.read(0, 4096):
        pass
    program.kill()
