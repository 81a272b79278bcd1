"""Asks for confirmation before a link is opened."""

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtWidgets import QMessageBox, QWidget

from specchat.ui.desktop_services import open_url

_SCHEMES = ("http", "https", "mailto")


def open_link_after_question(url: str, parent: QWidget) -> None:
    if _confirm(url, parent):
        open_url(url)


def _confirm(url: str, parent: QWidget) -> bool:
    address = QUrl(url)
    box = QMessageBox(parent)
    box.setObjectName("linkQuestion")
    box.setTextFormat(Qt.TextFormat.PlainText)
    if address.scheme().lower() not in _SCHEMES or not address.isValid():
        box.setText(QCoreApplication.translate("Link", "Can't open this link."))
        box.setInformativeText(url)
        box.exec()
        return False
    box.setText(QCoreApplication.translate("Link", "Open this link in your browser?"))
    box.setInformativeText(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))
    open_it = box.addButton(QCoreApplication.translate("Link", "Open"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    return box.clickedButton() is open_it
