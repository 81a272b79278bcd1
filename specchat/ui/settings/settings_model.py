"""The application settings as they are now: whoever changes them calls `change`, whoever depends on them follows it."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from specchat.domain.errors import UserError
from specchat.services.settings.application_settings import ApplicationSettings, ApplicationSettingsFile, TextSize


class SettingsModel(QObject):
    changed = Signal(ApplicationSettings)
    failed = Signal(UserError)
    """The settings apply, but could not be stored."""

    def __init__(self, file: ApplicationSettingsFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self.value = file.load()

    def change(self, settings: ApplicationSettings) -> None:
        if settings == self.value:
            return
        self.value = settings
        try:
            self._file.save(settings)
        except UserError as error:
            self.failed.emit(error)
        self.changed.emit(settings)

    def toggle_colours(self) -> None:
        self.change(replace(self.value, colour_tokens=not self.value.colour_tokens))

    def toggle_overlay(self) -> None:
        self.change(replace(self.value, show_overlay=not self.value.show_overlay))

    def step_text_size(self, step: int) -> None:
        sizes = list(TextSize)
        at = sizes.index(self.value.text_size) + step
        self.change(replace(self.value, text_size=sizes[max(0, min(at, len(sizes) - 1))]))

    def reset_text_size(self) -> None:
        self.change(replace(self.value, text_size=TextSize.NORMAL))
