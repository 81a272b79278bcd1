"""The threads that call the engine: one for all jobs, and others for the answers and lookups beside those."""

from threading import Thread

from PySide6.QtCore import QThread

from specchat.services.engines.engine_queue import EngineQueue
from specchat.services.engines.pair_session import PairSession

MOST_ANSWERS = 4
"""The maximum number of answers at once, whatever the pair allows."""


class EngineThreads(QThread):
    """Owns the models: the engine is made, used and closed here."""

    def __init__(self, turns: EngineQueue, session: PairSession) -> None:
        super().__init__()
        self.setObjectName("inference")
        self._turns, self._session = turns, session

    def run(self) -> None:
        run = self._turns.run
        helpers = [Thread(target=run, kwargs={"beside": True}, name="answers") for _ in range(1, MOST_ANSWERS)]
        helpers.append(Thread(target=run, kwargs={"lookups_only": True}, name="lookups"))
        for helper in helpers:
            helper.start()
        try:
            self._turns.run()
        finally:
            self._turns.close()  # otherwise the helpers would wait for more
        for helper in helpers:
            helper.join()
        self._session.close()
