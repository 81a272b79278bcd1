"""The window goes on with the chats that can be read, names the others and salvages them."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from support import salvaging_window
from support.damage import PAGE, chats_with_pages, make_chats
from support.known_loads import known_loads
from support.windows import opened

from specchat.domain.errors import UserError
from specchat.services.chat.chat_salvage import ChatSalvage
from specchat.store.database import damaged_chats_error
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager
from specchat.ui.start.damaged_chats_box import RecoveryChoice, ask_recovery_choice
from specchat.ui.start.damaged_chats_controller import DamagedChatsController
from specchat.window_bootstrap import build_services

SECONDS = 120


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Paths]:
    found = Paths(*(tmp_path / "home" / name for name in ("data", "config", "cache", "logs")))
    make_chats(found.chats)
    with known_loads(found.cache):
        yield found


def damage_one(places: Paths) -> int:
    """A page that one chat has for itself."""
    chats = chats_with_pages(places.chats)
    hit = next(chat for chat in chats if chat.pages.difference(*(other.pages for other in chats if other is not chat)))
    page = min(hit.pages.difference(*(other.pages for other in chats if other is not hit)))
    content = bytearray(places.chats.read_bytes())
    content[(page - 1) * PAGE : page * PAGE] = random.Random(1).randbytes(PAGE)
    places.chats.write_bytes(content)
    return hit.id


def test_a_damaged_chat_is_marked_and_named(qtbot: QtBot, qapp: QApplication, places: Paths) -> None:
    hit = damage_one(places)
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        damage = DamagedChatsController(controller, ChatSalvage(places.chats))
        damage.start()
        qtbot.waitUntil(controller.window.problem.isVisible)
        model = controller.window.sidebar.list._model
        assert model.data(model.index_of(hit), Qt.ItemDataRole.AccessibleTextRole) == f"Tides {hit}, damaged"
        problem = controller.window.problem
        assert f"“Tides {hit}”" in problem.accessibleName()
        assert "Recover chats…" in [button.text() for button in problem.findChildren(QAbstractButton)]
        damage.close()


def test_chats_that_are_whole_are_not_told_of(qtbot: QtBot, qapp: QApplication, places: Paths) -> None:
    assert ChatSalvage(places.chats).salvage() is None


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        ("Recover", RecoveryChoice.SALVAGE),
        ("Start with no chats", RecoveryChoice.START_EMPTY),
        ("Quit", RecoveryChoice.QUIT),
    ],
)
def test_what_is_asked_at_the_start(qapp: QApplication, tmp_path: Path, words: str, wish: RecoveryChoice) -> None:
    def click() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        next(button for button in box.buttons() if button.text().startswith(words)).click()

    QTimer.singleShot(0, click)
    assert ask_recovery_choice(damaged_chats_error(tmp_path / "chats.db")) is wish


def test_other_errors_only_end_the_start(qapp: QApplication) -> None:
    QTimer.singleShot(0, QApplication.closeAllWindows)
    assert ask_recovery_choice(UserError("No.", "Try again.")) is RecoveryChoice.QUIT


@pytest.mark.parametrize("pages", ["one chat", "the first"])
def test_the_window_salvages_and_opens_again(places: Paths, pages: str) -> None:
    """Where it can open, by its button; else by that of the dialog at the start."""
    if pages == "one chat":
        damage_one(places)
    else:
        content = places.chats.read_bytes()
        places.chats.write_bytes(b"\xa5" * PAGE + content[PAGE:])
    tests = Path(salvaging_window.__file__).parents[1]
    own = {"SPECCHAT_HOME": str(places.data.parent), "PYTHONPATH": os.pathsep.join([str(tests), *sys.path])}
    done = subprocess.run(
        [sys.executable, salvaging_window.__file__], env=os.environ | own, capture_output=True, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout.split()[-1] == b"25"
    assert places.chats.with_name("chats-damaged-1.db").exists()
    ChatSalvage(places.chats).require_intact()
