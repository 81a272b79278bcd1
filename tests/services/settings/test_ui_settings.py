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


@pytest.mark.parametrize("content", ["{", "[]", '{"theme": "purple"}', '{"show_overlay": 1}', '{"language": null}'])
def test_a_damaged_file_is_kept_and_defaults_are_used(
    settings: ApplicationSettingsFile, path: Path, content: str
) -> None:
    path.write_text(content)
    assert settings.load() == ApplicationSettings()
    assert path.with_name("window.damaged.json").read_text() == content


def test_a_number_that_nobody_can_have_chosen_is_the_default(settings: ApplicationSettingsFile, path: Path) -> None:
    odd = {"server_port": 700_000, "idle_unload_minutes": -3, "downloads_at_once": 0, "download_limit": -5}
    path.write_text(json.dumps({"theme": "dark", "serving": True, **odd}))
    assert settings.load() == ApplicationSettings(ThemeChoice.DARK, serving=True)
    path.write_text(json.dumps({"idle_unload_minutes": 10**9}))
    assert settings.load() == ApplicationSettings(), "a timer takes no such time"


def test_a_value_that_cannot_be_used_resets_no_other(settings: ApplicationSettingsFile, path: Path) -> None:
    content = json.dumps({"theme": "dark", "server_port": "eighty", "machines": [1], "show_overlay": False, "sea": 1})
    path.write_text(content)
    expected = ApplicationSettings(ThemeChoice.DARK, show_overlay=False)
    assert settings.load() == expected
    assert settings.load() == expected
    assert settings.reset_names == ("server_port", "machines")
    assert path.with_name("window.damaged.json").read_text() == content
    anew = ApplicationSettingsFile(JsonFile(path))
    assert (anew.load(), anew.reset_names, anew.damaged_file_name) == (expected, (), "")
    assert json.loads(path.read_text())["sea"] == 1


def test_text_sizes() -> None:
    assert [size.pixels for size in TextSize] == [14, 15, 17]
