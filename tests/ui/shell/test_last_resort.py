"""Starts that fail, in processes of their own; what shows dialogs is a script that writes down what it is to say."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot
from support import ending_window

from specchat.domain.errors import UserError
from specchat.ui.start.fatal_error_box import show_fatal_error

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system's own dialog would open")

SECONDS = 60
ROOT = Path(__file__).parents[3]
NOBODYS = ":4321"
UNREACHABLE = "Can't reach the display :4321."
HINT = "Log in to a desktop session, connect with ssh -X, or set QT_QPA_PLATFORM=offscreen to run without a window."
SHOWS = '#!/bin/sh\nfor word; do last="$word"; done\nprintf "%s" "$last" > "$0.shown"\n'
FAILS = '#!/bin/sh\necho "Gtk-WARNING: cannot open display: :4321" >&2\nexit 1\n'
PLUGINS = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen", "QT_QPA_PLATFORM_PLUGIN_PATH": ""}
PROGRAM = ("-m", "specchat")
BROKEN_PROGRAM = ("-S", *PROGRAM)
"""Nothing that was installed is found."""
INCOMPLETE = """
import sys
sys.modules["specchat.ui.start.run"] = None
from specchat.__main__ import main
sys.exit(main())
"""


class Desktop:
    """On which only these programs show dialogs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "programs"
        self.programs.mkdir()
        plugins = folder / "plugins"
        plugins.mkdir()
        (plugins / "libqxcb.so").symlink_to(PLUGINS / "libqoffscreen.so")  # loads on any machine

    def install(self, name: str, script: str = SHOWS) -> None:
        program = self.programs / name
        program.write_text(script)
        program.chmod(0o755)

    def shown(self, name: str) -> str:
        shown = self.programs / f"{name}.shown"
        return shown.read_text() if shown.exists() else ""

    def environment(self, **changes: str) -> dict[str, str]:
        own = {
            "PATH": str(self.programs),
            "SPECCHAT_HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder),
            "PYTHONPATH": str(ROOT),
            "DISPLAY": NOBODYS,
            "QT_QPA_PLATFORM": "",
            "QT_QPA_PLATFORM_PLUGIN_PATH": str(self.folder / "plugins"),
        }
        return {name: text for name, text in os.environ.items() if name != "WAYLAND_DISPLAY"} | own | changes

    def start(
        self,
        *arguments: str,
        stdin: int = subprocess.DEVNULL,
        program: Sequence[str] = PROGRAM,
        changes: Mapping[str, str] | None = None,
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *program, *arguments],
            stdin=stdin,
            capture_output=True,
            env=self.environment(**(changes or {})),
            cwd=self.folder,
            text=True,
            timeout=SECONDS,
        )


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path)


def test_a_dialog_says_why_there_is_no_window(desktop: Desktop) -> None:
    desktop.install("zenity")
    done = desktop.start()
    assert done.returncode == 1
    assert desktop.shown("zenity") == f"--text={UNREACHABLE}\n\n{HINT}"
    assert done.stderr == f"{UNREACHABLE}\nhint: {HINT}\n"
    assert UNREACHABLE in (desktop.folder / "home" / "logs" / "specchat.log").read_text()


@pytest.mark.parametrize("name", ["kdialog", "gxmessage", "xmessage"])
def test_the_first_that_works_shows_it(desktop: Desktop, name: str) -> None:
    desktop.install("zenity", FAILS)
    desktop.install(name)
    desktop.install("notify-send")
    assert desktop.start().returncode == 1
    assert " ".join(desktop.shown(name).split()) == f"{UNREACHABLE} {HINT}"
    assert desktop.shown("notify-send") == ""


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        ((), {"DISPLAY": ""}),
        ((), {**OFFSCREEN, "SPECCHAT_LOG": "loud"}),
        (("--smoke-test",), {}),
        (("inspect", "missing.gguf"), {}),
    ],
    ids=["no-screen", "offscreen", "smoke-test", "command"],
)
def test_no_dialog_where_nobody_would_see_it(
    desktop: Desktop, arguments: tuple[str, ...], changes: dict[str, str]
) -> None:
    desktop.install("zenity")
    done = desktop.start(*arguments, changes=changes)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 2
    assert desktop.shown("zenity") == ""


@pytest.fixture
def terminal() -> Iterator[int]:
    ours, theirs = pty.openpty()
    yield theirs
    os.close(ours)
    os.close(theirs)


def test_in_a_terminal_its_lines_are_enough(desktop: Desktop, terminal: int) -> None:
    desktop.install("zenity")
    done = desktop.start(stdin=terminal)
    assert (done.returncode, done.stderr) == (1, f"{UNREACHABLE}\nhint: {HINT}\n")
    assert desktop.shown("zenity") == ""


