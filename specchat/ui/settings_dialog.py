"""The settings dialog for the open conversation and the application; changes apply at once."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import UserError
from specchat.services.hub.hub_token import TokenState
from specchat.ui.settings.application_page import ApplicationPage
from specchat.ui.settings.conversation_page import ConversationPage
from specchat.ui.settings.hub_page import HubPage
from specchat.ui.settings.server_page import ServerPage
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.settings.values import Preset
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.notice import Notice
from specchat.ui.widgets.tab_bar import PAGE_MARGINS, TabBar, arrange_tab_dialog
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.window_geometry import fit_on_screen

__all__ = ["Preset", "SettingsDialog"]

_WIDTH = 70 * GRID
_PAGES = ("conversation", "application", "hub", "server")


class SettingsDialog(QDialog):
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
        self._tabs = TabBar(self)
        self._conversation = ConversationPage(self)
        self._application = ApplicationPage(settings, self)
        self._hub = HubPage(self)
        self.server_page = ServerPage(settings, self)
        self._pages = QStackedWidget(self)
        self._close = TextButton(self.tr("Close"), self)
        self._free = QWidget(self)
        """Beside the button."""
        self._notice = Notice(self._free, name="presetNotice")
        self.setObjectName("settingsDialog")
        self.setWindowTitle(self.tr("Settings"))
        self.setAccessibleName(self.tr("Settings"))
        self._arrange()
        self._tabs.currentChanged.connect(self._turn_to)
        self._close.clicked.connect(self.accept)
        self._conversation.changed.connect(self.conversation_settings_changed)
        self._conversation.preset_saved.connect(self.preset_saved)
        self._conversation.preset_deleted.connect(self.preset_deleted)
        self._hub.token_state_requested.connect(self.token_state_requested)
        self._hub.token_entered.connect(self.token_entered)
        self._hub.remove_token_requested.connect(self.remove_token_requested)

    def show_conversation_settings(self, settings: ConversationSettings | None, presets: Sequence[Preset] = ()) -> None:
        """None: no conversation is open."""
        self._conversation.show_settings(settings, presets)

    def offer_undo(self, what_happened: str, undo: Callable[[], object]) -> None:
        """Of what became of a preset; where it covers nothing."""
        self._notice.show_notice(what_happened, self.tr("Undo"), undo)

    def show_token(self, state: TokenState) -> None:
        self._hub.show_token(state)

    def show_token_problem(self, error: UserError, state: TokenState) -> None:
        self._hub.show_problem(error, state)

    def open_page(self, page: str) -> None:
        """ "conversation", "application", "hub" or "server"."""
        self._tabs.setCurrentIndex(_PAGES.index(page))
        self.show()
        self.raise_()
        self.activateWindow()
        self._focus_page()

    def done(self, result: int) -> None:
        self._conversation.commit_edits()
        super().done(result)

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
        self.setMinimumWidth(_WIDTH)
        self._tabs.setObjectName("settingsTabs")
        self._tabs.addTab(self.tr("This conversation"))
        self._tabs.addTab(self.tr("Application"))
        self._tabs.addTab("Hugging Face")
        self._tabs.addTab(self.tr("Server"))
        for page in (self._conversation, self._application, self._hub, self.server_page):
            self._pages.addWidget(ContentScrollArea(page, PAGE_MARGINS, self))
        self._close.setObjectName("closeSettings")
        arrange_tab_dialog(self, self._tabs, self._pages, self._close, beside=self._free)
        fit_on_screen(self)
