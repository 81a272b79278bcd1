"""Confirmation questions for deleting a model and for removing an entry from a list."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from specchat.services.models.pair_fit import LocalModel
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.words.number_format import format_size


def delete_question(model: LocalModel, parent: QWidget, *, is_loaded: bool) -> ConfirmationDialog:
    translate = QCoreApplication.translate
    explanation = translate("Question", "It can be downloaded again, as long as the Hub has it.")
    if is_loaded:
        explanation = (
            translate("Question", "It is loaded now, and will be missing at the next start.") + " " + explanation
        )
    return ConfirmationDialog(
        translate("Question", "Delete {name}?").format(name=model.name),
        explanation,
        translate("Question", "Delete the file ({size})").format(size=format_size(model.size)),
        parent,
        destructive=True,
    )


def remove_question(name: str, explanation: str, parent: QWidget) -> ConfirmationDialog:
    translate = QCoreApplication.translate
    text = translate("Question", "Take {name} off the list?").format(name=name)
    return ConfirmationDialog(text, explanation, translate("Question", "Take off the list"), parent)
