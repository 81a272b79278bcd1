"""Pictures of the message that is being written: its context, edits, and the start of an answer."""

from PySide6.QtWidgets import QAbstractButton
from support import sample_chats
from support.stage import ONE, Scene, Stage, settle
from support.windows import wait_until


def context(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.composer.set_attachments((sample_chats.MINUTES,))
    stage.controller.window.composer.set_text("What was decided about the harbour?")
    settle()
    stage.find(QAbstractButton, "contextMeter").click()


def too_long(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.composer.set_text("\n".join(["The tide comes in and goes out again, twice a day."] * 100))
    context = stage.controller.context
    wait_until(lambda: context._count is not None and context._count.question > 0, "the message is not counted")
    stage.controller.window.composer.send()


def edited(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.composer.edit_last_requested.emit()


def edited_answer(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.transcript.edit_requested.emit(stage.controller.session.path[-1].id)


def answer_regenerated(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.transcript.prefill_requested.emit(stage.controller.session.path[-1].id)
    settle()


def answer_start(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.composer.set_text("List three uses of a draft.")
    stage.controller.window.composer.open_prefill("1. **Speed**:")


SCENES = {
    "context": Scene(context, n_ctx=4096),
    "too-long": Scene(too_long, sizes=ONE, n_ctx=1024),
    "edited": Scene(edited, sizes=ONE, modes=("light",)),
    "edited-answer": Scene(edited_answer, sizes=((900, 600), (640, 480)), twice=True),
    "answer-regenerated": Scene(answer_regenerated, sizes=ONE),
    "answer-start": Scene(answer_start, sizes=((900, 600), (640, 480)), twice=True),
}
