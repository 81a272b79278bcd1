from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chats import Clock

from specchat.services.chat.conversations import Conversations
from specchat.services.chat.messages import Messages
from specchat.store.chat_store import SqliteChatStore, open_chats


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[SqliteChatStore]:
    store = open_chats(tmp_path / "chats.db")
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def conversations(chats: SqliteChatStore, clock: Clock) -> Conversations:
    return Conversations(chats, clock)


@pytest.fixture
def messages(chats: SqliteChatStore, clock: Clock) -> Messages:
    return Messages(chats, clock)
