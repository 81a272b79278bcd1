import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from specchat.store.run_record import (
    LAST_CRASH,
    RunKind,
    delete_records,
    read_unfinished_record,
    record_run,
    unfinished_records,
)

SECONDS = 60
RUN = """
import os, subprocess, sys
from pathlib import Path
from specchat.store.run_record import record_run, unfinished_records
folder = Path(sys.argv[1])
{before}
with record_run(folder) as record:
    record.note("at work")
    {work}
"""
WAIT = 'print("ready", flush=True); input()'
DIE = "os._exit(1)"
FAIL = "raise SystemExit('no display')"
LOOK_BACK = "os.write(2, b'%d' % len(unfinished_records(folder, record.path)))"
WITHOUT_LOCKS = """import errno, fcntl
def none(*_): raise OSError(errno.ENOLCK, "none")
fcntl.flock = none"""
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
    (left,) = unfinished_records(folder, None)
    return left.text


def test_nothing_is_left_of_a_run_that_ends(tmp_path: Path) -> None:
    run(tmp_path, "pass")
    assert "no display" in run(tmp_path, FAIL)
    assert list(tmp_path.iterdir()) == []
    assert unfinished_records(tmp_path / "missing", None) == []


def test_a_run_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        assert unfinished_records(tmp_path, None) == []
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
        assert text(tmp_path).endswith("- at work\n")


def test_a_record_is_told_once(tmp_path: Path) -> None:
    run(tmp_path, DIE)
    first, second = unfinished_records(tmp_path, None) + unfinished_records(tmp_path, None)
    assert (first.claim(), second.claim()) == (True, False)
    assert [file.name for file in tmp_path.iterdir()] == [LAST_CRASH]


def test_of_several_the_newest_is_first(tmp_path: Path) -> None:
    for age, words in enumerate(("new", "old", "older")):
        file = tmp_path / f"running-{900_000 + age}.txt"
        file.write_text(words)
        os.utime(file, (1000 - age, 1000 - age))
    newest, *older = unfinished_records(tmp_path, None)
    assert [newest.text, *(left.text for left in older)] == ["new", "old", "older"]
    assert newest.claim()
    delete_records(older)
    assert (tmp_path / LAST_CRASH).read_text() == "new"
    assert unfinished_records(tmp_path, None) == []


def test_the_number_of_a_process_may_be_used_again(tmp_path: Path) -> None:
    run(tmp_path, "with record_run(folder): os._exit(1)")
    assert len(unfinished_records(tmp_path, None)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="all its file systems have locks")
def test_without_locks_nobody_takes_the_own_for_left(tmp_path: Path) -> None:
    run(tmp_path, DIE)
    assert run(tmp_path, LOOK_BACK, before=WITHOUT_LOCKS) == "1"


def test_what_a_server_left_is_told_by_a_server(tmp_path: Path) -> None:
    run(tmp_path, f"with record_run(folder, 'serving'): {DIE}")
    assert len(unfinished_records(tmp_path, None)) == 1
    (of_server,) = unfinished_records(tmp_path, None, RunKind.SERVER)
    assert read_unfinished_record(of_server.path) == of_server.text
    assert of_server.claim()
    assert read_unfinished_record(of_server.path) is None


def test_one_that_only_begins_is_not_left(tmp_path: Path) -> None:
    (tmp_path / "running-1-1.txt").touch()
    assert unfinished_records(tmp_path, None) == []


def test_one_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    run(tmp_path, DIE)
    (tmp_path / "running-1-1.txt").mkdir()
    assert text(tmp_path).endswith("- at work\n")


def test_what_cannot_be_taken_is_told_nevertheless(tmp_path: Path) -> None:
    run(tmp_path, DIE)
    (tmp_path / LAST_CRASH / "in the way").mkdir(parents=True)
    assert unfinished_records(tmp_path, None)[0].claim()


def test_of_a_long_one_both_ends_are_read(tmp_path: Path) -> None:
    run(tmp_path, 'record.write("x" * (3 << 20)); record.note("at its end"); os._exit(1)')
    (left,) = unfinished_records(tmp_path, None)
    assert left.text.startswith("specchat ")
    assert left.text.endswith("- at its end\n")
    assert left.claim()
    assert (tmp_path / LAST_CRASH).stat().st_size < 2 << 20


def test_without_a_place_nothing_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with record_run(tmp_path / "file") as record:
        record.note("at work")
    assert unfinished_records(tmp_path / "file", None) == []


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