@pytest.mark.parametrize(("there", "hint"), [("other.gguf", "Check the path."), ("nosuhc.gguf", "Did you mean {}?")])
def test_a_file_that_is_not_there_opens_no_window_from_a_terminal(
    desktop: Desktop, terminal: int, there: str, hint: str
) -> None:
    (desktop.folder / there).touch()
    done = desktop.start("demo", "nosuch.gguf", stdin=terminal, changes=OFFSCREEN)
    said = f"File not found: {desktop.folder / 'nosuch.gguf'}.\nhint: {hint.format(desktop.folder / there)}\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_nor_does_a_file_that_is_no_model(desktop: Desktop, terminal: int) -> None:
    (desktop.folder / "notes.txt").write_text("Dear diary")
    done = desktop.start("notes.txt", stdin=terminal, changes=OFFSCREEN)
    assert (done.returncode, done.stderr) == (1, "notes.txt is not a GGUF model.\nhint: Choose a .gguf file.\n")


@pytest.mark.parametrize("arguments", [(), ("model.gguf",)], ids=["window", "file"])
def test_a_broken_installation(desktop: Desktop, arguments: tuple[str, ...]) -> None:
    desktop.install("zenity")
    done = desktop.start(*arguments, program=BROKEN_PROGRAM)
    assert done.returncode == 1
    message, hint = done.stderr.splitlines()
    assert message == "specchat can't start: ModuleNotFoundError: No module named 'platformdirs'"
    assert hint.startswith("hint: Reinstall specchat. ")
    assert desktop.shown("zenity") == f"--text={message}\n\n{hint.removeprefix('hint: ')}"
    attachment = Path(hint.removesuffix(".").rpartition(" ")[2])
    assert attachment.parent == desktop.folder
    assert "Traceback" in attachment.read_text()
    assert attachment.stat().st_mode & 0o777 == 0o600


def test_what_is_to_be_attached_follows_no_link(desktop: Desktop) -> None:
    precious = desktop.folder / "precious"
    precious.write_text("mine")
    (desktop.folder / f"specchat-{os.getuid()}.txt").symlink_to(precious)
    for _ in range(2):
        desktop.start(program=BROKEN_PROGRAM, changes={"HOME": str(ROOT)})
    (attachment,) = desktop.folder.glob("specchat-*")
    assert re.search(r"~/\w+/bootstrap.py", attachment.read_text())
    assert str(ROOT) not in attachment.read_text()
    assert precious.read_text() == "mine"


def test_a_broken_installation_and_a_command(desktop: Desktop) -> None:
    desktop.install("zenity")
    done = desktop.start("models", program=BROKEN_PROGRAM)
    assert (done.returncode, len(done.stderr.splitlines()), desktop.shown("zenity")) == (1, 2, "")
    assert (done.stdout, list(desktop.folder.glob("specchat-*"))) == ("", [])


def test_a_broken_installation_and_a_program(desktop: Desktop) -> None:
    done = desktop.start("models", "--json", program=BROKEN_PROGRAM)
    message, hint = done.stderr.splitlines()
    assert json.loads(done.stdout) == {"error": message, "hint": hint.removeprefix("hint: ")}


def test_a_part_is_missing_that_is_needed_later(desktop: Desktop) -> None:
    done = desktop.start(program=("-c", INCOMPLETE), changes=OFFSCREEN)
    assert done.returncode == 1
    message, hint = done.stderr.splitlines()
    assert message == "A part of specchat is missing: import of specchat.ui.start.run halted; None in sys.modules"
    assert hint.startswith("hint: Reinstall specchat. ")
    assert "Traceback" in (desktop.folder / "home" / "logs" / "specchat.log").read_text()


def test_a_start_that_crashes_is_told_at_the_next(desktop: Desktop) -> None:
    """By the system: Qt may be what crashes."""
    desktop.install("zenity")
    crash = subprocess.run(
        [sys.executable, ending_window.__file__, "start"],
        env=desktop.environment(**OFFSCREEN, PYTHONPATH=os.pathsep.join(sys.path)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=SECONDS,
    )
    assert crash.returncode < 0
    desktop.install("zenity", SHOWS + '/bin/cp "$0.shown" "$0.$$"')
    done = desktop.start()
    logs = desktop.folder / "home" / "logs"
    shown = [said.read_text() for said in desktop.programs.glob("zenity.[0-9]*")]
    first = (
        "specchat crashed last time before its window opened: Segmentation fault.\n\nspecchat is trying again. "
        f"If it crashes again, report it and attach the files in {logs}."
    )
    assert sorted(shown) == sorted([f"--text={first}", f"--text={UNREACHABLE}\n\n{HINT}"])
    assert done.returncode == 1
    assert [file.name for file in logs.iterdir() if file.suffix == ".txt"] == ["last-crash.txt"]
    desktop.start()
    assert desktop.shown("zenity") == f"--text={UNREACHABLE}\n\n{HINT}"
    assert len(list(desktop.programs.glob("zenity.[0-9]*"))) == 3


def test_the_dialog_of_our_own(qtbot: QtBot, qapp: QApplication) -> None:
    seen: list[tuple[str, str]] = []

    def read_and_close() -> None:
        box = qapp.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append((box.text(), box.informativeText()))
        close = box.findChild(QPushButton)
        assert close is not None
        assert close.text() == "Close", "a window that is open already stays"
        close.click()

    QTimer.singleShot(0, read_and_close)
    error = UserError("{path} is <full>.", "Make room.", path="/data")
    show_fatal_error(error.message, error.hint)
    assert seen == [("/data is <full>.", "Make room.")]
