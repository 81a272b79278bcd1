"""The program itself, started as a desktop starts it."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from support.commands import SECONDS, command, environment, finished, started
from support.computers import own_computer
from support.known_loads import known_loads

from specchat.services.models.demo_pair import demo_files

INTERRUPTED = 130
PATIENCE_MS = round(1000 * SECONDS)


@pytest.fixture(autouse=True)
def computer(tmp_path: Path) -> Iterator[None]:
    with own_computer(tmp_path / "computer", QT_QPA_PLATFORM="offscreen"):
        yield


@contextmanager
def window(qtbot: QtBot, home: Path, *files: str) -> Iterator[None]:
    """Until it is interrupted, and has ended as it should."""
    with known_loads(home / "cache"), started(home, *files) as process:
        qtbot.waitUntil(lambda: is_open(home), timeout=PATIENCE_MS)
        yield
        process.send_signal(signal.SIGINT)
        assert finished(process).code == INTERRUPTED


def is_open(home: Path) -> bool:
    """It shows a conversation."""
    try:
        with closing(sqlite3.connect(f"{(home / 'data' / 'chats.db').as_uri()}?mode=ro", uri=True)) as chats:
            return bool(chats.execute("SELECT 1 FROM conversation").fetchall())
    except sqlite3.OperationalError:
        return False


def last_target(home: Path) -> str:
    try:
        return str(json.loads((home / "config" / "pairs.json").read_text(encoding="utf-8"))["pairs"][-1]["target"])
    except FileNotFoundError:
        return ""


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts and sockets are other things there")
def test_a_second_start_hands_its_file_to_the_window(qtbot: QtBot, tmp_path: Path, tiny_llama: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "Modelle\ngrößer"
    folder.mkdir()
    (folder / "ä \U0001f680.gguf").hardlink_to(tiny_llama)
    with window(qtbot, home):
        second = subprocess.run(
            command("ä \U0001f680.gguf"), cwd=folder, env=environment(home), capture_output=True, timeout=SECONDS
        )
        assert (second.returncode, second.stdout, second.stderr) == (0, b"", b"")
        qtbot.waitUntil(lambda: last_target(home) == str(folder / "ä \U0001f680.gguf"), timeout=PATIENCE_MS)


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts and sockets are other things there")
def test_a_file_that_is_not_there_opens_the_window_all_the_same(qtbot: QtBot, tmp_path: Path) -> None:
    with window(qtbot, tmp_path / "home", "nosuch.gguf"):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts and sockets are other things there")
def test_of_several_files_the_largest_is_the_target(
    qtbot: QtBot, tmp_path: Path, tiny_llama: Path, tiny_mamba: Path
) -> None:
    home, files = tmp_path / "home", sorted((tiny_llama, tiny_mamba), key=lambda file: -file.stat().st_size)
    with window(qtbot, home, *map(str, files)):
        qtbot.waitUntil(lambda: last_target(home) == str(files[0]), timeout=PATIENCE_MS)


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts and sockets are other things there")
def test_the_demo_by_its_name(qtbot: QtBot, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with window(qtbot, home, "demo"):
        qtbot.waitUntil(lambda: last_target(home) == str(demo_files()[0]), timeout=PATIENCE_MS)


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts and sockets are other things there")
def test_a_second_start_tells_what_is_wrong_with_its_file(qtbot: QtBot, tmp_path: Path) -> None:
    """The window may be behind others: whoever typed the name looks here."""
    home, diary = tmp_path / "home", tmp_path / "diary.gguf"
    diary.write_text("Dear diary")
    with window(qtbot, home):
        for name, reason in (("nosuch.gguf", "File not found: "), ("diary.gguf", "diary.gguf is not a GGUF model")):
            second = subprocess.run(
                command(name), cwd=tmp_path, env=environment(home), capture_output=True, text=True, timeout=SECONDS
            )
            assert (second.returncode, second.stdout) == (1, "")
            message, hint = second.stderr.splitlines()
            assert message.startswith(reason)
            assert hint.startswith("hint: ")
        assert last_target(home) != str(diary)


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts and sockets are other things there")
def test_when_it_has_ended_the_chats_are_whole_in_one_file(qtbot: QtBot, tmp_path: Path) -> None:
    """Whoever copies it has them all."""
    home = tmp_path / "home"
    with window(qtbot, home):
        pass
    assert [file.name for file in (home / "data").glob("chats.db*")] == ["chats.db"]
