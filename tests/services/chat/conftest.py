import json
from pathlib import Path
from typing import Any

import pytest
from support.chats import Clock, varied_tree

from specchat.services.chat.conversation_files import ConversationFiles
from specchat.store.chat_store import SqliteChatStore


@pytest.fixture
def exports(chats: SqliteChatStore, clock: Clock) -> ConversationFiles:
    return ConversationFiles(chats, clock)


@pytest.fixture
def exported(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> dict[str, Any]:
    """What the file of one conversation holds."""
    exports.write(tmp_path / "one.json", chats.add_trees([varied_tree()]))
    content = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content
