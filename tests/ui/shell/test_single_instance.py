import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.instance.single_instance import SingleInstance, bring_to_front
from specchat.ui.instance.socket_names import socket_names

SECONDS = 60
ANOTHER_START = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from specchat.domain.errors import UserError
from specchat.ui.instance.single_instance import SingleInstance
application = QCoreApplication([])
instance = SingleInstance(Path(sys.argv[1]), patience_ms=int(sys.argv[2]))
instance.activation_requested.connect(lambda files: print("called", flush=True))
try:
    first = instance.claim(tuple(map(Path, sys.argv[3:])))
except UserError as error:
    print(error.message)
    sys.exit()
print("first" if first else "second", flush=True)
sys.exit(application.exec() if first else 0)
"""
UNANSWERED = "specchat is already open but isn't responding."


def command(home: Path, *files: Path, patience_ms: int = 1000 * SECONDS) -> list[str]:
    return [sys.executable, "-c", ANOTHER_START, str(home), str(patience_ms), *map(str, files)]


@contextmanager
def running(home: Path, patience_ms: int = 1000 * SECONDS) -> Iterator[subprocess.Popen[str]]:
    start = command(home, patience_ms=patience_ms)
    with subprocess.Popen(start, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def second_start(qtbot: QtBot, home: Path, *files: Path, **environment: str) -> str:
    """While the first goes on."""
    start = command(home, *files)
    with subprocess.Popen(start, env=os.environ | environment, stdout=subprocess.PIPE, text=True) as process:
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=1000 * SECONDS)
        return line(process)


Claim = Callable[..., SingleInstance]


@pytest.fixture
def claimed() -> Iterator[Claim]:
    with ExitStack() as open_ones:

        def claim(home: Path, *files: Path) -> SingleInstance:
            instance = open_ones.enter_context(closing(SingleInstance(home, patience_ms=0)))
            assert instance.claim(files)
            return instance

        yield claim


@pytest.fixture
def short() -> Iterator[Path]:
    """Sockets have short paths."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture
def first(qtbot: QtBot, tmp_path: Path, claimed: Claim) -> SingleInstance:
    return claimed(tmp_path)


def test_a_second_start_calls_the_first(qtbot: QtBot, tmp_path: Path, first: SingleInstance) -> None:
    with qtbot.waitSignal(first.activation_requested) as called:
        assert second_start(qtbot, tmp_path) == "second"
    assert called.args == [[]]


NAMES = [b"/models/a.gguf", "/Modelle/größer 🚀.gguf".encode(), b"/one\ntwo\t/ %f'.gguf", b"/m\xff.gguf"]


@pytest.mark.parametrize("names", [*([name] for name in NAMES), NAMES], ids=["a", "b", "c", "d", "all"])
def test_it_hands_over_files_whatever_their_names(
    qtbot: QtBot, tmp_path: Path, first: SingleInstance, names: list[bytes]
) -> None:
    files = [Path(os.fsdecode(name)) for name in names]
    with qtbot.waitSignal(first.activation_requested) as called:
        assert second_start(qtbot, tmp_path, *files) == "second"
    assert called.args == [files]


def test_a_name_that_no_file_can_have_still_calls(qtbot: QtBot, tmp_path: Path, first: SingleInstance) -> None:
    with qtbot.waitSignal(first.activation_requested) as called:
        assert second_start(qtbot, tmp_path, Path("/" + "ü" * 60_000)) == "second"
    ((file,),) = called.args
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


def test_what_comes_in_pieces_is_put_together(qtbot: QtBot, first: SingleInstance) -> None:
    sender = Sender(qtbot, first)
    sender.send(b"\0/models/")
    qtbot.waitUntil(lambda: any(each.bytesAvailable() for each in first._server.findChildren(QLocalSocket)))
    with qtbot.waitSignal(first.activation_requested) as called:
        sender.send(b"a.gguf\0\0")
    assert called.args == [[Path("/models/a.gguf")]]


def test_whoever_floods_is_cut_off(qtbot: QtBot, first: SingleInstance) -> None:
    with qtbot.assertNotEmitted(first.activation_requested):
        sender = Sender(qtbot, first)
        sender.send(b"x" * 10_000_000)
        sender.wait_for_refusal()
    with qtbot.waitSignal(first.activation_requested):
        Sender(qtbot, first).send(b"\0\0")


def test_it_hands_over_what_wayland_wants_to_know(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: SingleInstance
) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "")
    with qtbot.waitSignal(first.activation_requested):
        second_start(qtbot, tmp_path, XDG_ACTIVATION_TOKEN="token-7")
    assert os.environ["XDG_ACTIVATION_TOKEN"] == "token-7"


