from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from specchat.domain.conversations import Attachment
from specchat.services.chat.file_kinds import FileKind
from specchat.services.chat.text_files import Refusal, read_text_file
from specchat.ui.widgets.last_folder import Purpose, begin_in_last_folder
from specchat.ui.words.said import in_words


class Attaching(QObject):
    """From files, chosen or given, to attachments or the reason why not."""

    begun = Signal()
    attached = Signal(Attachment)
    models_given = Signal(list)
    """Files that are models by their names."""
    refused = Signal(str, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent

    def choose(self) -> None:
        dialog = QFileDialog(self._over, self.tr("Attach text files"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        begin_in_last_folder(dialog, Purpose.ATTACHMENTS)
        dialog.filesSelected.connect(self._take_names)
        dialog.open()

    def take(self, files: Sequence[Path]) -> None:
        self.begun.emit()
        models = [file for file in files if file.suffix.casefold() == ".gguf"]
        if models:
            self.models_given.emit(models)
        for file in (file for file in files if file not in models):
            outcome = read_text_file(file)
            if isinstance(outcome, Attachment):
                self.attached.emit(outcome)
            else:
                self.refused.emit(file.name, self._reason(outcome))

    def _take_names(self, names: list[str]) -> None:
        self.take([Path(name) for name in names])

    def _reason(self, refusal: Refusal | FileKind) -> str:
        if isinstance(refusal, FileKind):
            kind, hint = in_words(refusal.name), in_words(refusal.hint)
            return self.tr("It is {kind}. {hint}").format(kind=kind, hint=hint)
        return {
            Refusal.FOLDER: self.tr("It is a folder: choose the files in it."),
            Refusal.TOO_LARGE: self.tr("It is larger than 2 MB."),
            Refusal.NOT_TEXT: self.tr("It is not text in UTF-8 or UTF-16."),
            Refusal.EMPTY: self.tr("It is empty."),
            Refusal.UNREADABLE: self.tr("It could not be read."),
        }[refusal]
