from collections.abc import Iterator
from pathlib import Path

import pytest

from specchat.domain.conversations import Conversation, ConversationSettings
from specchat.store.chat_store import SqliteChatStore, open_chat_store


@pytest.fixture
def chats_path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "chats.db"


@pytest.fixture
def chats(chats_path: Path) -> Iterator[SqliteChatStore]:
    store = open_chat_store(chats_path)
    yield store
    store.close()


@pytest.fixture
def conversation(chats: SqliteChatStore) -> Conversation:
    return chats.add_conversation(ConversationSettings(), now=1.0)
