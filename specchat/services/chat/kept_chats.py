"""The conversations that are kept, for commands and for other threads than the window's: it may be open meanwhile."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.conversations import DamagedChat
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.exports import Exports
from specchat.store.chat_store import open_beside_window


@dataclass(frozen=True, slots=True)
class KeptChats:
    conversations: Conversations
    exports: Exports
    damaged: Sequence[DamagedChat] | None = None
    """Chats that are not whole, where this is what can be read of a damaged database."""


@contextmanager
def kept_chats(file: Path) -> Iterator[KeptChats]:
    with closing(open_beside_window(file)) as store:
        yield KeptChats(Conversations(store), Exports(store))
