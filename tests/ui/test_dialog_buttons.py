"""The last button of a dialog is the one that Enter presses, as in dialogs with a form."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.start.application import ThemeManager
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog


@pytest.mark.parametrize(("destructive", "words"), [(False, ["Cancel", "Do it"]), (True, ["Do it", "Cancel"])])
def test_the_default_button_is_the_last_one(
    qtbot: QtBot, qapp: QApplication, destructive: bool, words: list[str]
) -> None:
    ThemeManager(qapp)
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ConfirmationDialog("Really?", "It takes long.", "Do it", parent, destructive=destructive)
    dialog.show()
    buttons = sorted(dialog.findChildren(QPushButton), key=lambda button: button.x())
    assert [button.text().replace("&", "") for button in buttons] == words
    assert buttons[-1].isDefault()
