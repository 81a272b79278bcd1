"""Opens the stored chats for commands and background threads, even while the window is open."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.conversations import DamagedChat
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.conversation_service import ConversationService
from specchat.store.chat_store import open_chat_store_without_recovery


@dataclass(frozen=True, slots=True)
class StoredChats:
    conversations: ConversationService
    files: ConversationFiles
    damaged: Sequence[DamagedChat] | None = None
    """Chats that are not whole, where this is what can be read of a damaged database."""


@contextmanager
def open_stored_chats(file: Path) -> Iterator[StoredChats]:
    with closing(open_chat_store_without_recovery(file)) as store:
        yield StoredChats(ConversationService(store), ConversationFiles(store))
