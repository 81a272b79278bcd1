import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pytestqt.qtbot import QtBot

from specchat.ui.instance.file_open_queue import FileOpenQueue

SECONDS = 60
A, B, C = Path("/models/a.gguf"), Path("/models/größer b.gguf"), Path("/models/c.gguf")
TOLD_BY_MACOS = """
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from specchat.ui.instance.mac_application import MacApplication
application = MacApplication([])
application.file_open_requested.connect(print)
for url in (QUrl.fromLocalFile("/models/a b.gguf"), QUrl("https://example.org/a.gguf")):
    MacApplication.sendEvent(application, QFileOpenEvent(url))
"""


class Window:
    def __init__(self) -> None:
        self.opened: list[Sequence[Path]] = []


def test_files_wait_for_the_window(qtbot: QtBot) -> None:
    window, files = Window(), FileOpenQueue([A])
    files.add_files([B])
    files.add_files([])
    files.set_handler(window.opened.append)
    assert window.opened == [(A, B)]


def test_those_that_come_together_are_opened_together(qtbot: QtBot) -> None:
    window, files = Window(), FileOpenQueue([A])
    files.set_handler(window.opened.append)
    files.add_files([B])
    files.add_files([C])
    qtbot.waitUntil(lambda: window.opened == [(A,), [A, B, C]])
    files.add_files([A])
    files.add_files([B])
    qtbot.waitUntil(lambda: window.opened[2:] == [[A, B]])


def test_the_window_alone(qtbot: QtBot) -> None:
    window, files = Window(), FileOpenQueue()
    files.set_handler(window.opened.append)
    files.add_files([])
    qtbot.waitUntil(lambda: window.opened == [(), []])


def test_what_was_opened_is_not_opened_again(qtbot: QtBot) -> None:
    window, files = Window(), FileOpenQueue([A])
    files.set_handler(window.opened.append)
    with qtbot.waitSignal(files._pause.timeout):
        pass
    files.add_files([B])
    qtbot.waitUntil(lambda: window.opened == [(A,), [B]])


def test_macos_tells_the_application() -> None:
    """One of them is in no folder."""
    told = subprocess.run(
        [sys.executable, "-c", TOLD_BY_MACOS], stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS
    )
    assert told.stdout.splitlines() == ["/models/a b.gguf"]
