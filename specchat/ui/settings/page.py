"""The settings page for the open conversation and the application; changes apply at once."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import UserError
from specchat.services.hub.hub_token import TokenState
from specchat.ui.server.server_page import ServerPage
from specchat.ui.settings.application_page import ApplicationPage
from specchat.ui.settings.conversation_page import ConversationPage
from specchat.ui.settings.hub_page import HubPage
from specchat.ui.settings.preset import Preset
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.tab_bar import PAGE_MARGINS, TabBar
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.window.window_page import WindowPage

__all__ = ["Preset", "SettingsPage"]

_WIDEST = 88 * GRID
_PAGES = ("conversation", "application", "hub", "server")


class SettingsPage(WindowPage):
    conversation_settings_changed = Signal(object)
    """ConversationSettings; a seed of RANDOM_SEED stands for a new one for each answer."""
    preset_saved = Signal(object)
    """A Preset, new or with new settings."""
    preset_deleted = Signal(str)
    token_state_requested = Signal()
    """Where it is: answered with `show_token`."""
    token_entered = Signal(str)
    remove_token_requested = Signal()

    def __init__(self, settings: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = self._tabs = TabBar(self)
        self._conversation = ConversationPage(self)
        self._application = ApplicationPage(settings, self)
        self._hub = HubPage(self)
        self.server_page = ServerPage(settings, self)
        self._pages = QStackedWidget(self)
        self.setObjectName("settingsDialog")
        self.setWindowTitle(self.tr("Settings"))
        self.setAccessibleName(self.tr("Settings"))
        self._arrange()
        self._tabs.currentChanged.connect(self._turn_to)
        self._conversation.changed.connect(self.conversation_settings_changed)
        self._conversation.preset_saved.connect(self.preset_saved)
        self._conversation.preset_deleted.connect(self.preset_deleted)
        self._hub.token_state_requested.connect(self.token_state_requested)
        self._hub.token_entered.connect(self.token_entered)
        self._hub.remove_token_requested.connect(self.remove_token_requested)

    def show_conversation_settings(self, settings: ConversationSettings | None, presets: Sequence[Preset] = ()) -> None:
        """None: no conversation is open."""
        self._conversation.show_settings(settings, presets)

    def show_token(self, state: TokenState) -> None:
        self._hub.show_token(state)

    def show_token_problem(self, error: UserError, state: TokenState) -> None:
        self._hub.show_problem(error, state)

    def turn_to(self, page: str) -> None:
        """ "conversation", "application", "hub" or "server"."""
        self._tabs.setCurrentIndex(_PAGES.index(page))
        self._focus_page()

    def hideEvent(self, event: QHideEvent) -> None:
        """What was typed counts."""
        super().hideEvent(event)
        self._conversation.commit_edits()

    def _turn_to(self, number: int) -> None:
        """Whoever goes through the tabs by their keys stays there."""
        self._pages.setCurrentIndex(number)
        if not self._tabs.hasFocus():
            self._focus_page()

    def _focus_page(self) -> None:
        page = self._pages.currentWidget()
        if isinstance(page, ContentScrollArea) and (field := page.content.focusProxy()):
            field.setFocus()

    def _arrange(self) -> None:
        self._tabs.setObjectName("settingsTabs")
        self._tabs.addTab(self.tr("This conversation"))
        self._tabs.addTab(self.tr("Application"))
        self._tabs.addTab("Hugging Face")
        self._tabs.addTab(self.tr("Server"))
        for page in (self._conversation, self._application, self._hub, self.server_page):
            page.setMaximumWidth(scaled_px(_WIDEST))
            self._pages.addWidget(ContentScrollArea(page, PAGE_MARGINS, self))
        head = QHBoxLayout()
        head.setContentsMargins(PAGE_MARGINS)
        head.addWidget(self._tabs)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addLayout(head)
        layout.addWidget(self._pages, 1)
