"""Peak memory of one answer against the buffers that llama.cpp reports: what is beyond them is ours.

python tests/benchmarks/memory.py TARGET [DRAFT]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import psutil

MIB = 2**20
GOAL_MIB = 150.0
POLL_S = 0.01
BUFFER = re.compile(r"(\S+) +(model|KV|RS|compute|output) buffer size = +([\d.]+) MiB")


class Peaks(threading.Thread):
    """The most that each process of a tree has held; the system remembers it, so looking now and then is enough."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._root = psutil.Process(pid)
        self._done = threading.Event()
        self.by_pid: dict[int, float] = {}

    def run(self) -> None:
        while not self._done.wait(POLL_S):
            try:
                for process in [self._root, *self._root.children(recursive=True)]:
                    self.by_pid[process.pid] = max(self.by_pid.get(process.pid, 0.0), peak_mib(process.pid))
            except (psutil.Error, OSError):
                continue

    def stop(self) -> None:
        self._done.set()
        self.join()


def peak_mib(pid: int) -> float:
    """Of the process's own memory; `ru_maxrss` also counts the parent that it was forked from."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory() as home:
        if options.warm:
            run(options, home)
            (Path(home) / "logs" / "specchat.log").unlink()
        own, child, largest = run(options, home)
        buffers = buffers_in((Path(home) / "logs" / "specchat.log").read_text(encoding="utf-8"))
    for what, size in buffers:
        print(f"{size:10.1f} MiB  {what}")
    total = sum(size for _, size in buffers)
    print(f"{total:10.1f} MiB  sum of the buffers")
    print(f"{own:10.1f} MiB  peak of the process")
    print(f"{child:10.1f} MiB  peak of its largest child")
    print(f"{largest:10.1f} MiB  peak as the system reports it for the whole run")
    print(f"{own - total:+10.1f} MiB  difference; the goal is at most {GOAL_MIB:+.0f} MiB")
    if options.json:
        figures = {"peak": own, "child": child, "sum": total, "difference": own - total, "goal": GOAL_MIB}
        options.json.write_text(json.dumps(figures))
    sys.exit(own - total > GOAL_MIB)


def run(options: argparse.Namespace, home: str) -> tuple[float, float, float]:
    command = [sys.executable, "-m", "specchat", "chat", "-m", str(options.target), "-p", options.prompt, "--json"]
    command += ["-n", str(options.n), "--ignore-eos", "--temp", "0", *options.extra]
    if options.draft:
        command += ["-md", str(options.draft)]
    environment = os.environ | {"SPECCHAT_HOME": home}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    peaks = Peaks(process.pid)
    peaks.start()
    _, status, usage = os.wait4(process.pid, 0)
    peaks.stop()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"specchat ended with {process.returncode}")
    own = peaks.by_pid.pop(process.pid)
    return own, max(peaks.by_pid.values(), default=0.0), usage.ru_maxrss / 1024


def buffers_in(log: str) -> list[tuple[str, float]]:
    return [(f"{where} {what}", float(size)) for where, what, size in BUFFER.findall(log)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, epilog="Anything else goes to `specchat chat`.")
    parser.add_argument("target", type=Path)
    parser.add_argument("draft", type=Path, nargs="?")
    parser.add_argument("-n", type=int, default=64)
    parser.add_argument("--prompt", default="Tell me about the sea. " * 100)
    parser.add_argument("--warm", action="store_true", help="the second run: the first load is over")
    parser.add_argument("--json", type=Path)
    options, extra = parser.parse_known_args()
    options.extra = extra
    return options


if __name__ == "__main__":
    main()
