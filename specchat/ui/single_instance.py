"""One window for each home: a second start brings the first one's window forward."""

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
_LONGEST_TOKEN = 1000
_TOKEN = "XDG_ACTIVATION_TOKEN"
"""With it Wayland lets a window come forward; the desktop gives it to the program that was started."""


class SingleInstance(QObject):
    called = Signal()
    """The program was started again."""

    def __init__(self, data: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._data = data
        self._name = _server_name(data)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._receive)

    def claim(self) -> bool:
        """False: there is a window already, and it was called."""
        if self._call():
            return False
        with suppress(OSError):
            self._data.mkdir(parents=True, exist_ok=True)
        two_starts_at_once = QLockFile(str(self._data / "window.lock"))
        two_starts_at_once.tryLock(_PATIENCE_MS)
        return not self._call() and self._serve()

    def close(self) -> None:
        """From now on another start opens a window of its own."""
        self._server.close()

    def _call(self) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_PATIENCE_MS):
            return False
        _give_way()
        socket.write(f"{os.environ.get(_TOKEN, '')}\n".encode())
        socket.waitForBytesWritten(_PATIENCE_MS)
        return True

    def _serve(self) -> bool:
        QLocalServer.removeServer(self._name)
        if not self._server.listen(self._name):
            log.info("Other starts will open windows of their own: %s", self._server.errorString())
        return True

    def _receive(self) -> None:
        while connection := self._server.nextPendingConnection():
            connection.readyRead.connect(self._hear)
            connection.disconnected.connect(connection.deleteLater)

    def _hear(self) -> None:
        connection = self.sender()
        if isinstance(connection, QLocalSocket):
            token = bytes(connection.read(_LONGEST_TOKEN).data()).decode("ascii", "ignore").strip()
            if token:
                os.environ[_TOKEN] = token
            connection.abort()
            self.called.emit()


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
