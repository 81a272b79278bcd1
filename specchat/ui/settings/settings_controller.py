"""Opens the settings page, created on first use, and carries out its changes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import UserError
from specchat.services.hub.hub_token import HubToken
from specchat.services.lazy import Lazy
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import LocalModel
from specchat.services.settings.preset_service import BUILT_IN, PresetService, is_built_in
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.server.server_controller import ServerController
from specchat.ui.session import Session
from specchat.ui.settings.hub_token_controller import HubTokenController
from specchat.ui.settings.preset import Preset
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:
    from specchat.ui.settings.page import SettingsPage


class SettingsController(QObject):
    def __init__(
        self,
        session: Session,
        settings: SettingsModel,
        chat: ChatController,
        presets: PresetService,
        token: HubToken,
        token_tasks: TaskQueue,
        library: ModelLibrary,
        tasks: TaskQueue,
        server: ServerController,
        tools: ToolList,
        notifications: NotificationController,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._session, self._settings, self._chat = session, settings, chat
        self._presets, self._server, self._notifications = presets, server, notifications
        self._library, self._tasks = library, tasks
        self._window, self._tools = window, tools
        self.page = Lazy(self._make)
        self.token = HubTokenController(token, token_tasks, self)
        self.token.token_rejected.connect(notifications.show_error)
        settings.failed.connect(notifications.show_error)
        session.conversation_changed.connect(self._update_page)
        session.pair_changed.connect(self._update_page)
        session.settings_requested.connect(self.open)

    def open(self, page: str = "") -> None:
        """Without a page at the conversation's, where there is one."""
        shown = self.page()
        self._show_conversation()
        self._window.show_page(shown)
        shown.turn_to(page or ("application" if self._session.conversation is None else "conversation"))
        self._tasks.run(self._library.models, self._show_models, self._notifications.show_error)

    def close(self) -> None:
        self.token.close()

    def _make(self) -> "SettingsPage":
        from specchat.ui.settings.page import SettingsPage
        from specchat.ui.tools.tools_controller import ToolsController

        page = SettingsPage(self._settings, self._window)
        page.conversation_page.changed.connect(self._chat.change_settings)
        page.conversation_page.replaced.connect(self._offer_settings_back)
        page.conversation_page.preset_saved.connect(self._save_preset)
        page.conversation_page.preset_bar.deleted.connect(self._remove_preset)
        self.token.attach(page.hub_page)
        self._server.attach(page.server_page)
        ToolsController(self._tools, self._session, self._notifications, page.tools_page)
        return page

    def _update_page(self) -> None:
        """A hidden page is brought up to date when it is opened."""
        if self._window.page is not None and self._window.page is self.page.created_value:
            self._show_conversation()

    def _show_conversation(self) -> None:
        if page := self.page.created_value:
            conversation = self._session.conversation
            presets = [Preset(each.preset, each, is_built_in(each.preset)) for each in self._list_presets()]
            page.conversation_page.show_lacks(self._session.pair.lacks if self._session.pair is not None else {})
            page.conversation_page.show_settings(conversation.settings if conversation else None, presets)

    def _list_presets(self) -> Sequence[ConversationSettings]:
        """Where those of the user can't be read, the page works without them."""
        try:
            return self._presets.list_presets()
        except UserError as error:
            self._notifications.show_error(error)
            return BUILT_IN

    def _show_models(self, models: list[LocalModel]) -> None:
        if page := self.page.created_value:
            page.application_page.show_models(models)

    def _save_preset(self, preset: Preset) -> None:
        def save() -> None:
            before = self._presets.find_own(preset.name)
            kept = self._presets.save(preset.name, preset.settings)
            self._chat.change_settings(kept)
            if before is not None and before != kept:
                self._offer_undo(self.tr("Preset “{name}” replaced"), before)

        self._do(save)

    def _remove_preset(self, name: str) -> None:
        def remove() -> None:
            before = self._presets.find_own(name)
            self._presets.remove(name)
            if before is not None:
                self._offer_undo(self.tr("Preset “{name}” deleted"), before)

        self._do(remove)

    def _offer_settings_back(self, before: ConversationSettings) -> None:
        """They may contain a long system prompt, which is nowhere else."""
        conversation = self._session.conversation
        if conversation is not None:
            self._notifications.show_undo_notice(
                self.tr("Settings of the chat replaced"),
                lambda: self._chat.change_settings(before, conversation.id),
            )

    def _offer_undo(self, words: str, before: ConversationSettings) -> None:
        def bring_back() -> None:
            self._do(lambda: self._presets.save(before.preset, before))

        self._notifications.show_undo_notice(words.format(name=before.preset), bring_back)

    def _do(self, change: Callable[[], object]) -> None:
        try:
            change()
        except UserError as error:
            self._notifications.show_error(error)
        self._show_conversation()
