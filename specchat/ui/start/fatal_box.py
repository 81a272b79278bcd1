"""The last words of a program without a window."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from specchat.ui.start.application import Look, make_application
from specchat.ui.words.said import in_words
from specchat.ui.words.translation import install_translation


def show_box(message: str, hint: str) -> None:
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = make_application()
        install_translation(application)
        Look(application)
    fatal_box(message, hint).exec()


def fatal_box(message: str, hint: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Critical, "specchat", in_words(message))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setInformativeText(in_words(hint))
    box.addButton(QCoreApplication.translate("Start", "Close"), QMessageBox.ButtonRole.RejectRole)
    return box
