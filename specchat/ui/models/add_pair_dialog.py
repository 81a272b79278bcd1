"""The dialog for adding a pair to the list of known pairs."""

from pathlib import Path

from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from specchat.domain.errors import UserError
from specchat.domain.hub import is_model_file, parse_hub_reference
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import arrange_form, message_label
from specchat.ui.widgets.form_fields import labelled_field, muted_label
from specchat.ui.words.message_translation import translate_text

_EXAMPLE = "owner/repository:file.gguf"


class AddPairDialog(QDialog):
    """The dialog stays open until `accept`, or shows why the pair was not added."""

    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._target = self._field("pairTargetField", self.tr("Target"))
        self._draft = self._field("pairDraftField", self.tr("Draft"))
        self._problem = message_label("danger", "pairDialogProblem", self, lines=2)
        self._add = TextButton(self.tr("Add pair"), self, primary=True)
        self._cancel = TextButton(self.tr("Cancel"), self)
        self._arrange()
        for field in (self._target, self._draft):
            field.textChanged.connect(self._update)
        self._add.clicked.connect(self._enter)
        self._cancel.clicked.connect(self.reject)
        self._update()

    def show_problem(self, error: UserError) -> None:
        self._say(f"{translate_text(error.message)} {translate_text(error.hint)}")

    def _enter(self) -> None:
        self._requests.pair_entered.emit(_reference(self._target), _reference(self._draft))

    def _update(self) -> None:
        target, draft = _reference(self._target), _reference(self._draft)
        self._add.setEnabled(_is_reference(target) and _is_reference(draft) and target != draft)
        self._say(self._mistake(target, draft))

    def _mistake(self, target: str, draft: str) -> str:
        """Of what has been typed: nobody is told off before."""
        for reference in (target, draft):
            if reference and not _is_reference(reference):
                words = self.tr(
                    "{reference} is not a model. Enter a model such as {example}, or the path to a GGUF file."
                )
                return words.format(reference=reference, example=_EXAMPLE)
        return (
            self.tr("Target and draft are the same model. Choose a different draft.")
            if target and target == draft
            else ""
        )

    def _say(self, problem: str) -> None:
        self._problem.setText(problem)
        self._add.setAccessibleDescription(problem)

    def _field(self, object_name: str, words: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setObjectName(object_name)
        field.setAccessibleName(words)
        field.setPlaceholderText(_EXAMPLE)
        return field

    def _arrange(self) -> None:
        self.setObjectName("pairDialog")
        self.setWindowTitle(self.tr("Add a pair"))
        self._add.setObjectName("addThePairButton")
        words = self.tr("specchat reads the headers of both files to check whether the draft works with the target.")
        fields = (labelled_field(field.accessibleName(), field, self) for field in (self._target, self._draft))
        arrange_form(self, 60, (muted_label(words, self), *fields, self._problem), (self._cancel, self._add))


def _reference(field: QLineEdit) -> str:
    text = field.text().strip()
    return str(Path(text).expanduser().absolute()) if _is_file(text) else text


def _is_reference(text: str) -> bool:
    return parse_hub_reference(text) is not None or _is_file(text)


def _is_file(text: str) -> bool:
    return is_model_file(Path(text).name) and Path(text).expanduser().is_file()
