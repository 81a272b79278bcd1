"""Opens addresses, folders and files with the default programs of the desktop."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from specchat.store.stderr_capture import original_stderr


def open_url(address: str) -> bool:
    return _open(QUrl(address))


def open_folder(folder: Path) -> bool:
    return _open(QUrl.fromLocalFile(str(folder)))


def open_file(file: Path) -> bool:
    return _open(QUrl.fromLocalFile(str(file)))


def _open(url: QUrl) -> bool:
    with original_stderr():
        return QDesktopServices.openUrl(url)
