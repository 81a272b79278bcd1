from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chats import Clock

from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import SqliteChatStore, open_chat_store


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[SqliteChatStore]:
    store = open_chat_store(tmp_path / "chats.db")
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def conversations(chats: SqliteChatStore, clock: Clock) -> ConversationService:
    return ConversationService(chats, clock)


@pytest.fixture
def messages(chats: SqliteChatStore, clock: Clock) -> MessageService:
    return MessageService(chats, clock)
