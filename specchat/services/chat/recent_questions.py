"""Lists the user's recent questions as suggestions to ask again."""

from itertools import islice

from specchat.domain.types import Role
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService

_MOST_CHATS, _MOST = 30, 12
_LONGEST = 4000
"""Characters: reading a longer one would take more time than answering it."""


def recent_questions(conversations: ConversationService, messages: MessageService) -> tuple[str, ...]:
    """The newest first, each once; without attachments and what was said before."""
    newest = sorted(conversations.list_all(), key=lambda each: each.updated, reverse=True)
    asked = (
        message.text.strip()
        for conversation in newest[:_MOST_CHATS]
        for message in reversed(messages.shown_path(conversation.id, with_pictures=False))
        if message.role is Role.USER
    )
    return tuple(islice(dict.fromkeys(text for text in asked if 0 < len(text) <= _LONGEST), _MOST))
