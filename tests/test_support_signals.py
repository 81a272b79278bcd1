import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from support.signals import heard_by_children

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture
def under_nohup() -> Iterator[None]:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGHUP, before)


def hang_up_of_a_program() -> str:
    script = "import signal; print(signal.getsignal(signal.SIGHUP).name)"
    return subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


@pytest.mark.usefixtures("under_nohup")
def test_programs_hear_what_is_ignored_here() -> None:
    assert hang_up_of_a_program() == "SIG_IGN"
    with heard_by_children(signal.SIGHUP):
        assert hang_up_of_a_program() == "SIG_DFL"
        signal.raise_signal(signal.SIGHUP)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_all_programs_of_these_tests_hear_it() -> None:
    assert hang_up_of_a_program() == "SIG_DFL"
