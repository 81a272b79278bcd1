"""The conversations that are kept, for commands and for other threads than the window's: it may be open meanwhile."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from specchat.services.chat.conversations import Conversations
from specchat.services.chat.exports import Exports
from specchat.store.chat_store import open_beside_window


@dataclass(frozen=True, slots=True)
class KeptChats:
    conversations: Conversations
    exports: Exports


@contextmanager
def kept_chats(file: Path) -> Iterator[KeptChats]:
    with closing(open_beside_window(file)) as store:
        yield KeptChats(Conversations(store), Exports(store))
