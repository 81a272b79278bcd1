"""Asks before the window closes with something that could not be saved."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.words.message_translation import translate_text

translate = QCoreApplication.translate


def confirm_quit(unsaved_answer: UserError | None, unsaved_message: UserError | None, parent: QWidget) -> bool:
    """Why each of them could not be saved; None: nothing of the kind would be lost."""
    reason = unsaved_answer or unsaved_message
    if reason is None:
        return True
    text = translate("QuitQuestion", "An answer isn't saved.")
    if unsaved_answer is None:
        text = translate("QuitQuestion", "The unsent message isn't saved.")
    elif unsaved_message is not None:
        text = translate("QuitQuestion", "An answer and the unsent message aren't saved.")
    explanation = translate("QuitQuestion", "{reason} If you quit now, what isn't saved will be lost.")
    explained = explanation.format(reason=translate_text(reason.message))
    quit_anyway = translate("QuitQuestion", "Quit anyway")
    question = ConfirmationDialog(text, explained, quit_anyway, parent, destructive=True)
    question.setObjectName("quitQuestion")
    question.exec()
    return question.is_confirmed
