"""What the dialog about specchat tells, asks and opens."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot
from support.parts import LICENCE
from support.release_server import PAGE, ReleaseServer, release_server

from specchat import __version__
from specchat.services.program.licences import Licences
from specchat.services.program.update_checker import UpdateChecker
from specchat.ui.about.controller import AboutController
from specchat.ui.about.dialog import AboutDialog
from specchat.ui.about.specchat_page import COPYRIGHT
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

W = TypeVar("W", bound=QWidget)
NOT_ASKED = "specchat checks for updates only when you click."


class Opener(QObject):
    """In place of the desktop's own programs."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[QUrl] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url)


class Reader:
    """Someone who looks at the dialog."""

    def __init__(self, qtbot: QtBot, address: str, logs: Path) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.about = AboutController(UpdateChecker(address, "0.1.0"), Licences(logs / "none"), logs, self.window)
        self.dialog: AboutDialog = self.about.dialog
        self.dialog.open_first_page()
        self._qtbot = qtbot

    def find(self, kind: type[W], name: str) -> W:
        found = self.dialog.findChild(kind, name)
        assert found is not None, name
        return found

    def click(self, name: str) -> None:
        QTest.mouseClick(self.find(QAbstractButton, name), Qt.MouseButton.LeftButton)

    @property
    def status(self) -> str:
        return self.find(QLabel, "updateStatus").text()

    def sees(self, name: str) -> bool:
        return self.find(QWidget, name).isVisible()

    def until(self, words: str) -> None:
        self._qtbot.waitUntil(lambda: self.status.startswith(words))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ReleaseServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with release_server() as made:
        yield made


@pytest.fixture
def reader(qtbot: QtBot, server: ReleaseServer, tmp_path: Path) -> Iterator[Reader]:
    someone = Reader(qtbot, server.address, tmp_path)
    yield someone
    someone.about.close()


@pytest.fixture
def opener() -> Iterator[Opener]:
    made = Opener()
    for scheme in ("https", "file"):
        QDesktopServices.setUrlHandler(scheme, made, "open")  # type: ignore[arg-type]
    yield made
    for scheme in ("https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


def test_what_this_is(reader: Reader) -> None:
    words = "\n".join(label.text() for label in reader.dialog.findChildren(QLabel))
    for expected in (f"specchat {__version__}", f"{COPYRIGHT} · MIT license", "llama-cpp-python 0.", "6."):
        assert expected in words
    assert COPYRIGHT.replace("©", "Copyright (c)") in LICENCE.splitlines()


def test_it_says_where_chats_go(reader: Reader) -> None:
    words = reader.find(QLabel, "aboutPrivacy").text()
    assert "sent only to other engines, machines and MCP servers that you add. Otherwise, specchat goes" in words


def test_every_control_has_a_name(reader: Reader) -> None:
    for button in reader.dialog.findChildren(QPushButton):
        assert button.objectName()
        assert button.text() or not button.isVisible()
    for name in ("aboutTabs", "updateNotes", "licenceFilter", "licenceList"):
        assert reader.find(QWidget, name).accessibleName()
    assert reader.dialog.accessibleName() == "About specchat"


def test_details_for_a_report_name_nobody(reader: Reader) -> None:
    reader.click("copyDetails")
    copied = QGuiApplication.clipboard().text()
    first, *rest = copied.splitlines()
    assert first == f"specchat {__version__}"
    assert [line.partition(": ")[0] for line in rest] == ["Installation", "System", "llama.cpp", "Qt", "Python"]
    assert str(Path.home()) not in copied
    assert not re.search(r"[/\\](home|Users|usr|tmp)\b", copied)
    assert reader.find(QLabel, "aboutTold").text().startswith("Copied.")


def test_the_logs_are_opened(reader: Reader, opener: Opener, tmp_path: Path) -> None:
    reader.click("openLogs")
    assert [Path(url.toLocalFile()) for url in opener.opened] == [tmp_path]


def test_nobody_is_asked_before_the_click(reader: Reader, server: ReleaseServer) -> None:
    assert reader.status.startswith(NOT_ASKED)
    assert "127.0.0.1" in reader.status
    reader.dialog.accept()
    reader.dialog.open_first_page()
    assert server.requests == []
    reader.click("checkForUpdates")
    reader.until("specchat 0.2.0")
    assert len(server.requests) == 1


def test_this_is_the_newest_version(reader: Reader, server: ReleaseServer) -> None:
    server.tell("0.1.0")
    reader.click("checkForUpdates")
    reader.until(f"specchat {__version__} is up to date.")
    assert not reader.sees("openDownloadPage")
    assert not reader.sees("updateNotes")


@pytest.mark.parametrize("agreed", [True, False])
def test_the_download_page_is_opened_after_a_question(
    reader: Reader, server: ReleaseServer, opener: Opener, agreed: bool
) -> None:
    server.tell("0.2.0", notes="<b>Faster.</b>")
    reader.click("checkForUpdates")
    reader.until("specchat 0.2.0 is available.")
    assert reader.find(QPlainTextEdit, "updateNotes").toPlainText() == "<b>Faster.</b>"
    asked: list[str] = []

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.informativeText())
        next(each for each in box.buttons() if (each.text() == "Open") is agreed).click()

    QTimer.singleShot(0, answer)
    reader.click("openDownloadPage")
    assert asked == [PAGE]
    assert opener.opened == ([QUrl(PAGE)] if agreed else [])


