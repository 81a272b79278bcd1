"""Applies the remedy that the user chooses for an error."""

from PySide6.QtCore import QObject

from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.engines.key_controller import KeyController
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.session import Session
from specchat.ui.window.error_remedies import Remedy


class RemedyController(QObject):
    def __init__(
        self, session: Session, chat: ChatController, pair: PairController, engine_keys: KeyController, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._chat, self._pair, self._engine_keys = session, chat, pair, engine_keys

    def apply(self, remedy: Remedy) -> None:
        match remedy:
            case Remedy.NEW_CHAT:
                self._chat.new_chat(self._session.project.id if self._session.project is not None else None)
            case Remedy.SMALLER_CONTEXT:
                self._pair.propose_smaller_context()
            case Remedy.LARGER_CONTEXT:
                self._pair.propose_larger_context()
            case Remedy.OTHER_MODEL | Remedy.OTHER_DRAFT:
                self._pair.picker.open()
            case Remedy.ENGINE_KEY:
                self._engine_keys.ask_again()
