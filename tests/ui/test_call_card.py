"""The keyboard focus around the card of a call."""

from PySide6.QtWidgets import QAbstractButton, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.tools.call_card import CallCard


def test_a_call_that_is_allowed_gives_the_focus_back(qtbot: QtBot) -> None:
    window = QWidget()
    first, editor, card = QLineEdit(window), QLineEdit(window), CallCard(window)
    layout = QVBoxLayout(window)
    for part in (first, editor, card):
        layout.addWidget(part)
    qtbot.addWidget(window)
    card.ask("notes", "add_note", '{"text": "milk"}', "", can_allow=True)
    window.show()
    window.activateWindow()
    editor.setFocus()
    allow = card.findChild(QAbstractButton, "allowCall")
    assert allow is not None
    qtbot.waitUntil(allow.isEnabled)
    allow.setFocus()
    card.show_running("notes", "add_note")
    assert window.focusWidget() is editor
