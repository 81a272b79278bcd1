"""What can be set: for the open conversation, and for the program. Changes count at once."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QStackedWidget, QWidget

from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import UserError
from specchat.services.hub.token import TokenState
from specchat.services.settings.ui_settings import UiSettings
from specchat.ui.settings.application_page import ApplicationPage
from specchat.ui.settings.conversation_page import ConversationPage
from specchat.ui.settings.hub_page import HubPage
from specchat.ui.settings.server_page import ServerPage
from specchat.ui.settings.values import Preset
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.notice import Notice
from specchat.ui.widgets.screen import fit_on_screen
from specchat.ui.widgets.scrolled import Scrolled
from specchat.ui.widgets.tabs import PAGE, Tabs, arrange
from specchat.ui.widgets.theme import GRID, Theme

__all__ = ["Preset", "SettingsDialog"]

_WIDTH = 70 * GRID
_PAGES = ("conversation", "application", "hub", "server")


class SettingsDialog(QDialog):
    conversationChanged = Signal(object)
    """ConversationSettings; a seed of RANDOM_SEED stands for a new one for each answer."""
    applicationChanged = Signal(object)
    """UiSettings."""
    presetSaved = Signal(object)
    """A Preset, new or with new settings."""
    presetDeleted = Signal(str)
    tokenAsked = Signal()
    """Where it is: answered with `show_token`."""
    tokenGiven = Signal(str)
    tokenForgotten = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tabs = Tabs(theme, self)
        self._conversation = ConversationPage(theme, self)
        self._application = ApplicationPage(theme, self)
        self._hub = HubPage(self)
        self.server = ServerPage(theme, self)
        self._pages = QStackedWidget(self)
        self._close = TextButton(self.tr("Close"), self)
        self._free = QWidget(self)
        """Beside the button."""
        self._notice = Notice(theme, self._free, name="presetNotice")
        self.setObjectName("settingsDialog")
        self.setWindowTitle(self.tr("Settings"))
        self.setAccessibleName(self.tr("Settings"))
        self._arrange()
        self.set_theme(theme)
        self._tabs.currentChanged.connect(self._turn_to)
        self._close.clicked.connect(self.accept)
        self._conversation.changed.connect(self.conversationChanged)
        self._conversation.presetSaved.connect(self.presetSaved)
        self._conversation.presetDeleted.connect(self.presetDeleted)
        self._application.changed.connect(self.applicationChanged)
        self.server.changed.connect(self.applicationChanged)
        self._hub.tokenAsked.connect(self.tokenAsked)
        self._hub.tokenGiven.connect(self.tokenGiven)
        self._hub.tokenForgotten.connect(self.tokenForgotten)

    def set_theme(self, theme: Theme) -> None:
        self._conversation.set_theme(theme)
        self._application.set_theme(theme)
        self.server.set_theme(theme)
        self._notice.set_theme(theme)
        self._tabs.set_theme(theme)

    def show_conversation(self, settings: ConversationSettings | None, presets: Sequence[Preset] = ()) -> None:
        """None: no conversation is open."""
        self._conversation.show_settings(settings, presets)

    def offer_undo(self, what_happened: str, undo: Callable[[], object]) -> None:
        """Of what became of a preset; where it covers nothing."""
        self._notice.show_notice(what_happened, self.tr("Undo"), undo)

    def show_application(self, settings: UiSettings, languages: Mapping[str, str]) -> None:
        """`languages`: their own names by locale."""
        self._application.show_settings(settings, languages)
        self.server.show_settings(settings)

    def show_token(self, state: TokenState) -> None:
        self._hub.show_token(state)

    def show_token_problem(self, error: UserError, state: TokenState) -> None:
        self._hub.show_problem(error, state)

    def open_at(self, page: str) -> None:
        """ "conversation", "application", "hub" or "server"."""
        self._tabs.setCurrentIndex(_PAGES.index(page))
        self.show()
        self.raise_()
        self.activateWindow()
        self._focus_page()

    def done(self, result: int) -> None:
        self._conversation.finish()
        super().done(result)

    def _turn_to(self, number: int) -> None:
        """Whoever goes through the tabs by their keys stays there."""
        self._pages.setCurrentIndex(number)
        if not self._tabs.hasFocus():
            self._focus_page()

    def _focus_page(self) -> None:
        page = self._pages.currentWidget()
        if isinstance(page, Scrolled) and (field := page.content.focusProxy()):
            field.setFocus()

    def _arrange(self) -> None:
        self.setMinimumWidth(_WIDTH)
        self._tabs.setObjectName("settingsTabs")
        self._tabs.addTab(self.tr("This conversation"))
        self._tabs.addTab(self.tr("Application"))
        self._tabs.addTab("Hugging Face")
        self._tabs.addTab(self.tr("Server"))
        for page in (self._conversation, self._application, self._hub, self.server):
            self._pages.addWidget(Scrolled(page, PAGE, self))
        self._close.setObjectName("closeSettings")
        arrange(self, self._tabs, self._pages, self._close, beside=self._free)
        fit_on_screen(self)
