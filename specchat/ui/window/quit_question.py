"""Asks before the window closes with something that could not be saved."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.words.message_translation import translate_text

translate = QCoreApplication.translate


def confirm_losing_answer(reason: UserError, parent: QWidget) -> bool:
    explanation = translate("QuitQuestion", "{reason} If you quit now, the unsaved part will be lost.")
    return _confirm(translate("QuitQuestion", "An answer isn't saved."), explanation, reason, parent)


def _confirm(text: str, explanation: str, reason: UserError, parent: QWidget) -> bool:
    quit_anyway = translate("QuitQuestion", "Quit anyway")
    explained = explanation.format(reason=translate_text(reason.message))
    question = ConfirmationDialog(text, explained, quit_anyway, parent, destructive=True)
    question.setObjectName("quitQuestion")
    question.exec()
    return question.is_confirmed
