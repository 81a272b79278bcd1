"""What a chat is called in lists."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Conversation
from specchat.services.chat.titles import automatic_title


def own_title(conversation: Conversation) -> str:
    """Empty without one. Where all messages were deleted, the first question is kept as the title: it may come back."""
    is_about_something = conversation.leaf is not None or conversation.titled_by_user
    return conversation.title if is_about_something else ""


def shown_title(conversation: Conversation) -> str:
    """Before its first question is sent, what is typed."""
    new = QCoreApplication.translate("ChatList", "New chat")
    return own_title(conversation) or automatic_title(conversation.draft) or new
