"""The settings dialog, which is made when it is first opened, and who does what it says."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import UserError
from specchat.services.hub.token import HubToken
from specchat.services.once import Once
from specchat.services.settings.presets import Presets, is_built_in
from specchat.services.settings.ui_settings import UiSettings
from specchat.ui.chat.open_chat import OpenChat
from specchat.ui.chat.server_control import ServerControl
from specchat.ui.chat.token_control import TokenControl
from specchat.ui.settings.values import Preset
from specchat.ui.threads.tasks import Tasks
from specchat.ui.widgets.theme import Theme
from specchat.ui.words.translation import available_languages

if TYPE_CHECKING:
    from specchat.ui.settings_dialog import SettingsDialog


class SettingsControl(QObject):
    ui_changed = Signal(UiSettings)
    failed = Signal(UserError)
    token_changed = Signal()

    def __init__(
        self,
        chat: OpenChat,
        presets: Presets,
        token: HubToken,
        token_tasks: Tasks,
        server: ServerControl,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._chat, self._presets, self._server = chat, presets, server
        self._theme, self._parent = theme, parent
        self.dialog = Once(self._make)
        self._token = TokenControl(token, token_tasks, self)
        self._token.changed.connect(self.token_changed)
        self._token.doubted.connect(self.failed)
        chat.opened.connect(self._show_conversation)

    def open(self, ui: UiSettings, page: str = "") -> None:
        """Without a page at the conversation's, where there is one."""
        dialog = self.dialog()
        self._show_conversation()
        self.show_application(ui)
        dialog.open_at(page or ("application" if self._chat.conversation is None else "conversation"))

    def show_application(self, ui: UiSettings) -> None:
        if dialog := self.dialog.made:
            dialog.show_application(ui, available_languages())

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if dialog := self.dialog.made:
            dialog.set_theme(theme)

    def close(self) -> None:
        self._token.close()

    def _make(self) -> "SettingsDialog":
        from specchat.ui.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self._theme, self._parent)
        dialog.conversationChanged.connect(self._chat.change_settings)
        dialog.applicationChanged.connect(self.ui_changed)
        dialog.presetSaved.connect(self._save_preset)
        dialog.presetDeleted.connect(self._remove_preset)
        self._token.attach(dialog)
        self._server.attach(dialog.server)
        return dialog

    def _show_conversation(self) -> None:
        if dialog := self.dialog.made:
            conversation = self._chat.conversation
            presets = [Preset(each.preset, each, is_built_in(each.preset)) for each in self._presets.all()]
            dialog.show_conversation(conversation.settings if conversation else None, presets)

    def _save_preset(self, preset: Preset) -> None:
        before = self._presets.own(preset.name)

        def save() -> None:
            kept = self._presets.save(preset.name, preset.settings)
            self._chat.change_settings(kept)
            if before is not None and before != kept:
                self._offer_undo(self.tr("{name} is replaced"), before)

        self._do(save)

    def _remove_preset(self, name: str) -> None:
        before = self._presets.own(name)

        def remove() -> None:
            self._presets.remove(name)
            if before is not None:
                self._offer_undo(self.tr("{name} is deleted"), before)

        self._do(remove)

    def _offer_undo(self, words: str, before: ConversationSettings) -> None:
        def bring_back() -> None:
            self._do(lambda: self._presets.save(before.preset, before))

        self.dialog().offer_undo(words.format(name=before.preset), bring_back)

    def _do(self, change: Callable[[], object]) -> None:
        try:
            change()
        except UserError as error:
            self.failed.emit(error)
        self._show_conversation()
