"""Real processes with real faults: libraries that are not there, displays that nobody serves."""

import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from specchat.ui.start.qt_check import qt_load_error

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt brings all it needs")

SECONDS = 60
ROOT = Path(__file__).parents[3]
SITE = Path(importlib.util.find_spec("PySide6").origin or "").parents[1]  # type: ignore[union-attr]
PLUGINS = Path("PySide6/Qt/plugins/platforms")
REQUIRE = """
import sys
from pathlib import Path
from specchat.domain.errors import UserError
from specchat.ui.start.qt_check import require_qt
assert "PySide6" not in sys.modules
try:
    require_qt(os_release=Path(sys.argv[1]))
except UserError as error:
    print(error.message, error.hint, sep="\\n")
else:
    print("ready")
"""


@pytest.fixture
def debian(tmp_path: Path) -> Path:
    os_release = tmp_path / "os-release"
    os_release.write_text("ID=debian\n")
    return os_release


def said(os_release: Path, *options: str, **environment: str) -> list[str]:
    base = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    command = [sys.executable, *options, "-c", REQUIRE, str(os_release)]
    done = subprocess.run(command, env=base | environment, capture_output=True, text=True, timeout=SECONDS)
    assert not done.stderr
    return done.stdout.splitlines()


def without(library: str, in_file: Path, copy: Path) -> Path:
    """A PySide6 one file of which asks for a library that nobody has."""
    real, place = SITE, copy
    for part in in_file.parts:
        place.mkdir()
        for other in real.iterdir():
            if other.name != part and (real != SITE or other.name == "shiboken6"):
                (place / other.name).symlink_to(other)
        real, place = real / part, place / part
    content = real.read_bytes()
    assert library.encode() in content
    place.write_bytes(content.replace(library.encode(), b"libZ" + library[4:].encode()))
    return copy


def standing_in(platform: str, folder: Path) -> Path:
    """A plugin that loads on any machine, under the platform's name."""
    folder.mkdir()
    (folder / f"libq{platform}.so").symlink_to(SITE / PLUGINS / "libqoffscreen.so")
    return folder


def test_ready_without_a_window(debian: Path) -> None:
    assert said(debian, QT_QPA_PLATFORM="offscreen") == ["ready"]


def test_no_display(debian: Path) -> None:
    message, hint = said(debian)
    assert message == "There is no display to open the window on."
    assert "ssh -X" in hint
    assert "QT_QPA_PLATFORM=offscreen" in hint


@pytest.mark.parametrize("display", [":4321", "nonsense"])
def test_a_display_that_nobody_serves(debian: Path, tmp_path: Path, display: str) -> None:
    plugins = standing_in("xcb", tmp_path / "plugins")
    message, hint = said(debian, DISPLAY=display, QT_QPA_PLATFORM_PLUGIN_PATH=str(plugins))
    assert message == f"Can't reach the display {display}."
    assert "Log in to a desktop session" in hint


def test_wayland_that_nobody_serves_and_that_somebody_does(debian: Path, tmp_path: Path) -> None:
    environment = {
        "WAYLAND_DISPLAY": "w",
        "DISPLAY": ":4321",
        "XDG_RUNTIME_DIR": str(tmp_path),
        "QT_QPA_PLATFORM_PLUGIN_PATH": str(standing_in("wayland", tmp_path / "plugins")),
    }
    assert said(debian, **environment)[0] == "Can't reach the display w."
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "w"))
        compositor.listen()
        assert said(debian, **environment) == ["ready"]


def test_an_unknown_platform(debian: Path) -> None:
    message, hint = said(debian, QT_QPA_PLATFORM="beos")
    assert message == "Qt has no platform named beos."
    assert hint == "Unset QT_QPA_PLATFORM, or set it to one of: offscreen, wayland, xcb."


def test_the_first_of_several_platforms_that_works(debian: Path) -> None:
    assert said(debian, QT_QPA_PLATFORM="beos;offscreen:size=800x600") == ["ready"]


def test_pyside_not_installed(debian: Path) -> None:
    message, hint = said(debian, "-S", QT_QPA_PLATFORM="offscreen")
    assert message == "PySide6, which draws the window, is not installed."
    assert hint.endswith("-m pip install --force-reinstall PySide6-Essentials")


def test_a_library_of_qt_is_missing(debian: Path, tmp_path: Path) -> None:
    copy = without("libEGL.so.1", Path("PySide6/Qt/lib/libQt6Gui.so.6"), tmp_path / "site")
    message, hint = said(debian, PYTHONPATH=f"{copy}{os.pathsep}{ROOT}", QT_QPA_PLATFORM="offscreen")
    assert message == "The window needs system libraries that are missing: libZGL.so.1."
    assert hint == "Install the packages that contain libZGL.so.1."


def test_a_library_of_the_platform_is_missing(debian: Path, tmp_path: Path) -> None:
    copy = without("libX11.so.6", PLUGINS / "libqoffscreen.so", tmp_path / "site")
    environment = {"PYTHONPATH": f"{copy}{os.pathsep}{ROOT}", "QT_QPA_PLATFORM": "offscreen"}
    assert said(debian, **environment)[0] == "The window needs system libraries that are missing: libZ11.so.6."


@pytest.mark.parametrize(
    ("reason", "platform", "file", "package"),
    [
        ("libEGL.so.1: cannot open shared object file: No such file or directory", "", "libEGL.so.1", "libegl1"),
        (
            "libxcb-cursor.so.0: cannot open shared object file: No such file or directory",
            "xcb",
            "libxcb-cursor.so.0",
            "libxcb-cursor0",
        ),
        (
            "Error loading shared library libxkbcommon.so.0: No such file or directory (needed by /x/libQt6Gui.so.6)",
            "",
            "libxkbcommon.so.0",
            "libxkbcommon0",
        ),
    ],
)
def test_what_loaders_say(debian: Path, reason: str, platform: str, file: str, package: str) -> None:
    problem = qt_load_error(reason, platform, debian)
    assert problem.message.startswith("The window needs system libraries that are missing: ")
    assert "apt-get install" in problem.hint
    assert package in problem.hint.split()


def test_an_old_system(debian: Path) -> None:
    reason = "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /x/libQt6Core.so.6)"
    assert qt_load_error(reason, "", debian).message == "This system is too old: Qt needs GLIBC_2.34."


def test_what_cannot_be_explained_is_passed_on(debian: Path) -> None:
    problem = qt_load_error("/x/libQt6Core.so.6: file too short", "", debian)
    assert problem.message == "Couldn't load Qt: /x/libQt6Core.so.6: file too short"
    assert "--force-reinstall" in problem.hint
