"""The settings page for the local API server."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.domain.completions import ServerSettings
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.server.server_key_field import ServerKeyField
from specchat.ui.server.server_state import ServerPhase, ServerState
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import Separator, TextButton
from specchat.ui.widgets.copy_button import CopyButton
from specchat.ui.widgets.form_fields import (
    FIELD_HEIGHT,
    CheckBox,
    IntegerField,
    describe_field,
    labelled_field,
    muted_label,
)
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text

_HIGHEST_PORT = 65535
_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class ServerPage(QWidget):
    key_state_requested = Signal()
    """Where it is: not before someone looks, as the keyring may ask in turn."""
    retry_requested = Signal()

    def __init__(self, settings: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._state = ServerState()
        self._switch = CheckBox(self.tr("Enable local API server"), self)
        self._port = IntegerField(1, _HIGHEST_PORT, self)
        self._address = QLabel(self)
        self._copy = CopyButton(self)
        self.key = ServerKeyField(self)
        self._status = QLabel(self)
        self._retry = TextButton(self.tr("Try again"), self)
        self._purpose = muted_label(self._purpose_words(), self)
        self.setFocusProxy(self._switch)
        self._name_parts()
        self._arrange()
        self._switch.clicked.connect(self._change)
        self._port.valueChanged.connect(self._change)
        self._copy.clicked.connect(self._copy_address)
        self._retry.clicked.connect(self.retry_requested)
        settings.changed.connect(self._show_settings)
        self._show_settings(settings.value)
        self.show_state(self._state)

    def _show_settings(self, settings: ApplicationSettings) -> None:
        blocked = self._port.blockSignals(True)
        self._port.setValue(settings.server_port)
        self._port.blockSignals(blocked)
        self._switch.setChecked(settings.serving)
        self.key.set_required(is_needed=settings.server_key)
        self._show_address()

    def show_state(self, state: ServerState) -> None:
        self._state = state
        words = self._words(state)
        is_new = words != self._status.text()
        self._status.setText(words)
        self._status.setAccessibleName(words)
        is_bad = state.phase is ServerPhase.FAILED
        self._retry.setVisible(state.can_retry)
        self._purpose.setHidden(is_bad)
        self._copy.setDisabled(is_bad)
        if self._status.property("danger") != is_bad:
            self._status.setProperty("danger", is_bad)
            self._status.setProperty("muted", not is_bad)
            self._status.style().unpolish(self._status)
            self._status.style().polish(self._status)
        self._show_address()
        if is_new and self.isVisible():
            announce(self._switch, words)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.key_state_requested.emit()

    def _words(self, state: ServerState) -> str:
        if state.error is not None:
            return f"{translate_text(state.error.message)} {translate_text(state.error.hint)}"
        return {
            ServerPhase.OFF: self.tr("Server off"),
            ServerPhase.WAITING: self.tr("Server starts when a model is loaded"),
            ServerPhase.STARTING: self.tr("Starting…"),
            ServerPhase.SERVING: self.tr("Server running"),
            ServerPhase.STOPPING: self.tr("Stopping after the current answer…"),
            ServerPhase.FAILED: self.tr("Server off"),
        }[state.phase]

    def _show_address(self) -> None:
        """Before it serves, the one that it will have."""
        self._address.setText(
            self._state.url or f"http://{ServerSettings().host}:{self._settings.value.server_port}/v1"
        )

    def _change(self) -> None:
        self._settings.change(
            replace(self._settings.value, serving=self._switch.isChecked(), server_port=self._port.value())
        )

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._address.text())
        self._copy.confirm()
        announce(self._copy, self.tr("Address copied."))

    def _name_parts(self) -> None:
        describe_field(self._switch, "serveOthers", self._switch.text())
        describe_field(
            self._port,
            "serverPort",
            self.tr("Port"),
            self.tr("Choose another port if a program already uses this one."),
        )
        describe_field(self._address, "serverAddress", self.tr("Address"), self.tr("Enter this URL in other programs."))
        self._address.setTextFormat(Qt.TextFormat.PlainText)
        self._address.setTextInteractionFlags(_SELECTABLE)
        self._address.setFixedHeight(FIELD_HEIGHT)
        self._copy.setObjectName("copyServerAddress")
        self._copy.setAccessibleName(self.tr("Copy address"))
        self._status.setObjectName("serverStatus")
        self._status.setProperty("muted", True)
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setWordWrap(True)
        self._retry.setObjectName("retryServer")

    def _purpose_words(self) -> str:
        return self.tr(
            "Editors and scripts that use the API of OpenAI, Anthropic or Ollama can connect to the loaded models "
            "at this address. Any model name works, and each request sets its own sampling settings. Chats and API "
            "requests share the pair's “Answers at once”; further ones wait."
        )

    def _arrange(self) -> None:
        address = QHBoxLayout()
        address.setSpacing(2 * GRID)
        address.addWidget(self._address)
        address.addWidget(self._copy)
        address.addStretch()
        place = QHBoxLayout()
        place.setSpacing(2 * GRID)
        place.addWidget(labelled_field(self.tr("Port"), self._port, self))
        place.addWidget(labelled_field(self.tr("Address"), address, self), 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addWidget(self._switch)
        layout.addWidget(self._status)
        layout.addWidget(self._retry, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._purpose)
        layout.addWidget(Separator(self))
        layout.addLayout(place)
        layout.addWidget(muted_label(self.tr("Other computers can't connect to it."), self))
        layout.addWidget(self.key)
        layout.addStretch()