def test_what_goes_wrong_is_told_and_can_be_tried_again(reader: Reader, server: ReleaseServer) -> None:
    server.status = 503
    reader.click("checkForUpdates")
    reader.until("Couldn't check for updates.")
    assert reader.sees("problem")
    told = [reader.find(QTextEdit, name).toPlainText() for name in ("problemMessage", "problemHint")]
    assert told == ["127.0.0.1 has a server problem (error 503).", "Try again in a few minutes."]
    server.status = 200
    reader.click("checkForUpdates")
    reader.until("specchat 0.2.0 is available.")
    assert not reader.sees("problem")


def test_asking_can_be_stopped(reader: Reader, server: ReleaseServer, qtbot: QtBot) -> None:
    server.holds = True
    reader.click("checkForUpdates")
    assert reader.status == "Checking 127.0.0.1…"
    qtbot.waitUntil(server.reached.is_set)
    reader.click("checkForUpdates")
    assert reader.status.startswith(NOT_ASKED)


def test_closing_the_dialog_stops_asking(reader: Reader, server: ReleaseServer, qtbot: QtBot) -> None:
    server.holds = True
    reader.click("checkForUpdates")
    qtbot.waitUntil(server.reached.is_set)
    QTest.keyClick(reader.dialog, Qt.Key.Key_Escape)
    assert not reader.dialog.isVisible()
    reader.dialog.open_first_page()
    assert reader.status.startswith(NOT_ASKED)
    server.holds = False
    reader.click("checkForUpdates")
    reader.until("specchat 0.2.0 is available.")


def test_the_program_ends_while_it_asks(reader: Reader, server: ReleaseServer, qtbot: QtBot) -> None:
    server.holds = True
    reader.click("checkForUpdates")
    qtbot.waitUntil(server.reached.is_set)
    reader.about.close()
    assert reader.status == "Checking 127.0.0.1…"


def test_where_updates_come_some_other_way(qtbot: QtBot, tmp_path: Path) -> None:
    someone = Reader(qtbot, "", tmp_path)
    assert someone.status.startswith("Update checks are off in this copy.")
    assert not someone.sees("checkForUpdates")
    someone.about.close()


def test_it_follows_the_theme(reader: Reader) -> None:
    before = reader.dialog.grab().toImage()
    set_current_theme(DARK)
    assert reader.dialog.grab().toImage() != before
