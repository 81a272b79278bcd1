"""Controls how long OpenMP threads spin while they wait for each other.

Spinning long is fastest on an idle computer. While other programs compute, a spinning thread takes the core away from
the thread that it waits for, and a token takes many times as long. GNU's OpenMP reads its settings only when it is
loaded, but it spins at most a thousand times if it has more threads than there are cores. So while other programs
compute, SpinControl adds threads that sleep, and it ends them afterwards.
"""

import ctypes
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol

import psutil

log = logging.getLogger(__name__)

SETTINGS = {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "300000"}
"""The count is GNU's default. With this policy, threads spin 1,000 times instead of 100 if there are too many."""
_GNU = b"libgomp.so"
WATCHER, SLEEPERS = "spin control", "sleeping OpenMP team"
"""Names of threads."""
_INTERVAL_S = 0.25
_BUSY, _QUIET = 0.5, 0.25
"""The computer is busy or quiet if other programs use more or fewer cores than this, beyond the free ones."""
_QUIET_INTERVALS = 4
_user_decides = any(name in os.environ for name in SETTINGS)


@contextmanager
def spin_settings(libraries: Path) -> Iterator[None]:
    """Sets the variables while llama.cpp's libraries are loaded. Programs that are started later don't inherit them.

    Other implementations of OpenMP get no settings, because their threads would never sleep with this policy.
    """
    if _user_decides or not any(_GNU in path.read_bytes() for path in libraries.glob("libggml-cpu*.so")):
        yield
        return
    os.environ.update(SETTINGS)
    try:
        yield
    finally:
        for name in SETTINGS:
            os.environ.pop(name, None)


class UsageMeter(Protocol):
    n_cores: int

    def cores_of_others(self) -> float:
        """Returns the average number of cores that other programs used since the last call."""


class CoreMeter:
    """Reads the system's counters for the cores that this process may use."""

    def __init__(self) -> None:
        process = psutil.Process()
        cores = process.cpu_affinity() if hasattr(process, "cpu_affinity") else []
        self._cores = set(cores)
        self.n_cores = len(self._cores)
        self._latest = self._now()

    def cores_of_others(self) -> float:
        before, self._latest = self._latest, self._now()
        seconds, used, own = (now - then for now, then in zip(self._latest, before, strict=True))
        return (used - own) / seconds

    def _now(self) -> tuple[float, float, float]:
        """Returns the time, and the CPU seconds of all programs and of this one."""
        cores = psutil.cpu_times(percpu=True)
        if len(cores) > max(self._cores):  # otherwise some cores are offline, and the listed ones have no numbers
            cores = [cores[number] for number in self._cores]
        used = sum(core.user + core.nice + core.system + core.irq + core.softirq for core in cores)
        return time.perf_counter(), used, time.process_time()


class SleepingTeam:
    """A team of idle OpenMP threads. OpenMP keeps it as long as the thread that started it is alive."""

    def __init__(self, openmp: ctypes.CDLL, size: int) -> None:
        self._openmp = openmp
        self._size = size
        self._end: Event | None = None

    @property
    def exists(self) -> bool:
        return self._end is not None

    def start(self) -> None:
        end, started = Event(), Event()
        Thread(target=self._run, args=[started, end], name=SLEEPERS, daemon=True).start()
        started.wait()
        self._end = end

    def stop(self) -> None:
        if self._end is not None:
            self._end.set()
            self._end = None

    def _run(self, started: Event, end: Event) -> None:
        do_nothing = ctypes.cast(ctypes.CDLL(None).free, ctypes.c_void_p)  # free(NULL)
        self._openmp.GOMP_parallel(do_nothing, None, ctypes.c_uint(self._size), ctypes.c_uint(0))
        started.set()
        end.wait()


class SpinControl:
    """Checks every quarter of a second how much other programs compute while passes are made.

    It runs in a separate thread, because a pass that other programs slow down may take seconds.
    """

    def __init__(self, team: SleepingTeam, meter: UsageMeter) -> None:
        self._team = team
        self._meter = meter
        self._n_quiet = 0
        self._n_threads = meter.n_cores
        self._was_used = Event()
        self._is_computing = False
        Thread(target=self._run, name=WATCHER, daemon=True).start()

    @property
    def spins_briefly(self) -> bool:
        return self._team.exists

    def pass_begins(self, n_threads: int) -> None:
        self._n_threads, self._is_computing = n_threads, True
        if not self._was_used.is_set():
            self._was_used.set()

    def pass_ends(self) -> None:
        self._is_computing = False

    def check_load(self) -> None:
        in_our_way = self._meter.cores_of_others() - max(0, self._meter.n_cores - self._n_threads)
        self._n_quiet = self._n_quiet + 1 if in_our_way < _QUIET else 0
        if in_our_way > _BUSY and not self._team.exists:
            self._team.start()
        elif self._n_quiet >= _QUIET_INTERVALS:
            self._team.stop()

    def _run(self) -> None:
        try:
            while True:
                self._was_used.wait()
                self._meter.cores_of_others()
                self._watch_passes()
        except (OSError, RuntimeError, psutil.Error):
            log.exception("No longer watching the load of other programs")

    def _watch_passes(self) -> None:
        """Checks the load only during passes; what other programs compute between them doesn't matter."""
        while self._was_used.is_set() or self._is_computing:
            self._was_used.clear()
            time.sleep(_INTERVAL_S)
            if self._is_computing:
                self.check_load()
            else:
                self._meter.cores_of_others()


@cache
def spin_control() -> SpinControl | None:
    """Returns the control of this process after llama.cpp is loaded. None without GNU's OpenMP, or if the user has set
    how threads wait."""
    openmp = None if _user_decides else gnu_openmp()
    if openmp is None:
        return None
    try:
        meter = CoreMeter()
    except (OSError, psutil.Error):
        return None
    return SpinControl(SleepingTeam(openmp, meter.n_cores + 1), meter)


def gnu_openmp() -> Any:
    if sys.platform != "linux":
        return None
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            paths = {line.split(maxsplit=5)[5].strip() for line in maps if "/libgomp" in line}
        return ctypes.CDLL(paths.pop()) if len(paths) == 1 else None
    except OSError:
        return None
