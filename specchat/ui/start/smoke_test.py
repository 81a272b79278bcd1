"""Checks the whole program by asking the demo pair one question in the real window."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer

from specchat.domain.answer_tasks import AnswerEnded
from specchat.domain.conversations import MessageState
from specchat.domain.errors import UserError
from specchat.services.models.demo_pair import demo_choice
from specchat.services.settings.preset_service import PRECISE
from specchat.ui.app_controller import AppController

QUESTION = "What is a draft model?"
_PATIENCE_MS = 180_000


@dataclass(frozen=True, slots=True)
class SmokeResult:
    ok: bool
    tokens: int = 0
    acceptance_rate: float = 0.0
    tokens_per_s: float = 0.0
    saved_s: float = 0.0
    speculation: str = ""
    text: str = ""
    error: str = ""


class SmokeTest(QObject):
    def __init__(self, controller: AppController) -> None:
        super().__init__(controller)
        self._app = controller
        self.result = SmokeResult(ok=False, error="The window was closed before the demo answered.")
        controller.window.first_painted.connect(self._load)
        controller.session.pair_loaded.connect(self._ask)
        controller.notifications.error_reported.connect(self._fail)
        controller.answers.ended.connect(self._end)
        QTimer.singleShot(_PATIENCE_MS, self, self._give_up)

    def _load(self) -> None:
        demo = demo_choice()
        if demo is None:
            self._finish(SmokeResult(ok=False, error="The demo pair, which is included with specchat, is missing."))
            return
        self._app.pair.load(demo)

    def _ask(self) -> None:
        with self._app.chat.reporting_errors():
            self._app.chat.start_chat(PRECISE)
        self._app.window.composer.set_text(QUESTION)
        self._app.generation.send(QUESTION, ())

    def _end(self, message: int, end: AnswerEnded) -> None:
        stats = end.answer.stats
        text = self._app.services.messages.path_to(message)[-1].text
        self._finish(
            SmokeResult(
                ok=end.state is MessageState.DONE and bool(text.strip()),
                tokens=stats.n_generated,
                acceptance_rate=stats.acceptance_rate,
                tokens_per_s=stats.tokens_per_s,
                saved_s=stats.saved_s,
                speculation=stats.speculation,
                text=text,
            )
        )

    def _fail(self, error: UserError) -> None:
        self._finish(SmokeResult(ok=False, error=f"{error.message} {error.hint}"))

    def _give_up(self) -> None:
        self._finish(SmokeResult(ok=False, error="The demo didn't answer in time."))

    def _finish(self, result: SmokeResult) -> None:
        self.result = result
        self._app.close_unasked()
        self._app.window.close()
