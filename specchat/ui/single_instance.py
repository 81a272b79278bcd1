"""One window for each home: a second start brings the first one's window forward, with the file it was given."""

import hashlib
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Qt, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

log = logging.getLogger(__name__)

_PATIENCE_MS = 50
_LONGEST_SOCKET_PATH = 90
_LONGEST_TOKEN, _LONGEST_PATH = 1000, 100_000
"""In bytes: more than the path of any file has, and short enough for what lies between two processes."""
_LONGEST_MESSAGE = _LONGEST_TOKEN + _LONGEST_PATH + 2
_END = b"\0"
"""Of each part of a message: the only byte that no path holds."""
_TOKEN = "XDG_ACTIVATION_TOKEN"
"""With it Wayland lets a window come forward; the desktop gives it to the program that was started."""


class SingleInstance(QObject):
    called = Signal(object)
    """The program was started again: with a file to open, or None."""

    def __init__(self, data: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._data = data
        self._name = _server_name(data)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._receive)

    def claim(self, file: Path | None = None) -> bool:
        """False: there is a window already, and it was called. `file`: for it to open, wherever it was started."""
        message = _message(os.environ.get(_TOKEN, ""), file)
        if self._call(message):
            return False
        with suppress(OSError):
            self._data.mkdir(parents=True, exist_ok=True)
        two_starts_at_once = QLockFile(str(self._data / "window.lock"))
        two_starts_at_once.tryLock(_PATIENCE_MS)
        return not self._call(message) and self._serve()

    def close(self) -> None:
        """From now on another start opens a window of its own."""
        self._server.close()

    def _call(self, message: bytes) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_PATIENCE_MS):
            return False
        _give_way()
        socket.write(message)
        while socket.bytesToWrite() and socket.waitForBytesWritten(_PATIENCE_MS):
            pass
        return True

    def _serve(self) -> bool:
        QLocalServer.removeServer(self._name)
        if not self._server.listen(self._name):
            log.info("Other starts will open windows of their own: %s", self._server.errorString())
        return True

    def _receive(self) -> None:
        while connection := self._server.nextPendingConnection():
            connection.setReadBufferSize(_LONGEST_MESSAGE)
            connection.readyRead.connect(self._hear)
            connection.disconnected.connect(connection.deleteLater)

    def _hear(self) -> None:
        connection = self.sender()
        if not isinstance(connection, QLocalSocket):
            return
        message = bytes(connection.peek(_LONGEST_MESSAGE).data())
        match message.split(_END):
            case [token, file, _, *_]:
                connection.abort()
                self._obey(token, file)
            case _ if len(message) == _LONGEST_MESSAGE:
                connection.abort()

    def _obey(self, token: bytes, file: bytes) -> None:
        if token:
            os.environ[_TOKEN] = token.decode("ascii", "ignore")
        try:
            path = os.fsdecode(file)
        except UnicodeDecodeError:  # no start of this program says that
            return
        self.called.emit(Path(path) if path else None)


def _message(token: str, file: Path | None) -> bytes:
    path = os.fsencode(file) if file is not None else b""
    return b"".join((token.encode("ascii", "ignore")[:_LONGEST_TOKEN], _END, path[:_LONGEST_PATH], _END))


def bring_forward(window: QWidget) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def _give_way() -> None:
    """Windows lets a window come forward only if the program in front agrees."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)


def _server_name(data: Path) -> str:
    """A socket among the data, where nobody else can put one, unless the path is too long for a socket."""
    path = str(data.absolute() / "window.socket")
    if os.name == "posix" and len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
        return path
    return "specchat-" + hashlib.sha256(path.encode()).hexdigest()[:16]
