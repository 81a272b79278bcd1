"""Applies the application settings to the window and stores them between runs."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from specchat.domain.errors import UserError
from specchat.domain.serialization import from_plain, to_plain
from specchat.services.settings.application_settings import ApplicationSettings, ApplicationSettingsFile, TextSize
from specchat.ui.main_window import MainWindow
from specchat.ui.overlay.placement import OverlayState
from specchat.ui.start.application import ThemeManager
from specchat.ui.window_state import WindowState

_SIDEBAR, _OVERLAY = "sidebar", "overlay"


class Preferences(QObject):
    changed = Signal(ApplicationSettings)
    failed = Signal(UserError)

    def __init__(
        self, file: ApplicationSettingsFile, config: Path, window: MainWindow, look: ThemeManager, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._file, self._window, self._look = file, window, look
        self._state = WindowState(config / "window.json")
        self.settings = file.load()

    def restore(self) -> None:
        self._apply()
        self._state.apply(self._window)
        self._window.show_sidebar(self._state.get(_SIDEBAR) is not False)
        with suppress(ValueError):  # another version wrote it
            overlay = from_plain(OverlayState, self._state.get(_OVERLAY))
            self._window.overlay.restore_state(replace(overlay, shown=self.settings.show_overlay))

    def save_window_state(self) -> None:
        self._state.capture(self._window)
        self._state.put(_SIDEBAR, not self._window.sidebar.isHidden())
        self._state.put(_OVERLAY, to_plain(self._window.overlay.state()))
        self._state.save()

    def change_settings(self, settings: ApplicationSettings) -> None:
        try:
            self._file.save(settings)
        except UserError as error:
            self.failed.emit(error)
        self.settings = settings
        self._apply()

    def toggle_colours(self) -> None:
        self.change_settings(replace(self.settings, colour_tokens=not self.settings.colour_tokens))

    def toggle_overlay(self) -> None:
        self.change_settings(replace(self.settings, show_overlay=not self.settings.show_overlay))

    def step_text_size(self, step: int) -> None:
        sizes = list(TextSize)
        at = sizes.index(self.settings.text_size) + step
        self.change_settings(replace(self.settings, text_size=sizes[max(0, min(at, len(sizes) - 1))]))

    def reset_text_size(self) -> None:
        self.change_settings(replace(self.settings, text_size=TextSize.NORMAL))

    def _apply(self) -> None:
        settings, window = self.settings, self._window
        window.show_colours(settings.colour_tokens)
        window.show_overlay(settings.show_overlay)
        self._look.set_mode(settings.theme.value)
        self._look.set_text_size(settings.text_size.pixels)
        self.changed.emit(settings)
