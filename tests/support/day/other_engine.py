"""Another engine on this computer: `specchat serve`, without what its tests need."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen


@contextmanager
def other_engine(home: Path, port: int, *arguments: object) -> Iterator[str]:
    """Its address. It is killed at the end, whatever it is doing."""
    command = [sys.executable, "-m", "specchat", "serve", "--port", port, "-t", 1, *arguments]
    environment = {**os.environ, "SPECCHAT_HOME": str(home)}
    with Popen(list(map(str, command)), stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().decode()
            assert line.startswith("Serving "), line
            yield line.rpartition(" at ")[2].split()[0]
        finally:
            process.kill()
