"""Makes a second instance hand its files to the first one and bring its window to the front."""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QObject, Qt, QThread, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.services.program.lock_file import LockFile
from specchat.ui.instance.socket_names import socket_names

log = logging.getLogger(__name__)

_PATIENCE_MS = 10_000
"""A window that opens or closes needs some of it to answer, or to be gone."""
_CONNECTING_MS = _PAUSE_MS = 50
_MOST_FILES, _LONGEST_PATH, _LONGEST_TOKEN = 20, 100_000, 1000
"""The longest path, in bytes; short enough for the buffer between two processes."""
_LONGEST_MESSAGE = _LONGEST_TOKEN + _MOST_FILES * (_LONGEST_PATH + 1) + 2
_END = b"\0"
"""Ends each part of a message, because no path contains this byte; an empty part ends the message."""
_DELIVERED = b"\1"
_TOKEN = "XDG_ACTIVATION_TOKEN"
"""The token with which Wayland lets a window come forward; the desktop passes it to the started program."""


class SingleInstance(QObject):
    activation_requested = Signal(object)
    """The program was started again: with files to open, or none."""

    def __init__(self, data: Path, parent: QObject | None = None, patience_ms: int = _PATIENCE_MS) -> None:
        super().__init__(parent)
        self._places = socket_names(data)
        self._held = LockFile(data / "window.lock")
        self._patience_ms = patience_ms
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._receive)

    def claim(self, files: Sequence[Path] = (), before_calling: Callable[[], None] = lambda: None) -> bool:
        """False: there is a window already, and it was called. `files`: for it to open, wherever it was started.

        `before_calling`: what raises here is not left to that window.
        """
        message = _message(os.environ.get(_TOKEN, ""), files)
        deadline = QDeadlineTimer(self._patience_ms)
        while not any(_is_delivered(message, place, deadline, before_calling) for place in self._places):
            if self._held.acquire():
                self._serve()
                return True
            if deadline.hasExpired():
                raise UserError(
                    "specchat is already open but isn't responding.",
                    "Close its window, or wait until it has closed. Then start specchat again.",
                )
            QThread.msleep(_PAUSE_MS)
        return False

    def stop_listening(self) -> None:
        """From now on another start waits until this window is gone."""
        self._server.close()

    def listen(self) -> None:
        """Listens again after `stop_listening`."""
        self._serve()

    def close(self) -> None:
        """From now on another start opens a window of its own."""
        self.stop_listening()
        self._held.release()

    def _serve(self) -> None:
        for place in self._places:
            QLocalServer.removeServer(place)
            if self._server.listen(place):
                return
            log.info("Couldn't create a socket at %s: %s", place, self._server.errorString())

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
        token, *files = message.split(_END)[:-1] or [b""]
        if b"" in files:
            connection.readyRead.disconnect(self._hear)
            connection.write(_DELIVERED)
            connection.flush()
            self._obey(token, files[: files.index(b"")])
        elif len(message) == _LONGEST_MESSAGE:
            connection.abort()

    def _obey(self, token: bytes, files: Sequence[bytes]) -> None:
        if token:
            os.environ[_TOKEN] = token.decode("ascii", "ignore")
        try:
            paths = [Path(os.fsdecode(file)) for file in files]
        except UnicodeDecodeError:  # no start of this program says that
            return
        self.activation_requested.emit(paths)


def _message(token: str, files: Sequence[Path]) -> bytes:
    paths = [os.fsencode(file)[:_LONGEST_PATH] for file in files[:_MOST_FILES]]
    return b"".join(part + _END for part in (token.encode("ascii", "ignore")[:_LONGEST_TOKEN], *paths, b""))


def _is_delivered(message: bytes, place: str, deadline: QDeadlineTimer, before_calling: Callable[[], None]) -> bool:
    """To be connected is not enough: so is who calls a window that hangs or closes."""
    socket = QLocalSocket()
    socket.connectToServer(place)
    if not socket.waitForConnected(_CONNECTING_MS):
        return False
    before_calling()
    _give_way()
    socket.write(message)
    while socket.bytesToWrite() and socket.waitForBytesWritten(deadline.remainingTime()):
        pass
    return socket.waitForReadyRead(deadline.remainingTime())


def bring_to_front(window: QWidget) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def _give_way() -> None:
    """Windows lets a window come forward only if the program in front agrees."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)
