"""Opens addresses and folders with the default programs of the desktop."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from specchat.store.stderr_capture import original_stderr


def open_url(address: str) -> bool:
    return _open(QUrl(address))


def open_folder(folder: Path) -> bool:
    return _open(QUrl.fromLocalFile(str(folder)))


def _open(url: QUrl) -> bool:
    with original_stderr():
        return QDesktopServices.openUrl(url)
