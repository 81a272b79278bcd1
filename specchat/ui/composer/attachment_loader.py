"""Reads files that are attached to a message, in the background."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from specchat.domain.conversations import Attachment
from specchat.domain.hub import is_model_file
from specchat.services.chat.binary_file_kinds import BinaryFileKind
from specchat.services.chat.document_files import detect_document
from specchat.services.chat.text_files import FileRefusal, read_text_file
from specchat.ui.documents.document_queue import DocumentQueue
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
    reading_changed = Signal(tuple)
    """The names of the documents that are being read."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._documents: DocumentQueue | None = None

    def enable_documents(self, documents: DocumentQueue) -> None:
        """Without them, only text is attached."""
        self._documents = documents
        documents.read.connect(self.attached)
        documents.rejected.connect(self.rejected)
        documents.changed.connect(lambda: self.reading_changed.emit(documents.names))

    @property
    def is_reading(self) -> bool:
        return self._documents is not None and bool(self._documents.names)

    def stop_reading(self) -> None:
        if self._documents is not None:
            self._documents.cancel()

    def choose_files(self) -> None:
        dialog = QFileDialog(self._over, self.tr("Attach files"))
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
            kind = detect_document(file) if self._documents is not None else None
            if kind is not None and self._documents is not None:
                self._documents.add(file, kind)
                continue
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
            FileRefusal.TOO_LARGE: self.tr("The file is larger than 8 MB."),
            FileRefusal.NOT_TEXT: self.tr("The file is not UTF-8 or UTF-16 text."),
            FileRefusal.EMPTY: self.tr("The file is empty."),
            FileRefusal.UNREADABLE: self.tr("Couldn't read the file."),
        }[refusal]
