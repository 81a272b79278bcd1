import json
from dataclasses import replace
from pathlib import Path

import pytest

from specchat.services.settings.application_settings import (
    ApplicationSettings,
    ApplicationSettingsFile,
    TextSize,
    ThemeChoice,
)
from specchat.store.json_file import JsonFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "window.json"


@pytest.fixture
def settings(path: Path) -> ApplicationSettingsFile:
    return ApplicationSettingsFile(JsonFile(path))


def test_settings_come_back(settings: ApplicationSettingsFile, path: Path) -> None:
    assert settings.load() == ApplicationSettings()
    changed = ApplicationSettings(ThemeChoice.DARK, TextSize.LARGE, "de", show_overlay=False, colour_tokens=True)
    changed = replace(changed, downloads_at_once=3, download_limit=5_000_000)
    settings.save(changed)
    assert settings.load() == changed
    assert json.loads(path.read_text())["version"] == 1


def test_what_another_version_wrote_stays(settings: ApplicationSettingsFile, path: Path) -> None:
    path.write_text(json.dumps({"version": 7, "theme": "light", "wallpaper": "sea"}))
    assert settings.load() == ApplicationSettings(ThemeChoice.LIGHT)
    settings.save(ApplicationSettings(ThemeChoice.DARK))
    kept = json.loads(path.read_text())
    assert (kept["version"], kept["wallpaper"], kept["theme"]) == (7, "sea", "dark")


@pytest.mark.parametrize("content", ["{", '{"theme": "purple"}', '{"show_overlay": 1}', '{"language": null}'])
def test_a_damaged_file_is_kept_and_defaults_are_used(
    settings: ApplicationSettingsFile, path: Path, content: str
) -> None:
    path.write_text(content)
    assert settings.load() == ApplicationSettings()
    assert path.with_name("window.damaged.json").read_text() == content


def test_text_sizes() -> None:
    assert [size.pixels for size in TextSize] == [14, 15, 17]
