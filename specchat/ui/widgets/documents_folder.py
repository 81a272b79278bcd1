"""The folder in which file dialogs open first."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths


def documents_folder() -> Path:
    """Where a dialog for files begins: Qt would take the folder that the program was started in."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(folder) if folder and Path(folder).is_dir() else Path.home()
