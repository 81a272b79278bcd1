"""By the program that the desktop has for it."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from specchat.store.kept_stderr import stderr_given_back


def open_address(address: str) -> bool:
    return _open(QUrl(address))


def open_folder(folder: Path) -> bool:
    return _open(QUrl.fromLocalFile(str(folder)))


def _open(url: QUrl) -> bool:
    with stderr_given_back():
        return QDesktopServices.openUrl(url)
