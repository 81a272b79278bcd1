"""Shows a fatal error in a message box when there is no window."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from specchat.ui.start.application import ThemeManager, make_application
from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme
from specchat.ui.words.installed_languages import install_translation
from specchat.ui.words.message_translation import translate_text

_ICON = 4 * GRID


def show_fatal_error(message: str, hint: str) -> None:
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = make_application()
        install_translation(application)
        ThemeManager(application)
    build_fatal_error_box(message, hint).exec()


def build_fatal_error_box(message: str, hint: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.NoIcon, "specchat", translate_text(message))
    theme = current_theme()
    box.setIconPixmap(icon("warning", theme.danger, theme.line).pixmap(_ICON))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.setInformativeText(translate_text(hint))
    box.addButton(QCoreApplication.translate("Start", "Close"), QMessageBox.ButtonRole.RejectRole)
    return box