def test_every_home_has_its_own(qtbot: QtBot, tmp_path: Path, claimed: Claim) -> None:
    assert claimed(tmp_path / "one") is not claimed(tmp_path / "two")


def test_a_path_too_long_for_a_socket(qtbot: QtBot, tmp_path: Path, claimed: Claim) -> None:
    home = tmp_path / ("a long name " * 9)
    first = claimed(home)
    with qtbot.waitSignal(first.activation_requested):
        assert second_start(qtbot, home) == "second"


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no files there")
def test_a_disk_that_holds_no_sockets(
    qtbot: QtBot, tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch, claimed: Claim
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short))
    (tmp_path / "stick" / "window.socket" / "in the way").mkdir(parents=True)
    first = claimed(tmp_path / "stick")
    assert Path(first._server.fullServerName()).parent == short
    with qtbot.waitSignal(first.activation_requested):
        assert second_start(qtbot, tmp_path / "stick") == "second"


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no files there")
def test_nowhere_to_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one window all the same."""
    far = tmp_path / ("a long name " * 9)
    far.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", "")
    monkeypatch.setenv("TMPDIR", str(far))
    (tmp_path / "window.socket" / "in the way").mkdir(parents=True)
    with running(tmp_path) as first:
        assert line(first) == "first"
        with running(tmp_path, patience_ms=100) as second:
            assert line(second) == UNANSWERED


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no files there")
def test_it_meets_nobody_where_others_can_be(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private, shared = short / "private", short / "shared"
    private.mkdir(mode=stat.S_IRWXU)
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(shared))
    for runtime, parent in ((private, private), (shared, shared / f"specchat-{os.getuid()}")):
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        among_data, place, *_ = map(Path, socket_names(short))
        assert (among_data.parent, place.parent) == (short, parent)
        assert stat.S_IMODE(parent.stat().st_mode) == stat.S_IRWXU
    (shared / f"specchat-{os.getuid()}").rmdir()
    (shared / f"specchat-{os.getuid()}").symlink_to(private)
    assert socket_names(short) == [str(short / "window.socket")]


@pytest.mark.skipif(sys.platform == "win32", reason="stopping a process")
def test_a_window_that_hangs_is_told_of(tmp_path: Path) -> None:
    with running(tmp_path) as hanging:
        assert line(hanging) == "first"
        hanging.send_signal(signal.SIGSTOP)
        with running(tmp_path, patience_ms=100) as second:
            assert line(second) == UNANSWERED


@pytest.mark.skipif(sys.platform == "win32", reason="stopping a process")
def test_who_calls_a_window_that_ends_instead_of_answering_opens_one(tmp_path: Path) -> None:
    with running(tmp_path) as ending:
        assert line(ending) == "first"
        ending.send_signal(signal.SIGSTOP)
        with running(tmp_path) as second:
            ending.kill()
            assert line(second) == "first"


def test_while_a_window_closes_another_start_waits(qtbot: QtBot, tmp_path: Path, first: SingleInstance) -> None:
    first.stop_listening()
    with running(tmp_path, patience_ms=100) as early:
        assert line(early) == UNANSWERED
    first.close()
    with running(tmp_path) as late:
        assert line(late) == "first"


def test_after_a_crash_the_next_start_is_the_first(tmp_path: Path) -> None:
    with running(tmp_path) as crashed:
        assert line(crashed) == "first"
        crashed.send_signal(signal.SIGKILL)
        crashed.wait(SECONDS)
    with running(tmp_path) as process:
        assert line(process) == "first"
        with running(tmp_path) as second:
            assert line(second) == "second"
        assert line(process) == "called"


def test_many_starts_at_once_make_one_window(tmp_path: Path) -> None:
    starts = [running(tmp_path) for _ in range(4)]
    with starts[0] as a, starts[1] as b, starts[2] as c, starts[3] as d:
        said = [line(process) for process in (a, b, c, d)]
    assert sorted(said) == ["first", "second", "second", "second"]


def test_after_closing_another_start_is_the_first(
    qtbot: QtBot, tmp_path: Path, first: SingleInstance, claimed: Claim
) -> None:
    first.close()
    claimed(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no files there")
def test_nobody_else_may_connect(tmp_path: Path, first: SingleInstance) -> None:
    assert stat.S_IMODE((tmp_path / "window.socket").stat().st_mode) == stat.S_IRWXU


def test_a_home_that_cannot_be_written_is_no_hindrance(qtbot: QtBot, tmp_path: Path, claimed: Claim) -> None:
    (tmp_path / "file").touch()
    claimed(tmp_path / "file")


def test_a_minimised_window_comes_forward(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.showMinimized()
    bring_to_front(window)
    assert window.isVisible()
    assert not window.windowState() & Qt.WindowState.WindowMinimized
