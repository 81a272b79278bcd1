"""The token goes from the field to the keyring, and is seen nowhere else."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from huggingface_hub import close_session
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMessageBox, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from support.downloading import IMPATIENT
from support.hub import Fault, LocalHub
from support.keyrings import LockedKeyring, MemoryKeyring, using
from support.settings import make_settings_model

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.hub import HubQuery
from specchat.services.hub.hub_token import HubToken, TokenStorage
from specchat.sources.hugging_face import HuggingFace
from specchat.ui.settings.hub_token_controller import HubTokenController
from specchat.ui.settings.page import SettingsPage
from specchat.ui.threads.task_queue import TaskQueue

CANARY, WRONG = "hf_canaryThatSingsNowhere", "hf_canaryThatNobodyKnows"
KEPT = "The token is stored in this computer's keyring."
NO_TOKEN = "No token set. Public models don't need one."


class Desk:
    def __init__(self, qtbot: QtBot, logs: Path, hub: LocalHub) -> None:
        self._qtbot = qtbot
        self.token = HubToken(lambda *asked: self.source.whoami(*asked))
        self.source = HuggingFace(self.token, hub.endpoint, patience=IMPATIENT, doubted=self.token.report_rejection)
        self.tasks = TaskQueue(logs)
        self.dialog = SettingsPage(make_settings_model(logs))
        qtbot.addWidget(self.dialog)
        self.control = HubTokenController(self.token, self.tasks)
        self.control.attach(self.dialog.hub_page)
        self.changes: list[None] = []
        self.control.changed.connect(lambda: self.changes.append(None))
        self.doubts: list[UserError] = []
        self.control.token_rejected.connect(self.doubts.append)

    def open(self) -> None:
        self.dialog.show()
        self.dialog.turn_to("hub")
        self._qtbot.waitUntil(lambda: not self.home.startswith(("Reading", "Checking")))

    @property
    def field(self) -> QLineEdit:
        found = self.dialog.findChild(QLineEdit, "hubToken")
        assert found is not None
        return found

    def button(self, name: str) -> QPushButton:
        found = self.dialog.findChild(QPushButton, name)
        assert found is not None
        return found

    def label(self, name: str) -> QLabel:
        found = self.dialog.findChild(QLabel, name)
        assert found is not None
        return found

    @property
    def home(self) -> str:
        return self.label("tokenHome").text()

    @property
    def standing(self) -> str:
        label = self.label("tokenStanding")
        return label.text() if label.isVisible() else ""

    @property
    def focused(self) -> str:
        focus = self.dialog.focusWidget()
        return focus.objectName() if focus else ""

    def give(self, token: str) -> None:
        QTest.keyClicks(self.field, token)
        QTest.keyClick(self.field, Qt.Key.Key_Return)

    def until_home(self, words: str) -> None:
        self._qtbot.waitUntil(lambda: self.home == words)


@pytest.fixture(autouse=True)
def no_token_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)


@pytest.fixture
def keyrings() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def memory(keyrings: ExitStack) -> MemoryKeyring:
    backend = MemoryKeyring()
    keyrings.enter_context(using(backend))
    return backend


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as local_hub:
        local_hub.token(CANARY, name="ann")
        yield local_hub
    close_session()


@pytest.fixture
def controller(qtbot: QtBot, keyrings: ExitStack, tmp_path: Path, hub: LocalHub) -> Iterator[Desk]:
    made = Desk(qtbot, tmp_path, hub)
    yield made
    made.control.close()
    made.tasks.close()


def seen_of(dialog: QWidget) -> str:
    """All that the window shows or says to a screen reader."""
    words = []
    for widget in (dialog, *dialog.findChildren(QWidget)):
        words += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip(), widget.whatsThis()]
        words += [str(widget.property(name)) for name in ("placeholderText", "displayText")]
        if not isinstance(widget, QLineEdit):
            words.append(str(widget.property("text")))
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface:
            words += [interface.text(kind) for kind in QAccessible.Text if kind is not QAccessible.Text.UserText]
    return "\n".join(words)


def test_a_token_is_kept_and_forgotten(memory: MemoryKeyring, controller: Desk) -> None:
    controller.open()
    assert controller.home == NO_TOKEN
    assert not controller.button("saveToken").isEnabled()
    assert not controller.button("forgetToken").isEnabled()
    controller.give(CANARY)
    controller.until_home(KEPT)
    assert list(memory.kept.values()) == [CANARY]
    assert controller.field.text() == ""
    assert controller.standing == "Signed in as ann."
    assert controller.field.accessibleDescription() == f"Signed in as ann. {KEPT}"
    controller.button("forgetToken").click()
    controller.until_home(NO_TOKEN)
    assert memory.kept == {}
    assert controller.standing == ""
    assert len(controller.changes) == 2


def test_one_that_the_hub_does_not_know(
    memory: MemoryKeyring, controller: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    controller.open()
    controller.give(WRONG)
    problem = controller.label("tokenProblem")
    controller._qtbot.waitUntil(problem.isVisible)
    assert problem.text().startswith("127.0.0.1 rejected this token, so it wasn't saved.")
    assert (controller.home, controller.standing, memory.kept, controller.changes) == (NO_TOKEN, "", {}, [])
    assert (controller.focused, controller.field.hasSelectedText()) == ("hubToken", True)
    assert WRONG not in seen_of(controller.dialog) + caplog.text
    controller.give(CANARY)
    controller.until_home(KEPT)
    assert not problem.isVisible()


@pytest.mark.parametrize("fault", [Fault(status=503), Fault(reset=True), Fault(status=404)], ids=repr)
def test_one_that_cannot_be_checked(memory: MemoryKeyring, controller: Desk, hub: LocalHub, fault: Fault) -> None:
    hub.fault("/api/whoami-v2", fault)
    controller.open()
    controller.give(CANARY)
    controller.until_home(KEPT)
    assert controller.standing.startswith("Couldn't check the token: ")
    assert list(memory.kept.values()) == [CANARY]
    assert len(controller.changes) == 1


def test_the_end_does_not_wait_for_the_hub(memory: MemoryKeyring, controller: Desk, hub: LocalHub) -> None:
    hub.fault("/api/whoami-v2", Fault(stalled=3600))
    controller.open()
    controller.give(CANARY)
    hub.wait_until(lambda: bool(hub.requests))
    controller.control.close()
    controller.tasks.close()
    assert memory.kept == {}


def test_a_token_that_has_expired_is_told_once(memory: MemoryKeyring, controller: Desk, hub: LocalHub) -> None:
    memory.set_password("specchat", "Hugging Face", WRONG)
    for _ in range(2):
        controller.source.search(HubQuery(), None, CancelToken())
    controller._qtbot.waitUntil(lambda: bool(controller.doubts))
    controller.open()
    assert [error.message for error in controller.doubts] == ["127.0.0.1 rejected your token. It may have expired."]
    assert controller.standing == controller.doubts[0].message


def test_the_focus_stays_with_the_token(memory: MemoryKeyring, controller: Desk) -> None:
    controller.open()
    assert controller.focused == "hubToken"
    QTest.keyClicks(controller.field, CANARY)
    QTest.mouseClick(controller.button("saveToken"), Qt.MouseButton.LeftButton)
    assert controller.focused == "hubToken"
    controller.until_home(KEPT)
    assert controller.focused == "hubToken"
    QTest.mouseClick(controller.button("forgetToken"), Qt.MouseButton.LeftButton)
    controller.until_home(NO_TOKEN)
    assert controller.focused == "hubToken"
    (tabs,) = controller.dialog.findChildren(QTabBar, "settingsTabs")
    tabs.setFocus()
    controller.dialog.turn_to("hub")
    assert controller.focused == "hubToken"


def test_what_is_typed_before_the_keyring_answers_stays(memory: MemoryKeyring, controller: Desk) -> None:
    controller.dialog.show()
    controller.dialog.turn_to("hub")
    QTest.keyClicks(controller.field, CANARY)
    controller._qtbot.waitUntil(controller.button("saveToken").isEnabled)
    assert controller.field.text() == CANARY


def test_the_keyring_is_not_asked_before_someone_looks(qtbot: QtBot, memory: MemoryKeyring, controller: Desk) -> None:
    memory.set_password("specchat", "Hugging Face", CANARY)
    with qtbot.assertNotEmitted(controller.dialog.hub_page.token_state_requested):
        controller.dialog.show()
        controller.dialog.turn_to("application")
    controller.open()
    assert controller.home == KEPT
    assert controller.button("forgetToken").isEnabled()


def test_the_token_is_seen_nowhere(
    memory: MemoryKeyring, controller: Desk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    controller.open()
    QTest.keyClicks(controller.field, CANARY)
    assert controller.field.text() == CANARY
    typed = seen_of(controller.dialog)
    controller.button("saveToken").click()
    asking = seen_of(controller.dialog)
    controller.until_home(KEPT)
    QTest.keyClick(controller.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert controller.field.text() == ""
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    for words in (typed, asking, seen_of(controller.dialog), caplog.text, written):
        assert CANARY not in words


def test_what_is_no_token(memory: MemoryKeyring, controller: Desk, caplog: pytest.LogCaptureFixture) -> None:
    controller.open()
    controller.give(f"{CANARY} twice")
    problem = controller.label("tokenProblem")
    controller._qtbot.waitUntil(problem.isVisible)
    assert "Not a valid token" in problem.text()
    assert CANARY not in seen_of(controller.dialog) + caplog.text
    assert controller.field.isEnabled()
    assert memory.kept == {}
    controller.field.setText("")
    controller.give(CANARY)
    controller.until_home(KEPT)
    assert not problem.isVisible()


def test_without_a_keyring(keyrings: ExitStack, controller: Desk, caplog: pytest.LogCaptureFixture) -> None:
    keyrings.enter_context(using(LockedKeyring()))
    controller.open()
    controller.give(CANARY)
    controller.until_home("This computer has no keyring, so the token is kept only until specchat quits.")
    assert controller.token() == CANARY
    controller.button("forgetToken").click()
    problem = controller.label("tokenProblem")
    controller._qtbot.waitUntil(problem.isVisible)
    assert "Couldn't delete" in problem.text()
    assert CANARY not in seen_of(controller.dialog) + caplog.text
    assert controller.home == NO_TOKEN


def test_a_token_of_the_environment(memory: MemoryKeyring, controller: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", CANARY)
    controller.open()
    assert controller.home == TokenStorage.ENVIRONMENT.description
    assert not controller.field.isEnabled()
    assert controller.focused != "makeToken"
    assert not controller.button("forgetToken").isEnabled()
    assert CANARY not in seen_of(controller.dialog)


def test_where_tokens_are_made(memory: MemoryKeyring, controller: Desk) -> None:
    asked: list[str] = []

    def refuse() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.informativeText())
        box.reject()

    controller.open()
    QTimer.singleShot(0, refuse)
    controller.button("makeToken").click()
    assert asked == ["https://huggingface.co/settings/tokens"]


def test_the_page_comes_by_its_tab(memory: MemoryKeyring, controller: Desk) -> None:
    controller.dialog.show()
    controller.dialog.turn_to("conversation")
    controller.dialog.setFocus()
    tabs = controller.dialog.findChild(QTabBar, "settingsTabs")
    assert tabs is not None
    tabs.setCurrentIndex(2)
    controller.until_home(NO_TOKEN)
    assert controller.focused == "hubToken"
    tabs.setFocus()
    for page in (1, 2):
        tabs.setCurrentIndex(page)
        assert controller.focused == "settingsTabs"
    assert tabs.tabText(2) == "Hugging Face"
    assert controller.field.accessibleName() == "Token"
    assert controller.field.accessibleDescription() == NO_TOKEN
