from pathlib import Path

import shiboken6
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from support.windows import home

from specchat.ui.deeds import Deeds
from specchat.ui.desk import Desk
from specchat.ui.start.application import Look
from specchat.window_parts import services_at


def test_the_menu_opens_it(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with home() as places:
        desk = Desk(services_at(places), Look(qapp))
        Deeds(desk)
        assert desk.window.findChild(QDialog, "aboutDialog") is None
        (action,) = (each for each in desk.window.findChildren(QAction) if each.text() == "About specchat")
        action.trigger()
        dialog = desk.window.findChild(QDialog, "aboutDialog")
        assert dialog is not None
        assert dialog.isVisible()
        desk.window.close()
        desk.close()
        shiboken6.delete(desk.window)
