"""Threads that spin briefly beside other programs, and long on a quiet computer."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import psutil
import pytest
from support.busy_programs import others

from specchat.backends import openmp
from specchat.backends.llama_model import LlamaModel
from specchat.backends.openmp import CoreMeter, SleepingTeam, SpinControl
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import ModelSettings

N_CORES = 4
SHOWSSETTINGS = """
import os
from specchat.backends import library, openmp
library.start()
print(openmp.spin_control() is not None, os.environ.get("OMP_WAIT_POLICY"), os.environ.get("GOMP_SPINCOUNT"))
"""
WATCHED_MODEL = """
import sys, threading
from contextlib import closing
from pathlib import Path
import numpy as np
from specchat.backends import openmp
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import ModelSettings
with closing(LlamaModel(Path(sys.argv[1]), ModelSettings(n_ctx=256, threads=2))) as model:
    model.evaluate(np.array([1, 2], dtype=np.int32), 1, CancelToken())
print(openmp.WATCHER in [thread.name for thread in threading.enumerate()])
"""

pytestmark = pytest.mark.skipif(openmp.gnu_openmp() is None, reason="llama.cpp does not use GNU's OpenMP here")


class ScriptedMeter:
    n_cores = N_CORES

    def __init__(self) -> None:
        self.others = 0.0
        self.n_read = 0

    def cores_of_others(self) -> float:
        self.n_read += 1
        return self.others


@pytest.fixture
def team() -> Iterator[SleepingTeam]:
    made = SleepingTeam(openmp.gnu_openmp(), N_CORES + 1)
    yield made
    made.stop()


def threads() -> int:
    return int(psutil.Process().num_threads())


def told_by(program: str, *arguments: str | Path, **variables: str) -> list[str]:
    """Without what the tests set themselves."""
    environment = {name: value for name, value in os.environ.items() if name not in openmp.SETTINGS}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, env={**environment, **variables}, capture_output=True, check=True)
    return done.stdout.decode().split()


def test_the_settings_are_gone_once_llama_is_loaded() -> None:
    assert told_by(SHOWSSETTINGS) == ["True", "None", "None"]


def test_what_the_user_has_set_stays() -> None:
    assert told_by(SHOWSSETTINGS, OMP_WAIT_POLICY="passive") == ["False", "passive", "None"]


def test_a_team_sleeps_until_it_is_stopped(team: SleepingTeam) -> None:
    before = threads()
    team.start()
    assert team.exists
    assert threads() == before + N_CORES + 1
    used = time.process_time()
    time.sleep(0.2)
    assert time.process_time() - used < 0.1
    team.stop()
    assert not team.exists
    deadline = time.monotonic() + 5
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threads() == before


def test_spinning_is_brief_while_other_programs_compute(team: SleepingTeam) -> None:
    meter = ScriptedMeter()
    control = SpinControl(team, meter)
    control.check_load()
    assert not control.spins_briefly
    meter.others = 1.0
    control.check_load()
    assert control.spins_briefly
    meter.others = 0.1
    for _ in range(3):
        control.check_load()
        assert control.spins_briefly, "a program may only have paused"
    control.check_load()
    assert not control.spins_briefly


def test_programs_on_free_cores_are_in_nobodys_way(team: SleepingTeam) -> None:
    meter = ScriptedMeter()
    meter.others = 2.0
    control = SpinControl(team, meter)
    for n_threads, is_brief in ((N_CORES - 2, False), (N_CORES, True)):
        control.pass_begins(n_threads)
        control.check_load()
        assert control.spins_briefly == is_brief


def test_the_meter_sees_another_program() -> None:
    meter = CoreMeter()
    used = 0.0
    with others(1):
        deadline = time.monotonic() + 20
        while used < 0.2 and time.monotonic() < deadline:
            time.sleep(0.3)
            used = meter.cores_of_others()
    assert used >= 0.2


def test_it_looks_amid_a_pass_only(team: SleepingTeam) -> None:
    meter = ScriptedMeter()
    meter.others = float(N_CORES)
    control = SpinControl(team, meter)
    control.pass_begins(N_CORES)
    control.pass_ends()
    time.sleep(0.7)
    assert not control.spins_briefly, "what others did after the pass"
    n_read = meter.n_read
    time.sleep(0.6)
    assert meter.n_read == n_read, "nothing is computed"
    control.pass_begins(N_CORES)
    deadline = time.monotonic() + 20
    while not control.spins_briefly and time.monotonic() < deadline:
        time.sleep(0.05)
    control.pass_ends()
    assert control.spins_briefly


def test_where_counters_cannot_be_read_passes_go_on(team: SleepingTeam, caplog: pytest.LogCaptureFixture) -> None:
    class Unreadable(ScriptedMeter):
        def cores_of_others(self) -> float:
            raise PermissionError("/proc/stat")

    control = SpinControl(team, Unreadable())
    control.pass_begins(N_CORES)
    deadline = time.monotonic() + 20
    while not caplog.records and time.monotonic() < deadline:
        time.sleep(0.02)
    control.pass_ends()
    assert "No longer watching the load of other programs" in caplog.text
    assert not control.spins_briefly


def test_a_model_is_watched_where_the_user_has_set_nothing(tiny_llama: Path) -> None:
    assert told_by(WATCHED_MODEL, tiny_llama) == ["True"]


def test_a_model_tells_of_its_passes(tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Control:
        def pass_begins(self, n_threads: int) -> None:
            told.append(f"begins with {n_threads}")

        def pass_ends(self) -> None:
            told.append("ends")

    monkeypatch.setattr("specchat.backends.batch_runner.spin_control", Control)
    with closing(LlamaModel(tiny_llama, ModelSettings(n_ctx=256, threads=1))) as model:
        model.evaluate(np.array([1], dtype=np.int32), 1, CancelToken())
    assert told == ["begins with 1", "ends"]
