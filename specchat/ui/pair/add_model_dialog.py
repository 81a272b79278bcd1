"""The file dialog for adding a GGUF file."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from specchat.ui.widgets.last_folder import FolderPurpose, open_in_last_folder


class AddModelDialog(QFileDialog):
    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add a GGUF file"))
        self.setObjectName("addModelDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Models (*.gguf *.safetensors)"), self.tr("All files (*)")])
        open_in_last_folder(self, FolderPurpose.MODELS)
