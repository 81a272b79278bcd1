"""The error card of an answer that failed belongs to its chat."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import Conversation
from specchat.domain.errors import UserError
from specchat.ui.session import Session
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.widgets.notice import Notice
from specchat.ui.window.notification_controller import NotificationController


def test_a_failure_leaves_with_its_chat_and_comes_back_with_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    session, card = Session(), ErrorCard(window)
    notifications = NotificationController(session, card, Notice(window), QObject(window))
    failed, other = UserError("It stopped.", "Try again."), UserError("The disk is full.", "Delete something.")

    def open_chat(chat: int) -> str:
        session.open(Conversation(chat, "", 0.0, 0.0), [])
        return "" if card.isHidden() else card.words()

    open_chat(1)
    notifications.show_failure(1, failed, None, "")
    assert open_chat(2) == ""
    assert open_chat(1) == "It stopped. Try again."
    notifications.show_error(other)
    assert open_chat(2) == "The disk is full. Delete something."
    card.dismiss()
    assert open_chat(1) == "It stopped. Try again."
    notifications.dismiss_error(failed)
    assert card.isHidden()
    open_chat(2)
    notifications.show_failure(1, failed, None, "")
    assert card.words() == "It stopped. Try again."
    card.dismiss()
    assert open_chat(1) == ""
