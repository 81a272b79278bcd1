"""Runs the API server in a thread of its own, which also imports what the server needs."""

import threading
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from specchat.domain.completions import ApiServer, Completions, MakeServer, ServerSettings
from specchat.domain.errors import UserError
from specchat.services.program.internal_errors import wrap_internal_errors

_PATIENCE_MS = 2000


class ServerThread(QThread):
    server_started = Signal(str)
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

    def stop_and_wait(self) -> None:
        """Soon, whoever is still there, and until then this blocks."""
        self.stop()
        if not self.wait(_PATIENCE_MS):
            with self._lock:
                if self._server is not None:
                    self._server.stop()
            self.wait()

    def run(self) -> None:
        try:
            with wrap_internal_errors(self._logs):
                server = self._make_server(self.settings, self._completions)
                self._keep(server)
                self.server_started.emit(server.url)
                server.run()
        except UserError as error:
            self.failed.emit(error)

    def _keep(self, server: ApiServer) -> None:
        with self._lock:
            self._server = server
            if self._is_stopped:
                server.stop()
