"""Asks before the window closes with something that could not be saved."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.words.message_translation import translate_text

translate = QCoreApplication.translate


def confirm_quit(
    unsaved_answer: UserError | None, unsaved_message: UserError | None, parent: QWidget, *, edits: bool
) -> bool:
    """The errors tell why something could not be saved; None: nothing of the kind would be lost. `edits`: likewise
    what was changed in a message that is being edited."""
    reason = unsaved_answer or unsaved_message
    if reason is not None:
        return _confirm(*_unsaved_words(reason, unsaved_answer, unsaved_message), parent)
    if edits:
        text = translate("QuitQuestion", "You are still editing a message.")
        return _confirm(text, translate("QuitQuestion", "If you quit now, your changes will be lost."), parent)
    return True


def _unsaved_words(
    reason: UserError, unsaved_answer: UserError | None, unsaved_message: UserError | None
) -> tuple[str, str]:
    text = translate("QuitQuestion", "An answer isn't saved.")
    if unsaved_answer is None:
        text = translate("QuitQuestion", "The unsent message isn't saved.")
    elif unsaved_message is not None:
        text = translate("QuitQuestion", "An answer and the unsent message aren't saved.")
    explanation = translate("QuitQuestion", "{reason} If you quit now, what isn't saved will be lost.")
    return text, explanation.format(reason=translate_text(reason.message))


def _confirm(text: str, explained: str, parent: QWidget) -> bool:
    quit_anyway = translate("QuitQuestion", "Quit anyway")
    question = ConfirmationDialog(text, explained, quit_anyway, parent, destructive=True)
    question.setObjectName("quitQuestion")
    question.exec()
    return question.is_confirmed
