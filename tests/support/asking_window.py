"""Starts the window as `python -m specchat` does, asks a question as soon as it can, and ends.

What it says on the way is printed as one JSON object: "told" (each message with its hint), "answer", and the "scale".
"""

import json
import sys
from unittest.mock import patch

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QTextEdit
from support.ending_window import with_desk

from specchat import bootstrap
from specchat.domain.types import SamplingParams
from specchat.ui.app_controller import AppController

QUESTION = "Grüße, 世界! שלום"
MOST_TOKENS = 24


class Listener:
    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []
        self.answer = ""
        self.scale = 0.0

    def hear_box(self, box: QMessageBox) -> int:
        """It would wait for somebody."""
        self.told.append((box.text(), box.informativeText()))
        return 0

    def follow(self, controller: AppController) -> None:
        self._desk = controller
        controller.session.pair_loaded.connect(lambda _: QTimer.singleShot(0, self._ask))
        controller.answers.ended.connect(self._ended)
        controller.answers.failed.connect(lambda *_: self._end())
        controller.session.pair_changed.connect(self._end_if_unloaded)

    def _end_if_unloaded(self) -> None:
        if self._desk.session.choice is None:
            self._end()

    def _ask(self) -> None:
        controller = self._desk
        self.scale = controller.window.devicePixelRatio()
        conversation = controller.session.conversation
        if conversation is not None:
            settings = type(conversation.settings)(sampling=SamplingParams(temperature=0), max_tokens=MOST_TOKENS)
            controller.chat.change_settings(settings)
        controller.window.composer.sent.emit(QUESTION, ())
        if not controller.chat.is_answering:
            self._end()

    def _ended(self, message: int) -> None:
        row = self._desk.window.transcript.message_layout.cached_row(message)
        self.answer = row.text if row is not None else ""
        QTimer.singleShot(0, self._end)

    def _end(self) -> None:
        problem = self._desk.window.problem
        if problem.isVisible():
            words = (problem.findChild(QTextEdit, name) for name in ("problemMessage", "problemHint"))
            message, hint = (each.toPlainText() if each is not None else "" for each in words)
            self.told.append((message, hint))
        QApplication.closeAllWindows()


def main() -> None:
    listener = Listener()
    with with_desk(listener.follow), patch.object(QMessageBox, "exec", lambda box: listener.hear_box(box)):
        code = bootstrap.run(sys.argv[1:])
    json.dump({"told": listener.told, "answer": listener.answer, "scale": listener.scale}, sys.stdout)
    sys.exit(code)


if __name__ == "__main__":
    main()
