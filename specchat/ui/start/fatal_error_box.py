"""Shows a fatal error in a message box when there is no window."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from specchat.ui.start.application import ThemeManager, make_application
from specchat.ui.words.installed_languages import install_translation
from specchat.ui.words.message_translation import translate_text


def show_fatal_error(message: str, hint: str) -> None:
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = make_application()
        install_translation(application)
        ThemeManager(application)
    build_fatal_error_box(message, hint).exec()


def build_fatal_error_box(message: str, hint: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Critical, "specchat", translate_text(message))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setInformativeText(translate_text(hint))
    box.addButton(QCoreApplication.translate("Start", "Close"), QMessageBox.ButtonRole.RejectRole)
    return box
