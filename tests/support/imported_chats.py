"""What came of an import."""

from specchat.domain.conversations import ConversationTree
from specchat.domain.types import Role
from specchat.services.chat.chat_import import ImportReport
from specchat.store.chat_store import SqliteChatStore


def tree(chats: SqliteChatStore, report: ImportReport) -> ConversationTree:
    (number,) = report.added
    return chats.tree(number)


def shown(chats: SqliteChatStore, report: ImportReport) -> list[tuple[Role, str]]:
    leaf = tree(chats, report).conversation.leaf
    assert leaf is not None
    return [(message.role, message.text) for message in chats.path(leaf)]
