import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.single_instance import SingleInstance, bring_forward

SECONDS = 60
ANOTHER_START = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from specchat.ui.single_instance import SingleInstance
application = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]))
instance.called.connect(lambda file: print("called", flush=True))
first = instance.claim(*map(Path, sys.argv[2:]))
print("first" if first else "second", flush=True)
sys.exit(application.exec() if first else 0)
"""


def command(home: Path, *files: Path) -> list[str]:
    return [sys.executable, "-c", ANOTHER_START, str(home), *map(str, files)]


@contextmanager
def running(home: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command(home), stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def second_start(home: Path, *files: Path, **environment: str) -> str:
    return subprocess.run(
        command(home, *files),
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=SECONDS,
    ).stdout.strip()


def test_a_second_start_calls_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.claim()
    with qtbot.waitSignal(first.called) as called:
        assert second_start(tmp_path) == "second"
    assert called.args == [None]


NAMES = [b"/models/a.gguf", "/Modelle/größer 🚀.gguf".encode(), b"/one\ntwo\t/ %f'.gguf", b"/m\xff.gguf"]


@pytest.mark.parametrize("name", NAMES)
def test_it_hands_over_a_file_whatever_its_name(qtbot: QtBot, tmp_path: Path, name: bytes) -> None:
    file = Path(os.fsdecode(name))
    first = SingleInstance(tmp_path)
    assert first.claim()
    with qtbot.waitSignal(first.called) as called:
        assert second_start(tmp_path, file) == "second"
    assert called.args == [file]


def test_a_name_that_no_file_can_have_still_calls(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.claim()
    with qtbot.waitSignal(first.called) as called:
        assert not SingleInstance(tmp_path).claim(Path("/" + "ü" * 80_000))
    (file,) = called.args
    assert str(file).startswith("/ü")


class Sender:
    """Someone who knows where to send to, but not what."""

    def __init__(self, qtbot: QtBot, first: SingleInstance) -> None:
        self._qtbot, self._socket = qtbot, QLocalSocket()
        self._socket.connectToServer(first._server.fullServerName())
        assert self._socket.waitForConnected()

    def send(self, message: bytes) -> None:
        self._socket.write(message)
        self._socket.flush()

    def wait_for_refusal(self) -> None:
        self._qtbot.waitUntil(lambda: self._socket.state() is QLocalSocket.LocalSocketState.UnconnectedState)


@pytest.fixture
def first(qtbot: QtBot, tmp_path: Path) -> SingleInstance:
    instance = SingleInstance(tmp_path)
    assert instance.claim()
    return instance


def test_what_comes_in_pieces_is_put_together(qtbot: QtBot, first: SingleInstance) -> None:
    sender = Sender(qtbot, first)
    sender.send(b"\0/models/")
    qtbot.waitUntil(lambda: any(each.bytesAvailable() for each in first._server.findChildren(QLocalSocket)))
    with qtbot.waitSignal(first.called) as called:
        sender.send(b"a.gguf\0")
    assert called.args == [Path("/models/a.gguf")]


def test_whoever_floods_is_cut_off(qtbot: QtBot, first: SingleInstance) -> None:
    with qtbot.assertNotEmitted(first.called):
        sender = Sender(qtbot, first)
        sender.send(b"x" * 10_000_000)
        sender.wait_for_refusal()
    with qtbot.waitSignal(first.called):
        Sender(qtbot, first).send(b"\0\0")


def test_it_hands_over_what_wayland_wants_to_know(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "")
    first = SingleInstance(tmp_path)
    assert first.claim()
    with qtbot.waitSignal(first.called):
        second_start(tmp_path, XDG_ACTIVATION_TOKEN="token-7")
    assert os.environ["XDG_ACTIVATION_TOKEN"] == "token-7"


def test_every_home_has_its_own(qtbot: QtBot, tmp_path: Path) -> None:
    instances = [SingleInstance(tmp_path / name) for name in ("one", "two")]
    assert all(instance.claim() for instance in instances)


def test_a_path_too_long_for_a_socket(qtbot: QtBot, tmp_path: Path) -> None:
    home = tmp_path / ("a long name " * 9)
    first = SingleInstance(home)
    assert first.claim()
    with qtbot.waitSignal(first.called):
        assert not SingleInstance(home).claim()


def test_after_a_crash_the_next_start_is_the_first(tmp_path: Path) -> None:
    with running(tmp_path) as crashed:
        assert line(crashed) == "first"
        crashed.send_signal(signal.SIGKILL)
        crashed.wait(SECONDS)
    with running(tmp_path) as process:
        assert line(process) == "first"
        assert second_start(tmp_path) == "second"
        assert line(process) == "called"


def test_many_starts_at_once_make_one_window(tmp_path: Path) -> None:
    starts = [running(tmp_path) for _ in range(4)]
    with starts[0] as a, starts[1] as b, starts[2] as c, starts[3] as d:
        said = [line(process) for process in (a, b, c, d)]
    assert sorted(said) == ["first", "second", "second", "second"]


def test_after_closing_another_start_is_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    closing = SingleInstance(tmp_path)
    assert closing.claim()
    closing.close()
    assert SingleInstance(tmp_path).claim()


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no files there")
def test_nobody_else_may_connect(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.claim()
    assert stat.S_IMODE((tmp_path / "window.socket").stat().st_mode) == stat.S_IRWXU


def test_a_home_that_cannot_be_written_is_no_hindrance(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert SingleInstance(tmp_path / "file").claim()


def test_a_minimised_window_comes_forward(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.showMinimized()
    bring_forward(window)
    assert window.isVisible()
    assert not window.windowState() & Qt.WindowState.WindowMinimized
