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
from specchat.backends.openmp import CoreMeter, SleepingTeam, SpinControl, Usage
from specchat.domain.cancel import CancelToken
from specchat.domain.types import ModelSettings

N_CORES = 4
SHOWSSETTINGS = """
import os
from specchat.backends import library, openmp
library.start()
print(openmp.spin_control() is not None, os.environ.get("OMP_WAIT_POLICY"), os.environ.get("GOMP_SPINCOUNT"))
"""

pytestmark = pytest.mark.skipif(openmp.gnu_openmp() is None, reason="llama.cpp does not use GNU's OpenMP here")


class ScriptedMeter:
    n_cores = N_CORES

    def __init__(self) -> None:
        self.usage = Usage(own=2.0, others=0.0)
        self.n_read = 0

    def elapsed(self) -> float:
        return 1.0

    def read(self) -> Usage:
        self.n_read += 1
        return self.usage


@pytest.fixture
def team() -> Iterator[SleepingTeam]:
    made = SleepingTeam(openmp.gnu_openmp(), N_CORES + 1)
    yield made
    made.stop()


def threads() -> int:
    return int(psutil.Process().num_threads())


def shown_settings(**variables: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name not in openmp.SETTINGS}
    done = subprocess.run(
        [sys.executable, "-c", SHOWSSETTINGS], env={**environment, **variables}, capture_output=True, check=True
    )
    return done.stdout.decode().split()


def test_the_settings_are_gone_once_llama_is_loaded() -> None:
    assert shown_settings() == ["True", "None", "None"]


def test_what_the_user_has_set_stays() -> None:
    assert shown_settings(OMP_WAIT_POLICY="passive") == ["False", "passive", "None"]


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
    control.adapt(N_CORES)
    assert not control.spins_briefly
    meter.usage = Usage(own=2.0, others=1.0)
    control.adapt(N_CORES)
    assert control.spins_briefly
    meter.usage = Usage(own=2.0, others=0.1)
    for _ in range(3):
        control.adapt(N_CORES)
        assert control.spins_briefly, "a program may only have paused"
    control.adapt(N_CORES)
    assert not control.spins_briefly


def test_programs_on_free_cores_are_in_nobodys_way(team: SleepingTeam) -> None:
    meter = ScriptedMeter()
    meter.usage = Usage(own=2.0, others=2.0)
    control = SpinControl(team, meter)
    control.adapt(N_CORES - 2)
    assert not control.spins_briefly
    control.adapt(N_CORES - 1)
    assert control.spins_briefly


def test_what_others_did_between_two_answers_does_not_count(team: SleepingTeam) -> None:
    meter = ScriptedMeter()
    meter.usage = Usage(own=0.1, others=3.0)
    control = SpinControl(team, meter)
    control.adapt(N_CORES)
    assert meter.n_read == 1
    assert not control.spins_briefly


def test_the_meter_sees_another_program() -> None:
    meter = CoreMeter()
    with others(1):
        deadline = time.monotonic() + 20
        usage = Usage(0.0, 0.0)
        while usage.others < 0.2 and time.monotonic() < deadline:
            time.sleep(0.3)
            usage = meter.read()
    assert usage.others >= 0.2
    assert usage.own < 0.5


def test_a_model_asks_before_each_pass(tiny_llama: Path, team: SleepingTeam, monkeypatch: pytest.MonkeyPatch) -> None:
    meter = ScriptedMeter()
    monkeypatch.setattr("specchat.backends.llama_model.spin_control", lambda: SpinControl(team, meter))
    with closing(LlamaModel(tiny_llama, ModelSettings(n_ctx=256, threads=1))) as model:
        for token in range(3):
            model.evaluate(np.array([token], dtype=np.int32), 1, CancelToken())
    assert meter.n_read == 3
