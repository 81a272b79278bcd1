"""Application settings kept in a file of the test."""

from pathlib import Path

from specchat.services.settings.application_settings import ApplicationSettings, ApplicationSettingsFile
from specchat.store.json_file import JsonFile
from specchat.ui.settings.settings_model import SettingsModel


def make_settings_model(folder: Path, settings: ApplicationSettings | None = None) -> SettingsModel:
    made = SettingsModel(ApplicationSettingsFile(JsonFile(folder / "settings.json")))
    if settings is not None:
        made.change(settings)
    return made
