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
from specchat.ui.start.exception_reporter import ExceptionReporter

INTERRUPTED = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from specchat.ui.start.exception_reporter import ExceptionReporter
def interrupt():
    raise KeyboardInterrupt
application = QCoreApplication([])
QTimer.singleShot(0, interrupt)
with ExceptionReporter(Path("logs")).hooks_installed():
    sys.exit(application.exec())
"""


@pytest.fixture
def mistakes(qtbot: QtBot) -> Iterator[ExceptionReporter]:
    mistakes = ExceptionReporter(Path("/the/logs"))
    with mistakes.hooks_installed():
        yield mistakes


@pytest.fixture
def heard(mistakes: ExceptionReporter) -> list[UserError]:
    errors: list[UserError] = []
    mistakes.error_reported.connect(errors.append)
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
    assert [error.message for error in heard] == [
        "specchat hit an internal error: ZeroDivisionError: nothing to divide by"
    ]
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


def test_mistakes_of_other_threads(qtbot: QtBot, mistakes: ExceptionReporter) -> None:
    class Failing(QThread):
        def run(self) -> None:
            fail()

    where: list[QThread] = []
    mistakes.error_reported.connect(lambda _: where.append(QThread.currentThread()))
    failing = Failing()
    with qtbot.waitSignal(mistakes.error_reported):
        failing.start()
    failing.wait()
    plain = threading.Thread(target=lambda: [][0])
    with qtbot.waitSignal(mistakes.error_reported):
        plain.start()
    plain.join()
    assert where[-1] is mistakes.thread()


def test_what_the_user_can_mend_keeps_its_words(mistakes: ExceptionReporter, heard: list[UserError]) -> None:
    error = UserError("The disk is full.", "Make room.")
    mistakes.report_exception(error)
    mistakes.report_exception(error)
    assert heard == [error, error]


def test_stopping_is_no_mistake(mistakes: ExceptionReporter, heard: list[UserError]) -> None:
    mistakes.report_exception(Cancelled())
    assert not heard


def test_an_interrupt_ends_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], env=os.environ, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, b"")


def test_the_hooks_are_put_back(qtbot: QtBot) -> None:
    before = sys.excepthook, threading.excepthook
    with ExceptionReporter(Path("/the/logs")).hooks_installed():
        assert sys.excepthook != before[0]
    assert (sys.excepthook, threading.excepthook) == before
