import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from specchat.store.run_record import LAST_CRASH, left_record, recorded_run

SECONDS = 60
RUN = """
import os, subprocess, sys
from pathlib import Path
from specchat.store.run_record import recorded_run
folder = Path(sys.argv[1])
{before}
with recorded_run(folder) as record:
    record.note("at work")
    {work}
"""
WAIT = 'print("ready", flush=True); input()'
DIE = "os._exit(1)"
SPEAK_AND_DIE = f'os.write(2, b"my last words\\n"); {DIE}'
LEAVE_A_PROGRAM = f'subprocess.Popen([sys.executable, "-c", "input()"]); {DIE}'


def command(folder: Path, work: str, before: str = "") -> list[str]:
    return [sys.executable, "-c", RUN.format(work=work, before=before), str(folder)]


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(command(folder, WAIT), stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def run(folder: Path, work: str, stderr: int = subprocess.PIPE, before: str = "") -> str:
    """What it said on stderr."""
    return subprocess.run(
        command(folder, work, before), stdin=subprocess.DEVNULL, stderr=stderr, text=True, timeout=SECONDS
    ).stderr


def text(folder: Path) -> str:
    left = left_record(folder)
    assert left is not None
    return left.text


def test_nothing_is_left_of_a_run_that_ends(tmp_path: Path) -> None:
    run(tmp_path, "pass")
    assert list(tmp_path.iterdir()) == []
    assert left_record(tmp_path / "missing") is None


def test_a_run_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        assert left_record(tmp_path) is None
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
        assert text(tmp_path).endswith("- at work\n")


def test_a_record_is_told_once(tmp_path: Path) -> None:
    run(tmp_path, DIE)
    first, second = left_record(tmp_path), left_record(tmp_path)
    assert first is not None
    assert second is not None
    assert (first.take(), second.take()) == (True, False)
    assert [file.name for file in tmp_path.iterdir()] == [LAST_CRASH]


def test_of_several_the_newest_counts(tmp_path: Path) -> None:
    for age, words in enumerate(("new", "old", "older")):
        file = tmp_path / f"running-{900_000 + age}.txt"
        file.write_text(words)
        os.utime(file, (1000 - age, 1000 - age))
    left = left_record(tmp_path)
    assert left is not None
    assert left.text == "new"
    assert left.take()
    assert (tmp_path / LAST_CRASH).read_text() == "new"
    assert left_record(tmp_path) is None


def test_the_number_of_a_process_may_be_used_again(tmp_path: Path) -> None:
    run(tmp_path, DIE, before='(folder / f"running-{os.getpid()}.txt").write_text("another process")')
    assert "another process" not in text(tmp_path)
    assert (tmp_path / LAST_CRASH).read_text() == "another process"


def test_without_a_place_nothing_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with recorded_run(tmp_path / "file") as record:
        record.note("at work")
    assert left_record(tmp_path / "file") is None


@pytest.mark.skipif(sys.platform == "win32", reason="there it is lost to C anyway")
def test_last_words_that_nobody_would_hear_are_kept(tmp_path: Path) -> None:
    run(tmp_path / "unheard", SPEAK_AND_DIE, subprocess.DEVNULL)
    assert text(tmp_path / "unheard").endswith("my last words\n")
    assert run(tmp_path / "heard", SPEAK_AND_DIE) == "my last words\n"
    assert "my last words" not in text(tmp_path / "heard")


@pytest.mark.skipif(sys.platform == "win32", reason="programs inherit nothing there")
def test_a_program_it_has_started_may_live_longer(tmp_path: Path) -> None:
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command(tmp_path, LEAVE_A_PROGRAM), stdin=pipe, stdout=null, stderr=null) as process:
        process.wait(SECONDS)
        assert text(tmp_path).endswith("- at work\n")
