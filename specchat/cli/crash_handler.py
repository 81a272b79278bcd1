"""`specchat --child crash-handler`: tells on the terminal why the process that started it crashed."""

import json
import sys
from pathlib import Path


def main() -> int:
    line = sys.stdin.buffer.readline()
    sys.stdin.buffer.read()  # until the other process ends, however that ends
    if line:
        record, logs = map(Path, json.loads(line))
        _tell(record, logs)
    return 0


def _tell(record: Path, logs: Path) -> None:
    from specchat.cli.output import dependable_streams, report
    from specchat.cli.server_crash import crash_now
    from specchat.services.program.crash_handler import crash_after

    with dependable_streams():
        crashed = crash_after(record, logs)
        if crashed is not None:
            report(crash_now(crashed, logs))
