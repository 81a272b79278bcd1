"""`specchat --child crash-handler`: reports on the terminal why the parent process crashed."""

import json
import sys
from pathlib import Path


def main() -> int:
    line = sys.stdin.buffer.readline()
    sys.stdin.buffer.read()  # until the other process ends, however that ends
    if line:
        record, logs = map(Path, json.loads(line))
        _report_crash(record, logs)
    return 0


def _report_crash(record: Path, logs: Path) -> None:
    from specchat.cli.output import reliable_streams, report_error
    from specchat.cli.server_crash import crash_error
    from specchat.services.program.crash_watcher import read_crash

    with reliable_streams():
        crashed = read_crash(record, logs)
        if crashed is not None:
            report_error(crash_error(crashed, logs))
