"""What the user asked of late, as it might be asked again."""

from itertools import islice

from specchat.domain.types import Role
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.messages import Messages

_MOST_CHATS, _MOST = 30, 12
_LONGEST = 4000
"""Characters: reading a longer one would take more time than answering it."""


def recent_questions(conversations: Conversations, messages: Messages) -> tuple[str, ...]:
    """The newest first, each once; without attachments and what was said before."""
    newest = sorted(conversations.listed(), key=lambda each: each.updated, reverse=True)
    asked = (
        message.text.strip()
        for conversation in newest[:_MOST_CHATS]
        for message in reversed(messages.shown(conversation.id))
        if message.role is Role.USER
    )
    return tuple(islice(dict.fromkeys(text for text in asked if 0 < len(text) <= _LONGEST), _MOST))
