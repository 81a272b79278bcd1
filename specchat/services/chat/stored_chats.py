"""Opens the stored chats for commands and background threads, even while the window is open."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.conversations import DamagedChat
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.project_service import ProjectService
from specchat.store.chat_store import SqliteChatStore, open_chat_store_without_recovery
from specchat.store.projects import SqliteProjects


@dataclass(frozen=True, slots=True)
class StoredChats:
    conversations: ConversationService
    files: ConversationFiles
    projects: ProjectService
    damaged: Sequence[DamagedChat] | None = None
    """Chats that are not whole, where this is what can be read of a damaged database."""


@contextmanager
def open_stored_chats(file: Path) -> Iterator[StoredChats]:
    with closing(open_chat_store_without_recovery(file)) as store:
        yield stored_chats(store)


def stored_chats(store: SqliteChatStore, damaged: Sequence[DamagedChat] | None = None) -> StoredChats:
    projects = ProjectService(SqliteProjects(store.database))
    return StoredChats(ConversationService(store), ConversationFiles(store), projects, damaged)
