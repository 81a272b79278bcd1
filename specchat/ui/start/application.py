"""Creates the Qt application and manages its theme."""

import sys
from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

from specchat import __version__
from specchat.services.program.resources import resources
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.instance.mac_application import MacApplication
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.start.spare_fonts import add_spare_fonts
from specchat.ui.start.spare_libraries import spare_folder
from specchat.ui.widgets.style_sheet import style_sheet
from specchat.ui.widgets.theme import BODY_PX, DARK, LIGHT, Theme, body_font, palette, system_theme, theme_of
from specchat.ui.widgets.theme_service import current_theme, set_current_theme

NAME = "specchat"

Mode = Literal["system", "light", "dark"]

_THEMES = {"light": LIGHT, "dark": DARK}
_SCHEMES = {
    "system": Qt.ColorScheme.Unknown,
    "light": Qt.ColorScheme.Light,
    "dark": Qt.ColorScheme.Dark,
}


def make_application(arguments: Sequence[str] = (NAME,)) -> QApplication:
    QApplication.setApplicationName(NAME)
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName(NAME)
    kind = MacApplication if sys.platform == "darwin" else QApplication
    application = kind(list(arguments))
    add_spare_fonts(spare_folder())
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resources() / "icons" / f"{NAME}.svg")))
    return application


class ThemeManager(QObject):
    change_started = Signal()
    """Every widget is to be styled anew, which takes its time: those that nobody sees may go before."""

    def __init__(self, application: QApplication, mode: Mode = "system", text_size: int = BODY_PX) -> None:
        super().__init__(application)
        self._application = application
        self._mode: Mode = mode
        self._text_size = text_size
        self._shown: tuple[Theme, int] | None = None
        self._window: QWidget | None = None
        application.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.set_mode(mode)

    def style_window(self, window: QWidget) -> None:
        """All others belong to this one: what is in one window Qt styles several times as fast as an application."""
        self._application.setStyleSheet("")
        self._window = window
        window.destroyed.connect(self._undress)
        window.setStyleSheet(style_sheet(current_theme()))

    def follow(self, settings: SettingsModel) -> None:
        settings.changed.connect(self._apply_settings)
        self._apply_settings(settings.value)

    def _apply_settings(self, settings: ApplicationSettings) -> None:
        self.set_mode(settings.theme.value)
        self.set_text_size(settings.text_size.pixels)

    def set_mode(self, mode: Mode) -> None:
        self._mode = mode
        self._application.styleHints().setColorScheme(_SCHEMES[mode])
        self._show(_THEMES.get(mode) or system_theme())

    def set_text_size(self, pixels: int) -> None:
        self._text_size = pixels
        self._show(current_theme())

    def _follow_system(self, scheme: Qt.ColorScheme) -> None:
        if self._mode == "system":
            self._show(theme_of(scheme))

    def _show(self, theme: Theme) -> None:
        if self._shown == (theme, self._text_size):
            return
        self._shown = (theme, self._text_size)
        self.change_started.emit()
        font = body_font()
        font.setPixelSize(self._text_size)
        self._application.setFont(font)
        self._application.setPalette(palette(theme))
        (self._window or self._application).setStyleSheet(style_sheet(theme))
        set_current_theme(theme)

    def _undress(self) -> None:
        self._window = None
