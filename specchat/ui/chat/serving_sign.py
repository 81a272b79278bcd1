"""Says over the conversation that other programs are served, and which one is."""

from PySide6.QtCore import QObject

from specchat.ui.chat.other_programs import OtherPrograms
from specchat.ui.chat.pair_control import PairControl
from specchat.ui.chat.server_control import ServerControl
from specchat.ui.header import Header
from specchat.ui.settings.values import ServerPhase


class ServingSign(QObject):
    def __init__(
        self, header: Header, server: ServerControl, others: OtherPrograms, pair: PairControl, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._header, self._server, self._others, self._pair = header, server, others, pair
        server.changed.connect(self._show)
        others.changed.connect(self._show)
        for changed in (pair.begun, pair.gone):
            changed.connect(self._show)

    def _show(self) -> None:
        """Nobody is served where nothing is loaded, though the server goes on."""
        state, others = self._server.state, self._others
        is_serving = state.phase is ServerPhase.SERVING and self._pair.wanted is not None
        if not is_serving and not others.is_answered:
            self._header.show_serving("", "")
            return
        program = (others.name or self.tr("another program")) if others.is_answered else ""
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
