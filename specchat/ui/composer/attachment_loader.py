"""Reads files that are attached to a message, in the background."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from specchat.domain.conversations import Attachment
from specchat.domain.hub import is_model_file
from specchat.services.chat.binary_file_kinds import BinaryFileKind
from specchat.services.chat.text_files import FileRefusal, read_text_file
from specchat.ui.widgets.last_folder import FolderPurpose, open_in_last_folder
from specchat.ui.words.message_translation import translate_text


class AttachmentLoader(QObject):
    """From files, chosen or given, to attachments or the reason why not."""

    started = Signal()
    attached = Signal(Attachment)
    model_files_chosen = Signal(list)
    """Files that are models by their names."""
    rejected = Signal(str, str)
    """The file's name, and why."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent

    def choose_files(self) -> None:
        dialog = QFileDialog(self._over, self.tr("Attach text files"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        open_in_last_folder(dialog, FolderPurpose.ATTACHMENTS)
        dialog.filesSelected.connect(self._take_names)
        dialog.open()

    def load_files(self, files: Sequence[Path]) -> None:
        self.started.emit()
        models = [file for file in files if is_model_file(file.name)]
        if models:
            self.model_files_chosen.emit(models)
        for file in (file for file in files if file not in models):
            outcome = read_text_file(file)
            if isinstance(outcome, Attachment):
                self.attached.emit(outcome)
            else:
                self.rejected.emit(file.name, self._reason(outcome))

    def _take_names(self, names: list[str]) -> None:
        self.load_files([Path(name) for name in names])

    def _reason(self, refusal: FileRefusal | BinaryFileKind) -> str:
        if isinstance(refusal, BinaryFileKind):
            kind, hint = translate_text(refusal.name), translate_text(refusal.hint)
            return self.tr("This is {kind}. {hint}").format(kind=kind, hint=hint)
        return {
            FileRefusal.FOLDER: self.tr("This is a folder. Choose the files inside it."),
            FileRefusal.TOO_LARGE: self.tr("The file is larger than 2 MB."),
            FileRefusal.NOT_TEXT: self.tr("The file is not UTF-8 or UTF-16 text."),
            FileRefusal.EMPTY: self.tr("The file is empty."),
            FileRefusal.UNREADABLE: self.tr("Couldn't read the file."),
        }[refusal]
