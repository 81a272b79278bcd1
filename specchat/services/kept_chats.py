"""The conversations that are kept, for whoever is not the window: one may be open meanwhile."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from specchat.services.conversations import Conversations
from specchat.services.exports import Exports
from specchat.store.chat_store import open_beside_window


@dataclass(frozen=True, slots=True)
class KeptChats:
    conversations: Conversations
    exports: Exports


@contextmanager
def kept_chats(file: Path) -> Iterator[KeptChats]:
    with closing(open_beside_window(file)) as store:
        yield KeptChats(Conversations(store), Exports(store))
