"""The settings page for tools, with a real file and a real server."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import TypeVar

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from support.windows import wait_until

from specchat.container import Container
from specchat.domain.tool_servers import ServerState
from specchat.services.tools.tool_service import ToolService
from specchat.store.paths import Paths
from specchat.ui.session import Session
from specchat.ui.tools.server_card import ServerCard
from specchat.ui.tools.server_dialog import ServerDialog
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.tools.tools_controller import ToolsController
from specchat.ui.tools.tools_page import ToolsPage
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.widgets.notice import Notice
from specchat.ui.window.notification_controller import NotificationController

RAW = str(Path(__file__).parents[2] / "support" / "mcp" / "raw_server.py")


class Settings:
    def __init__(self, qtbot: QtBot, home: Path) -> None:
        self.parts = Container(Paths(*(home / name for name in ("data", "config", "cache", "logs"))))
        self.tools = ToolList(self.parts.tools)
        self.page = ToolsPage()
        qtbot.addWidget(self.page)
        session = Session(self.page)
        self.notices = NotificationController(session, ErrorCard(self.page), Notice(self.page), self.page)
        self.controller = ToolsController(self.tools, session, self.notices, self.page)
        self.page.show()
        self.close = self.tools.close

    @property
    def file(self) -> Path:
        return self.tools.service.file.path

    @property
    def card(self) -> ServerCard:
        (card,) = self.page.cards
        return card

    def click(self, name: str, within: QWidget) -> None:
        button = within.findChild(QAbstractButton, name)
        assert button is not None, name
        button.click()

    def wait_for(self, words: str) -> None:
        wait_until(lambda: any(words in card.accessibleDescription() for card in self.page.cards), words)


@pytest.fixture
def settings(qtbot: QtBot, tmp_path: Path) -> Iterator[Settings]:
    with closing(Settings(qtbot, tmp_path)) as opened:
        yield opened


def test_a_server_is_added_seen_enabled_and_removed(settings: Settings) -> None:
    settings.click("addToolServer", settings.page)
    dialog = settings.page.findChild(ServerDialog)
    assert dialog is not None
    for name, text in (
        ("toolServerName", "raw"),
        ("toolServerCommand", f"{sys.executable} -S -E '{RAW}' plain --api-key=k-654321"),
    ):
        field = dialog.findChild(QLineEdit, name)
        assert field is not None
        field.setText(text)
    values = dialog.findChild(QPlainTextEdit, "toolServerSettings")
    assert values is not None
    values.setPlainText("API_KEY=k-123456")
    settings.click("saveToolServer", dialog)
    stored = json.loads(settings.file.read_text())["mcpServers"]["raw"]
    assert stored == {
        "command": sys.executable,
        "args": ["-S", "-E", RAW, "plain", "--api-key=k-654321"],
        "env": {"API_KEY": "k-123456"},
    }
    assert settings.card.accessibleDescription() == "Off"
    texts = [each.toPlainText() for each in settings.card.findChildren(QWidget, "toolServerText")]  # type: ignore[attr-defined]
    assert "--api-key=•••" in texts[0]
    assert texts[1] == "API_KEY=•••"

    settings.card.switch.setFocus()
    settings.card.switch.click()
    question = settings.page.findChild(ConfirmationDialog)
    assert question is not None
    assert RAW in question.informativeText()
    assert "k-123456" not in question.informativeText()
    assert "k-654321" not in question.informativeText()
    assert settings.tools.service.servers()[0].status.state is ServerState.STOPPED
    question.confirmed.emit()
    settings.wait_for("Running, 1 tool")
    assert settings.card.switch.isChecked()
    assert settings.page.focusWidget() is settings.card.switch
    assert [each.tool.name for each in settings.tools.service.offered()] == ["look"]
    always = part(QAbstractButton, "alwaysAllowTool", settings.card)
    always.setFocus()
    always.click()
    assert settings.page.focusWidget() is part(QAbstractButton, "alwaysAllowTool", settings.card)
    settings.click("enableTool", settings.card)
    assert settings.tools.service.offered() == ()
    settings.card.switch.click()
    settings.wait_for("Off")
    settings.card.remove_requested.emit()
    next(each for each in settings.page.findChildren(ConfirmationDialog) if each is not question).confirmed.emit()
    assert settings.page.cards == []


def test_a_server_that_fails_says_why(settings: Settings) -> None:
    settings.file.parent.mkdir(parents=True, exist_ok=True)
    entry = {"command": sys.executable, "args": ["-S", "-E", RAW, "dies"]}
    settings.file.write_text(json.dumps({"mcpServers": {"raw": entry}}))
    settings.page.shown.emit()
    settings.tools.service.enable(settings.tools.service.servers()[0].config)
    settings.wait_for("Failed. It ended.")
    shown = [part.toPlainText() for part in settings.card.findChildren(QPlainTextEdit)]
    texts = [each.toPlainText() for each in settings.card.findChildren(QWidget, "toolServerText")]  # type: ignore[attr-defined]
    assert not shown
    assert texts[-1] == "no license found for TOKEN-1234"


def test_a_damaged_file_is_named_and_kept(settings: Settings) -> None:
    settings.file.parent.mkdir(parents=True, exist_ok=True)
    settings.file.write_text("{")
    settings.page.shown.emit()
    problem = settings.page.findChild(QWidget, "toolFileProblem")
    assert problem is not None
    assert "mcp.json can't be used" in problem.text()  # type: ignore[attr-defined]
    assert settings.file.read_text() == "{"


def test_without_a_program_for_the_file_its_path_is_told(
    settings: Settings, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    with qtbot.waitSignal(settings.notices.error_reported) as told:
        settings.click("openToolFile", settings.page)
    assert told.args is not None
    assert str(settings.file) in told.args[0].hint
    assert settings.file.exists()


T = TypeVar("T", bound=QWidget)


def part(kind: type[T], name: str, within: QWidget) -> T:
    found = within.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def fill_in(dialog: ServerDialog, command: str, values: str, name: str = "web") -> str:
    """What the dialog says after saving."""
    for field, text in (("toolServerName", name), ("toolServerCommand", command)):
        part(QLineEdit, field, dialog).setText(text)
    part(QPlainTextEdit, "toolServerSettings", dialog).setPlainText(values)
    part(QAbstractButton, "saveToolServer", dialog).click()
    return part(QLabel, "toolServerProblem", dialog).text()


def test_headers_are_entered_as_servers_document_them(settings: Settings) -> None:
    settings.click("addToolServer", settings.page)
    dialog = settings.page.findChild(ServerDialog)
    assert dialog is not None
    url = "http://127.0.0.1:1/mcp"
    assert fill_in(dialog, url, "Authorization") == "Write one Name: value per line."
    fill_in(dialog, url, "Authorization: Basic dXNlcjpwYXNz==\nX-Team=a:b")
    stored = json.loads(settings.file.read_text())["mcpServers"]["web"]
    assert stored == {"url": url, "headers": {"Authorization": "Basic dXNlcjpwYXNz==", "X-Team": "a:b"}}


def test_the_dialog_says_what_is_missing_and_finds_the_home_folder(settings: Settings) -> None:
    settings.click("addToolServer", settings.page)
    dialog = settings.page.findChild(ServerDialog)
    assert dialog is not None
    assert fill_in(dialog, "npx", "", name=" ") == "It has no name."
    assert fill_in(dialog, "", "") == "It has neither a command nor an address."
    assert fill_in(dialog, "npx", "Authorization: x") == "Write one NAME=value per line."
    fill_in(dialog, "npx -y server ~/Documents", "")
    stored = json.loads(settings.file.read_text())["mcpServers"]["web"]
    assert stored["args"] == ["-y", "server", str(Path.home() / "Documents")]


def test_editing_an_unusable_server_shows_what_is_wrong(settings: Settings) -> None:
    settings.file.parent.mkdir(parents=True, exist_ok=True)
    settings.file.write_text(json.dumps({"mcpServers": {"raw": {"command": "npx", "args": "-y server"}}}))
    settings.page.shown.emit()
    settings.card.edit_requested.emit()
    dialog = settings.page.findChild(ServerDialog)
    assert dialog is not None
    assert part(QLabel, "toolServerProblem", dialog).text() == "args must be a list of strings."
    assert part(QLineEdit, "toolServerCommand", dialog).text() == "npx"


def test_nothing_is_reported_after_the_end(settings: Settings, qapp: QApplication) -> None:
    """What a server's thread sent before arrives only now."""
    reports = list[str]()
    tell = list[Callable[[str], None]]()

    def make_tools(report: Callable[[str], None]) -> ToolService:
        tell.append(report)
        return settings.parts.tools(report)

    tools = ToolList(make_tools)
    tools.changed.connect(reports.append)
    assert tools.service.offered() == ()
    _in_a_thread(lambda: tell[0]("before"))
    qapp.processEvents()
    _in_a_thread(lambda: tell[0]("after"))
    tools.close()
    qapp.processEvents()
    assert reports == ["before"]


def _in_a_thread(call: Callable[[], None]) -> None:
    thread = Thread(target=call)
    thread.start()
    thread.join()
