"""Questions before a model is deleted, an entry leaves a list, or a download is cancelled."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from specchat.services.hub.download_jobs import DownloadStatus
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.models.download_text import joined_model_names
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.words.number_format import format_size


def delete_question(model: LocalModel, parent: QWidget, *, is_loaded: bool) -> ConfirmationDialog:
    translate = QCoreApplication.translate
    if model.early_exit_of is None:
        explanation = translate("Question", "You can download it again from Hugging Face.")
    else:
        explanation = translate("Question", "You can make it again from its target.")
    if is_loaded:
        explanation = (
            translate("Question", "It is loaded now. You can use it until it is unloaded.") + " " + explanation
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
    text = translate("Question", "Remove {name} from the list?").format(name=name)
    return ConfirmationDialog(text, explanation, translate("Question", "Remove from list"), parent)


class CancelDownloadDialog(QMessageBox):
    """Asks whether the part that has arrived stays."""

    cancel_confirmed = Signal(bool)
    """True: what has arrived is kept."""

    def __init__(self, shown: DownloadStatus, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("cancelQuestion")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("Cancel the download of {names}?").format(names=joined_model_names(shown.job)))
        words = self.tr("{size} downloaded so far. If you keep it, the next download resumes from there.")
        self.setInformativeText(words.format(size=format_size(shown.done)))
        self._keep = self.addButton(self.tr("Keep partial download"), QMessageBox.ButtonRole.AcceptRole)
        self._delete = self.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        back = self.addButton(self.tr("Continue download"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(back)
        self.setEscapeButton(back)
        self.buttonClicked.connect(self._clicked)

    def _clicked(self, button: object) -> None:
        if button in (self._keep, self._delete):
            self.cancel_confirmed.emit(button is self._keep)
