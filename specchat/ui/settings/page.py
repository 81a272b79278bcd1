"""The settings page for the open conversation and the application; changes apply at once."""

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from specchat.ui.server.server_page import ServerPage
from specchat.ui.settings.application_page import ApplicationPage
from specchat.ui.settings.conversation_page import ConversationPage
from specchat.ui.settings.hub_page import HubPage
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.tools.tools_page import ToolsPage
from specchat.ui.widgets.content_scroll_area import ContentScrollArea
from specchat.ui.widgets.tab_bar import PAGE_MARGINS, TabBar
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.window.window_page import WindowPage

_WIDEST = 88 * GRID
_PAGES = ("conversation", "application", "hub", "server", "tools")
_HELP = {"hub": "models.md#tokens", "server": "server.md", "tools": "tools.md"}


class SettingsPage(WindowPage):
    def __init__(self, settings: SettingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabs = self._tabs = TabBar(self)
        self.conversation_page = ConversationPage(self)
        self.application_page = ApplicationPage(settings, self)
        self.hub_page = HubPage(self)
        self.server_page = ServerPage(settings, self)
        self.tools_page = ToolsPage(self)
        self._pages = QStackedWidget(self)
        self.setObjectName("settingsDialog")
        self.setWindowTitle(self.tr("Settings"))
        self.setAccessibleName(self.tr("Settings"))
        self._arrange()
        self._tabs.currentChanged.connect(self._turn_to)

    @property
    def help_topic(self) -> str:
        return _HELP.get(_PAGES[self._tabs.currentIndex()], "window.md#settings")

    def turn_to(self, page: str) -> None:
        """ "conversation", "application", "hub", "server" or "tools"."""
        self._tabs.setCurrentIndex(_PAGES.index(page))
        self._focus_page()

    def hideEvent(self, event: QHideEvent) -> None:
        """What was typed counts."""
        super().hideEvent(event)
        self.conversation_page.commit_edits()

    def _turn_to(self, number: int) -> None:
        """Whoever goes through the tabs by their keys stays there."""
        self._pages.setCurrentIndex(number)
        if not self._tabs.hasFocus():
            self._focus_page()

    @property
    def wanted_width(self) -> int:
        return scaled_px(_WIDEST)

    def _focus_page(self) -> None:
        page = self._pages.currentWidget()
        if isinstance(page, ContentScrollArea) and (field := page.content.focusProxy()):
            field.setFocus()

    def _arrange(self) -> None:
        self._tabs.setObjectName("settingsTabs")
        self._tabs.addTab(self.tr("This chat"))
        self._tabs.addTab(self.tr("Application"))
        self._tabs.addTab("Hugging Face")
        self._tabs.addTab(self.tr("Server"))
        self._tabs.addTab(self.tr("Tools"))
        for page in (self.conversation_page, self.application_page, self.hub_page, self.server_page, self.tools_page):
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
