import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from specchat.domain.errors import Cancelled, UserError
from specchat.ui.start.mistakes import Mistakes

INTERRUPTED = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from specchat.ui.start.mistakes import Mistakes
def interrupt():
    raise KeyboardInterrupt
application = QCoreApplication([])
QTimer.singleShot(0, interrupt)
with Mistakes(Path("logs")).caught():
    sys.exit(application.exec())
"""


@pytest.fixture
def mistakes(qtbot: QtBot) -> Iterator[Mistakes]:
    mistakes = Mistakes(Path("/the/logs"))
    with mistakes.caught():
        yield mistakes


@pytest.fixture
def heard(mistakes: Mistakes) -> list[UserError]:
    errors: list[UserError] = []
    mistakes.happened.connect(errors.append)
    return errors


def fail() -> None:
    raise ZeroDivisionError("nothing to divide by")


def test_a_failing_slot_is_explained_and_logged(
    qtbot: QtBot, heard: list[UserError], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    button.clicked.connect(fail)
    with caplog.at_level(logging.INFO):
        button.click()
    assert [error.message for error in heard] == ["specchat made a mistake: ZeroDivisionError: nothing to divide by"]
    assert "/the/logs" in heard[0].hint
    assert "in fail" in caplog.text
    assert "Traceback" not in capfd.readouterr().err


def test_each_mistake_is_told_once(qtbot: QtBot, heard: list[UserError]) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    button.clicked.connect(fail)
    button.clicked.connect(lambda: int("none"))
    button.click()
    button.click()
    assert [error.message.split(":")[1] for error in heard] == [" ZeroDivisionError", " ValueError"]


def test_mistakes_of_other_threads(qtbot: QtBot, mistakes: Mistakes) -> None:
    class Failing(QThread):
        def run(self) -> None:
            fail()

    where: list[QThread] = []
    mistakes.happened.connect(lambda _: where.append(QThread.currentThread()))
    failing = Failing()
    with qtbot.waitSignal(mistakes.happened):
        failing.start()
    failing.wait()
    plain = threading.Thread(target=lambda: [][0])
    with qtbot.waitSignal(mistakes.happened):
        plain.start()
    plain.join()
    assert where[-1] is mistakes.thread()


def test_what_the_user_can_mend_keeps_its_words(mistakes: Mistakes, heard: list[UserError]) -> None:
    error = UserError("The disk is full.", "Make room.")
    mistakes.report_mistake(error)
    mistakes.report_mistake(error)
    assert heard == [error, error]


def test_stopping_is_no_mistake(mistakes: Mistakes, heard: list[UserError]) -> None:
    mistakes.report_mistake(Cancelled())
    assert not heard


def test_an_interrupt_ends_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], env=os.environ, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, b"")


def test_the_hooks_are_put_back(qtbot: QtBot) -> None:
    before = sys.excepthook, threading.excepthook
    with Mistakes(Path("/the/logs")).caught():
        assert sys.excepthook != before[0]
    assert (sys.excepthook, threading.excepthook) == before
