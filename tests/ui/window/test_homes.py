"""The whole program where its folders lie in odd places: far from ASCII, on a full disk, on one that is read-only."""

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot
from support import asking_window
from support.desks import Person
from support.small_disks import fill, make_read_only, small_disk
from support.windows import opened, wait_for_pair

from specchat.domain.types import PairChoice
from specchat.store.chat_store import open_chat_store
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services

SECONDS = 120
KILOBYTES = 4000
FULL = "The disk is full: can't write chats.db.", "Free up some space and try again."


@dataclass(frozen=True)
class Seen:
    code: int
    told: list[list[str]]
    answer: str
    scale: float
    complaints: str


def ask(home: Path, *files: Path, **environment: str) -> Seen:
    """In a process of its own."""
    tests = Path(asking_window.__file__).parents[1]
    own = {"SPECCHAT_HOME": str(home), "PYTHONPATH": str(tests)}
    done = subprocess.run(
        [sys.executable, asking_window.__file__, *map(str, files)],
        env=os.environ | own | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
    )
    return Seen(done.returncode, **json.loads(done.stdout), complaints=done.stderr.decode())


def chats_of(home: Path) -> None:
    open_chat_store(home / "data" / "chats.db").close()


def test_paths_in_any_script(tmp_path: Path, tiny_llama: Path) -> None:
    """With a question in several of them, on a screen where all is twice as large."""
    folder = tmp_path / "Größe 世界 🚀 שלום"
    folder.mkdir()
    model = folder / "Modell – ñ 模型.gguf"
    model.write_bytes(tiny_llama.read_bytes())
    seen = ask(folder / "home", model, QT_SCALE_FACTOR="2")
    assert (seen.code, seen.told, seen.scale) == (0, [], 2.0)
    assert seen.answer
    with closing(open_chat_store(folder / "home" / "data" / "chats.db")) as store:
        (conversation,) = store.conversations()
        assert conversation.leaf is not None
        question, answer = store.path(conversation.leaf)
    assert question.text == asking_window.QUESTION
    assert answer.text == seen.answer


@pytest.mark.parametrize("used", [False, True])
def test_a_disk_that_is_read_only(tmp_path: Path, used: bool) -> None:
    home = tmp_path / "home"
    with small_disk(home, KILOBYTES):
        if used:
            chats_of(home)
        make_read_only(home)
        seen = ask(home)
    ((message, hint),) = seen.told
    assert (seen.code, seen.answer) == (1, "")
    assert message.startswith(f"Can't write {home / 'data'}")
    assert ": Read-only file system." in message
    assert hint.endswith("or set SPECCHAT_HOME to another folder.")
    assert "Traceback" not in seen.complaints


@pytest.mark.parametrize("used", [False, True])
def test_a_disk_without_any_room_for_chats(tmp_path: Path, used: bool) -> None:
    """SQLite cannot even read where it has no room for the index of its log."""
    home = tmp_path / "home"
    with small_disk(home, KILOBYTES):
        if used:
            chats_of(home)
        fill(home)
        seen = ask(home)
    assert (seen.code, seen.answer, seen.told) == (1, "", [list(FULL)])
    assert "Traceback" not in seen.complaints


def problem(person: Person) -> tuple[str, str]:
    assert person.window.problem.isVisible()
    return person.find(QTextEdit, "problemMessage").toPlainText(), person.find(QTextEdit, "problemHint").toPlainText()


def test_a_full_disk_gets_room_again(qtbot: QtBot, qapp: QApplication, tmp_path: Path, choice: PairChoice) -> None:
    """Until then there is no chat to ask in, and what was typed stays."""
    home = tmp_path / "disk"
    with small_disk(home, KILOBYTES):
        places = Paths(*(home / name for name in ("data", "config", "cache", "logs")))
        services = build_services(places)
        services.pair_settings.save(choice)
        filler = fill(home)
        with opened(services, ThemeManager(qapp)) as controller:
            wait_for_pair(controller)
            person = Person(qtbot, controller)
            assert controller.session.conversation is None
            person.write("Is there room?")
            for _ in range(2):
                person.click("sendButton")
                assert problem(person) == FULL
                assert person.window.composer.text == "Is there room?"
            filler.unlink()
            person.click("sendButton")
            assert person.wait_for_answer().text
            assert person.path[0].text == "Is there room?"
            assert person.window.composer.text == ""
            assert not person.window.problem.isVisible()
