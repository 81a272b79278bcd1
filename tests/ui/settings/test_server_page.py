import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit, QPushButton, QSpinBox, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.errors import UserError
from specchat.services.settings.application_settings import ApplicationSettings, ThemeChoice
from specchat.services.settings.server_key import KeyStorage
from specchat.ui.server.api_activity import parse_client_name
from specchat.ui.server.server_state import ServerPhase, ServerState
from specchat.ui.settings.page import SettingsPage
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

URL = "http://127.0.0.1:8080/v1"


@pytest.fixture
def dialog(qtbot: QtBot, settings_model: SettingsModel) -> SettingsPage:
    made = SettingsPage(settings_model)
    qtbot.addWidget(made)
    made.show()
    made.turn_to("server")
    qtbot.waitExposed(made)
    return made


def label(dialog: SettingsPage, name: str) -> QLabel:
    found = dialog.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return found


def status(dialog: SettingsPage) -> str:
    shown = label(dialog, "serverStatus")
    assert shown.accessibleName() == shown.text()
    return shown.text()


def field(dialog: SettingsPage, name: str) -> QLineEdit:
    found = dialog.findChild(QLineEdit, name)
    assert isinstance(found, QLineEdit)
    return found


def button(dialog: SettingsPage, name: str) -> QPushButton:
    found = dialog.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_it_is_off_until_it_is_switched_on(dialog: SettingsPage, settings_model: SettingsModel) -> None:
    switch, port = dialog.findChild(QCheckBox, "serveOthers"), dialog.findChild(QSpinBox, "serverPort")
    assert switch is not None
    assert port is not None
    assert (switch.isChecked(), port.value(), status(dialog)) == (False, 8080, "Server off")
    switch.click()
    assert settings_model.value == ApplicationSettings(serving=True)
    port.setValue(9000)
    assert settings_model.value == ApplicationSettings(serving=True, server_port=9000)


def test_showing_settings_changes_none(dialog: SettingsPage, settings_model: SettingsModel) -> None:
    wanted = ApplicationSettings(serving=True, server_port=9000, theme=ThemeChoice.DARK)
    settings_model.change(wanted)
    assert settings_model.value == wanted
    assert label(dialog, "serverAddress").text() == "http://127.0.0.1:9000/v1"


def test_the_address_is_copied(qtbot: QtBot, dialog: SettingsPage) -> None:
    dialog.server_page.show_state(ServerState(ServerPhase.SERVING, URL))
    assert status(dialog) == "Server running"
    copy = button(dialog, "copyServerAddress")
    width = copy.width()
    copy.click()
    assert QApplication.clipboard().text() == URL
    assert copy.text() == "Copied"
    qtbot.waitUntil(lambda: copy.text() == "Copy")
    assert copy.width() == width
    assert label(dialog, "serverAddress").textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_what_went_wrong_is_said(dialog: SettingsPage) -> None:
    error = UserError("{port} unusable.", "Choose another port (--port).", port=80)
    dialog.server_page.show_state(ServerState(ServerPhase.FAILED, error=error))
    assert status(dialog) == "80 unusable. Choose another port."
    assert not button(dialog, "copyServerAddress").isEnabled()
    assert not button(dialog, "retryServer").isVisible()


def test_what_may_work_later_is_tried_again(qtbot: QtBot, dialog: SettingsPage) -> None:
    error = UserError("Another program is using it.", "Try again.")
    dialog.server_page.show_state(ServerState(ServerPhase.FAILED, error=error, can_retry=True))
    with qtbot.waitSignal(dialog.server_page.retry_requested):
        button(dialog, "retryServer").click()
    dialog.server_page.show_state(ServerState(ServerPhase.SERVING, URL))
    assert not button(dialog, "retryServer").isVisible()
    assert button(dialog, "copyServerAddress").isEnabled()


@pytest.mark.parametrize("phase", ServerPhase)
def test_each_phase_has_its_words(dialog: SettingsPage, phase: ServerPhase) -> None:
    dialog.server_page.show_state(ServerState(phase))
    assert status(dialog)


def test_a_key_is_given_and_never_shown(qtbot: QtBot, dialog: SettingsPage) -> None:
    key = field(dialog, "serverKey")
    dialog.server_page.key.show_location(KeyStorage.NOWHERE)
    assert not button(dialog, "saveServerKey").isEnabled()
    assert not button(dialog, "forgetServerKey").isEnabled()
    QTest.keyClicks(key, "secret")
    assert key.echoMode() is QLineEdit.EchoMode.Password
    with qtbot.waitSignal(dialog.server_page.key.key_entered) as signal:
        QTest.keyClick(key, Qt.Key.Key_Return)
    assert signal.args == ["secret"]
    dialog.server_page.key.show_location(KeyStorage.KEYRING)
    assert key.text() == ""
    assert key.placeholderText() == "API key set"
    assert key.accessibleDescription() == KeyStorage.KEYRING.description
    with qtbot.waitSignal(dialog.server_page.key.remove_key_requested):
        button(dialog, "forgetServerKey").click()


def test_a_key_that_is_lost_can_be_forgotten(dialog: SettingsPage, settings_model: SettingsModel) -> None:
    settings_model.change(ApplicationSettings(server_key=True))
    dialog.server_page.key.show_location(KeyStorage.NOWHERE)
    assert button(dialog, "forgetServerKey").isEnabled()
    assert field(dialog, "serverKey").accessibleDescription().startswith("The key is missing.")
    settings_model.change(ApplicationSettings())
    assert field(dialog, "serverKey").accessibleDescription().startswith("Without a key")


def test_without_a_keyring_a_key_lasts_until_the_end(dialog: SettingsPage, settings_model: SettingsModel) -> None:
    settings_model.change(ApplicationSettings(server_key=True))
    dialog.server_page.key.show_location(KeyStorage.THIS_RUN)
    assert field(dialog, "serverKey").placeholderText() == "API key set"
    assert "kept only until specchat quits" in field(dialog, "serverKey").accessibleDescription()


def test_everything_has_its_name(dialog: SettingsPage) -> None:
    for name in ("serveOthers", "serverPort", "serverAddress", "copyServerAddress", "serverKey", "saveServerKey"):
        found = dialog.findChild(QWidget, name)
        assert found is not None
        assert found.accessibleName(), name
    tabs = dialog.findChild(QTabBar, "settingsTabs")
    assert tabs is not None
    assert tabs.tabText(tabs.currentIndex()) == "Server"


def test_themes(dialog: SettingsPage) -> None:
    light = dialog.grab().toImage()
    set_current_theme(DARK)
    assert dialog.grab().toImage() != light


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("Continue/1.2.3", "Continue"),
        ("OpenAI/Python 2.1.0", "OpenAI"),
        ("curl/8.5.0", "curl"),
        ("Mozilla/5.0 (X11; Linux x86_64)", ""),
        ("", ""),
    ],
)
def test_programs_by_their_names(sent: str, shown: str) -> None:
    assert parse_client_name(sent) == shown
