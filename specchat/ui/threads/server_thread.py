"""The server for other programs, in a thread of its own. What it needs is imported there, too: that takes a moment."""

import threading
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from specchat.domain.errors import UserError
from specchat.domain.serving import ApiServer, Completions, MakeServer, ServerSettings
from specchat.services.program.mistakes import own_mistakes_explained

_PATIENCE_MS = 2000


class ServerThread(QThread):
    listening = Signal(str)
    """Where."""
    failed = Signal(UserError)

    def __init__(
        self,
        make_server: MakeServer,
        settings: ServerSettings,
        completions: Completions,
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("server")
        self.settings = settings
        self._make_server, self._completions, self._logs = make_server, completions, logs
        self._lock = threading.Lock()
        self._server: ApiServer | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """The running answer gets some time to finish; `finished` is emitted then."""
        with self._lock:
            if self._server is not None and not self._is_stopped:
                self._server.stop()
            self._is_stopped = True

    def end(self) -> None:
        """Soon, whoever is still there, and until then this blocks."""
        self.stop()
        if not self.wait(_PATIENCE_MS):
            with self._lock:
                if self._server is not None:
                    self._server.stop()
            self.wait()

    def run(self) -> None:
        try:
            with own_mistakes_explained(self._logs):
                server = self._make_server(self.settings, self._completions)
                self._keep(server)
                self.listening.emit(server.url)
                server.run()
        except UserError as error:
            self.failed.emit(error)

    def _keep(self, server: ApiServer) -> None:
        with self._lock:
            self._server = server
            if self._is_stopped:
                server.stop()
