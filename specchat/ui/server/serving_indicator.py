"""Shows in the header that the API server is on and which program it is serving."""

from PySide6.QtCore import QObject

from specchat.ui.server.api_activity import ApiActivity
from specchat.ui.server.server_controller import ServerController
from specchat.ui.server.server_state import ServerPhase
from specchat.ui.session import Session
from specchat.ui.window.header import Header


class ServingIndicator(QObject):
    def __init__(
        self, session: Session, header: Header, server: ServerController, api_activity: ApiActivity, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._header, self._server, self._api_activity = session, header, server, api_activity
        server.state_changed.connect(self._show)
        api_activity.changed.connect(self._show)
        session.pair_changed.connect(self._show)

    def _show(self) -> None:
        """Nobody is served where nothing is loaded, though the server goes on."""
        state, api_activity = self._server.state, self._api_activity
        is_serving = state.phase is ServerPhase.SERVING and self._session.choice is not None
        if not is_serving and not api_activity.is_active:
            self._header.show_serving("", "")
            return
        program = self._program() if api_activity.is_active else ""
        self._header.show_serving(
            self._words(program, api_activity.n_waiting),
            self.tr("Local API server running at {url}").format(url=state.url) if state.url else "",
        )

    def _program(self) -> str:
        name = self._api_activity.client_name
        return self.tr("“{name}”").format(name=name) if name else self.tr("another program")

    def _words(self, program: str, n_waiting: int) -> str:
        if program and n_waiting:
            words = self.tr("API: answering {program}, {n} waiting")
        elif program:
            words = self.tr("API: answering {program}")
        else:
            words = self.tr("Server on, {n} waiting") if n_waiting else self.tr("Server on")
        return words.format(program=program, n=n_waiting)
