"""What can be set: for the open conversation, and for the program. Changes count at once."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from specchat.domain.conversations import ConversationSettings
from specchat.services.ui_settings import UiSettings
from specchat.ui.controls import Line, TextButton
from specchat.ui.settings.application_page import ApplicationPage
from specchat.ui.settings.conversation_page import ConversationPage
from specchat.ui.settings.values import Preset
from specchat.ui.theme import BODY_PX, GRID, Theme, scaled

__all__ = ["Preset", "SettingsDialog"]

_WIDTH = 70 * GRID


class SettingsDialog(QDialog):
    conversationChanged = Signal(object)
    """ConversationSettings; a seed of RANDOM_SEED stands for a new one for each answer."""
    applicationChanged = Signal(object)
    """UiSettings."""
    presetSaved = Signal(object)
    """A Preset, new or with new settings."""
    presetDeleted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tabs = QTabBar(self)
        self._conversation = ConversationPage(theme, self)
        self._application = ApplicationPage(theme, self)
        self._pages = QStackedWidget(self)
        self._close = TextButton(self.tr("Close"), self)
        self.setObjectName("settingsDialog")
        self.setWindowTitle(self.tr("Settings"))
        self.setAccessibleName(self.tr("Settings"))
        self._arrange()
        self.set_theme(theme)
        self._tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self._close.clicked.connect(self.accept)
        self._conversation.changed.connect(self.conversationChanged)
        self._conversation.presetSaved.connect(self.presetSaved)
        self._conversation.presetDeleted.connect(self.presetDeleted)
        self._application.changed.connect(self.applicationChanged)

    def set_theme(self, theme: Theme) -> None:
        self._conversation.set_theme(theme)
        self._application.set_theme(theme)
        self._tabs.setStyleSheet(
            f"QTabBar::tab {{ color: {theme.text_muted.name()}; background: transparent;"
            f" font-size: {scaled(BODY_PX)}px; padding: {GRID // 2}px 0; margin-right: {3 * GRID}px;"
            f" border-bottom: 2px solid transparent; }}"
            f"QTabBar::tab:selected {{ color: {theme.text.name()}; border-bottom-color: {theme.accent.name()}; }}"
            f"QTabBar::tab:focus {{ color: {theme.accent.name()}; }}"
        )

    def show_conversation(self, settings: ConversationSettings | None, presets: Sequence[Preset] = ()) -> None:
        """None: no conversation is open."""
        self._conversation.show_settings(settings, presets)

    def show_application(self, settings: UiSettings, languages: Mapping[str, str]) -> None:
        """`languages`: their own names by locale."""
        self._application.show_settings(settings, languages)

    def open_at(self, page: str) -> None:
        """ "conversation" or "application"."""
        self._tabs.setCurrentIndex(int(page == "application"))
        self.show()
        self.raise_()
        self.activateWindow()

    def done(self, result: int) -> None:
        self._conversation.finish()
        super().done(result)

    def _arrange(self) -> None:
        self.setMinimumWidth(_WIDTH)
        self._tabs.setObjectName("settingsTabs")
        self._tabs.setAccessibleName(self.tr("Pages"))
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._tabs.addTab(self.tr("This conversation"))
        self._tabs.addTab(self.tr("Application"))
        self._pages.addWidget(self._conversation)
        self._pages.addWidget(self._application)
        self._close.setObjectName("closeSettings")
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * GRID, 2 * GRID, 3 * GRID, 2 * GRID)
        layout.setSpacing(2 * GRID)
        layout.addWidget(self._tabs)
        layout.addWidget(self._pages, 1)
        layout.addWidget(Line(self))
        layout.addLayout(buttons)
