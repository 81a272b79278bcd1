"""Asked before a model or a pair goes."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from specchat.services.models.pair_values import ShelfModel
from specchat.ui.picker.rows import size
from specchat.ui.widgets.question import Question


def whether_to_delete(model: ShelfModel, parent: QWidget, *, is_loaded: bool) -> Question:
    translate = QCoreApplication.translate
    explanation = translate("Question", "It can be downloaded again, as long as the Hub has it.")
    if is_loaded:
        explanation = (
            translate("Question", "It is loaded now, and will be missing at the next start.") + " " + explanation
        )
    return Question(
        translate("Question", "Delete {name}?").format(name=model.name),
        explanation,
        translate("Question", "Delete the file ({size})").format(size=size(model.size)),
        parent,
        destructive=True,
    )


def whether_to_take_off(name: str, explanation: str, parent: QWidget) -> Question:
    translate = QCoreApplication.translate
    text = translate("Question", "Take {name} off the list?").format(name=name)
    return Question(text, explanation, translate("Question", "Take off the list"), parent)
