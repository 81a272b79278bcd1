from pathlib import Path

import shiboken6
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from support.windows import home

from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.menu_actions import MenuActions
from specchat.window_bootstrap import build_services


def test_the_menu_opens_it(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with home() as places:
        controller = AppController(build_services(places), ThemeManager(qapp))
        MenuActions(controller)
        assert controller.window.findChild(QDialog, "aboutDialog") is None
        (action,) = (each for each in controller.window.findChildren(QAction) if each.text() == "About specchat")
        action.trigger()
        dialog = controller.window.findChild(QDialog, "aboutDialog")
        assert dialog is not None
        assert dialog.isVisible()
        controller.window.close()
        controller.close()
        shiboken6.delete(controller.window)
