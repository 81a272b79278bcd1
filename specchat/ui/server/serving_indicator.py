"""Shows in the header that the API server is on and which program it is serving."""

from PySide6.QtCore import QObject

from specchat.ui.server.api_activity import ApiActivity
from specchat.ui.server.server_controller import ServerController
from specchat.ui.server.server_state import ServerPhase
from specchat.ui.session import Session
from specchat.ui.window.header import Header


class ServingIndicator(QObject):
    def __init__(
        self, session: Session, header: Header, server: ServerController, others: ApiActivity, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._header, self._server, self._others = session, header, server, others
        server.state_changed.connect(self._show)
        others.changed.connect(self._show)
        session.pair_changed.connect(self._show)

    def _show(self) -> None:
        """Nobody is served where nothing is loaded, though the server goes on."""
        state, others = self._server.state, self._others
        is_serving = state.phase is ServerPhase.SERVING and self._session.choice is not None
        if not is_serving and not others.is_active:
            self._header.show_serving("", "")
            return
        program = (others.client_name or self.tr("another program")) if others.is_active else ""
        self._header.show_serving(
            self._words(program, others.n_waiting),
            self.tr("Other programs may use the models at {url}").format(url=state.url) if state.url else "",
        )

    def _words(self, program: str, n_waiting: int) -> str:
        if program and n_waiting:
            words = self.tr("Serving {program}, {n} waiting")
        elif program:
            words = self.tr("Serving {program}")
        else:
            words = self.tr("Serving, {n} waiting") if n_waiting else self.tr("Serving")
        return words.format(program=program, n=n_waiting)
