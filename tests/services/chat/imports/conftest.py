import json
from pathlib import Path
from typing import Any

import pytest
from support.chats import Clock

from specchat.services.chat.chat_import import ImportReport
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.store.chat_store import SqliteChatStore


@pytest.fixture
def files(chats: SqliteChatStore, clock: Clock) -> ConversationFiles:
    return ConversationFiles(chats, clock)


@pytest.fixture
def imported(tmp_path: Path, files: ConversationFiles) -> Any:
    def read(content: object, name: str = "chats.json") -> ImportReport:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return files.import_files([path])

    return read
