"""The titles of chats in lists."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Conversation
from specchat.services.chat.titles import automatic_title


def display_title(conversation: Conversation) -> str:
    """Before its first question is sent, what is typed."""
    new = QCoreApplication.translate("ChatList", "New chat")
    return conversation.own_title or automatic_title(conversation.unsent_text) or new
